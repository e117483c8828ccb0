/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A task that another thread than its creator runs blocks; the creator waits for it. Threads of
 * libomp never sleep while a task is unfinished: they yield the processor and look again.
 */
#include <omp.h>
#include <sched.h>

#include "testprog.h"

static int started, finished;

static NOINLINE void solve(int piece)
{
	if (piece == 0) {
		__atomic_store_n(&started, 1, __ATOMIC_SEQ_CST);
		ready();
		block(); /* MARK: stuck */
	}
	__atomic_add_fetch(&finished, 1, __ATOMIC_SEQ_CST);
}

static NOINLINE void create(void)
{
#pragma omp task /* MARK: blocked task */
	{
		solve(0);
		KEEP_FRAME();
	}
	/* Not before it runs elsewhere: taskwait would run it in this thread. */
	while (!__atomic_load_n(&started, __ATOMIC_SEQ_CST))
		sched_yield();
#pragma omp taskwait /* MARK: taskwait */
	for (int piece = 1; piece < 4; piece++) {
#pragma omp task firstprivate(piece) /* MARK: other tasks */
		solve(piece);
	}
}

int main(void)
{
	die_with_parent();
	omp_set_dynamic(0);
#pragma omp parallel num_threads(4) /* MARK: region */
	{
#pragma omp single
		{
			create();
			KEEP_FRAME();
		}
	}
	if (finished != 4)
		FAIL("%d of 4 tasks finished", finished);
	return 0;
}
