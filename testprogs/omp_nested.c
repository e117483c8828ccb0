/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Two teams of two inside a team of two. The second thread of one inner team reads stdin, that of
 * the other waits for it, and both keep the rest of their teams waiting at a barrier.
 */
#include <omp.h>
#include <sched.h>
#include <semaphore.h>

#include "testprog.h"

static int arrived, done;
static sem_t data_read;

static void wait_for_arrivals(int n)
{
	while (__atomic_load_n(&arrived, __ATOMIC_SEQ_CST) < n)
		sched_yield();
}

static NOINLINE void read_data(void)
{
	wait_for_arrivals(3);
	wait_until_others_sleep();
	ready();
	block(); /* MARK: stuck */
	sem_post(&data_read);
}

static NOINLINE void wait_for_data(void)
{
	__atomic_add_fetch(&arrived, 1, __ATOMIC_SEQ_CST);
	if (sem_wait(&data_read) != 0) /* MARK: neighbour */
		FAIL("sem_wait was interrupted");
}

static NOINLINE void inner_work(int outer)
{
	if (omp_get_thread_num() == 0)
		__atomic_add_fetch(&arrived, 1, __ATOMIC_SEQ_CST);
	else if (outer == 1)
		read_data(); /* MARK: inner */
	else
		wait_for_data();
#pragma omp barrier /* MARK: inner barrier */
	__atomic_add_fetch(&done, 1, __ATOMIC_SEQ_CST);
}

int main(void)
{
	die_with_parent();
	omp_set_dynamic(0);
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) /* MARK: outer region */
	{
		int outer = omp_get_thread_num();
		/* One team after the other, so that thread ids are in the same order each time. */
		if (outer == 1)
			wait_for_arrivals(2);
#pragma omp parallel num_threads(2) /* MARK: inner region */
		{
			inner_work(outer); /* MARK: inner team */
			KEEP_FRAME();
		}
		KEEP_FRAME();
	}
	return done == 4 ? 0 : 1;
}
