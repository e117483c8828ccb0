/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* omp_barrier [THREADS [GUILTY]]: one thread of a team never arrives at the barrier. */
#include <omp.h>
#include <sched.h>

#include "testprog.h"

static int arrived, passed;

static void wait_until_others_wait(int team)
{
	while (__atomic_load_n(&arrived, __ATOMIC_SEQ_CST) < team - 1)
		sched_yield();
	wait_until_others_sleep();
}

static NOINLINE void read_block(void)
{
	block(); /* MARK: stuck */
	KEEP_FRAME();
}

static NOINLINE void load_matrix(void)
{
	read_block(); /* MARK: load */
	KEEP_FRAME();
}

static NOINLINE void compute(int guilty)
{
	if (omp_get_thread_num() == guilty) {
		wait_until_others_wait(omp_get_num_threads());
		ready();
		load_matrix(); /* MARK: guilty */
	} else {
		__atomic_add_fetch(&arrived, 1, __ATOMIC_SEQ_CST);
	}
#pragma omp barrier /* MARK: barrier */
	__atomic_add_fetch(&passed, 1, __ATOMIC_SEQ_CST);
}

int main(int argc, char **argv)
{
	int team = argc > 1 ? atoi(argv[1]) : 4;
	int guilty = argc > 2 ? atoi(argv[2]) : team / 2;

	die_with_parent();
	omp_set_dynamic(0);
#pragma omp parallel num_threads(team) /* MARK: region */
	compute(guilty);
	if (passed != team)
		FAIL("%d of %d threads passed the barrier", passed, team);
	return 0;
}
