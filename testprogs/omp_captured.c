/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * omp_captured: variables that a region's code has captured, and such that it has not; a region in
 * a region; a task. Threads 1 stop in stop_here(), called from each of them.
 */
#include <omp.h>
#include <stdio.h>

int uncaptured = -1; /* hidden by variables of functions */

/* Kept in memory from here on. */
static void keep(const void *p)
{
	__asm__ volatile("" ::"r"(p) : "memory");
}

static __attribute__((noinline)) void stop_here(int where)
{
	__asm__ volatile("" ::"r"(where) : "memory"); /* MARK: stopped */
}

static __attribute__((noinline)) void flat(int n)
{
	int uncaptured = 10 * n, shared = 1;

	keep(&uncaptured);
#pragma omp parallel num_threads(2)
	{
		int own = omp_get_thread_num() + 100;

		keep(&own);
#pragma omp barrier
#pragma omp critical
		shared += 30;
#pragma omp barrier
		if (own == 101)
			stop_here(1);
		keep(&own);
	}
	keep(&uncaptured);
	printf("%d %d\n", uncaptured, shared);
}

static __attribute__((noinline)) void nested(int n)
{
	int uncaptured = 20 * n;

	keep(&uncaptured);
#pragma omp parallel num_threads(2)
	{
		int middle = omp_get_thread_num() + 200;

		keep(&middle);
		if (middle == 201) {
#pragma omp parallel num_threads(2)
			{
				int inner = omp_get_thread_num() + 300;

				keep(&inner);
				if (inner == 301)
					stop_here(2);
				keep(&inner);
			}
		}
#pragma omp barrier
		keep(&middle);
	}
	keep(&uncaptured);
}

/* The task is executed in a barrier, where another call of this function stands around it. */
static __attribute__((noinline)) void tasks(int n)
{
	int uncaptured = 30 * n;

	keep(&uncaptured);
#pragma omp task
	{
		int own = 400;

		keep(&own);
		stop_here(3);
		keep(&own);
	}
	keep(&uncaptured);
	if (n > 1)
		tasks(n - 1);
	else {
#pragma omp taskwait
		keep(&n);
	}
	keep(&uncaptured);
}

/* Only the region uses these, so that gcc -O0 says of both that they are constants. */
static __attribute__((noinline)) void statics(void)
{
	static int counted = 7, own = 8;
#pragma omp threadprivate(own)

#pragma omp parallel num_threads(2)
	{
		own = 10 * omp_get_thread_num();
		keep(&own);
#pragma omp barrier
#pragma omp critical
		counted += 30;
#pragma omp barrier
		if (own == 10)
			stop_here(4);
		keep(&counted);
	}
}

int main(void)
{
	omp_set_max_active_levels(2);
	flat(3);
	nested(4);
	statics();
#pragma omp parallel num_threads(2)
#pragma omp single
	tasks(2);
	return 0;
}
