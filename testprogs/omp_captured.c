/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * omp_captured: variables that a region's code has captured, and such that it has not; a region in
 * a region; tasks; copies that a region and a loop in it have; tasks that have been given
 * variables. Threads 1 stop in stop_here(), called from each of them; so do tasks.
 */
#include <omp.h>
#include <sched.h>
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

/* Another thread executes the task than the one that waits for it where it was made. */
static __attribute__((noinline)) void stolen(int n)
{
	int uncaptured = 40 * n, done = 0;

	keep(&uncaptured), keep(&done);
#pragma omp parallel num_threads(2)
	{
		int own = omp_get_thread_num() + 500;

		keep(&own);
		if (own == 500) {
#pragma omp task
			{
				int its = 600;

				keep(&its);
				stop_here(9);
				keep(&its);
				__atomic_store_n(&done, 1, __ATOMIC_RELEASE);
			}
			while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE))
				sched_yield();
		}
#pragma omp barrier
		keep(&own);
	}
	keep(&uncaptured);
}

/* Each call has tasks of its own: one that shares a variable, one executed at once, a taskloop. */
static __attribute__((noinline)) void calls(int n)
{
	static int counted = 5;
	int uncaptured = 50 * n, shared = 60 * n;

	keep(&uncaptured), keep(&shared), keep(&counted);
	if (n > 1)
		calls(n - 1);
#pragma omp task shared(shared)
	{
		shared++;
		keep(&shared);
		stop_here(10);
		keep(&shared);
	}
	if (n > 1) {
#pragma omp taskwait
		keep(&n);
	}
#pragma omp task if (0)
	{
		int own = 700;

		keep(&own);
		stop_here(11);
		keep(&own);
	}
#pragma omp taskloop num_tasks(1)
	for (int i = 0; i < 1; i++) {
		int own = 800 + i;

		keep(&own);
		stop_here(12);
		keep(&own);
	}
#pragma omp taskwait
	keep(&uncaptured), keep(&shared), keep(&counted);
}

/* Its one task, which shares nothing, is over before it returns. */
static __attribute__((noinline)) void waited(int n)
{
	int uncaptured = 70 * n;

	keep(&uncaptured);
#pragma omp task
	{
		int own = 900;

		keep(&own);
		stop_here(16);
		keep(&own);
	}
#pragma omp taskwait
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
			stop_here(7);
		keep(&counted);
	}
}

static int handed = 5;
#pragma omp threadprivate(handed)

/* clang passes the primary thread's to the region, under the same name. */
static __attribute__((noinline)) void copied_in(void)
{
#pragma omp parallel num_threads(2) copyin(handed)
	{
		handed += 10 * omp_get_thread_num();
#pragma omp barrier
		if (omp_get_thread_num() == 1)
			stop_here(8);
#pragma omp barrier
		keep(&handed);
	}
}

int copied = 3;

static __attribute__((noinline)) void copies(int n)
{
	int priv = 10 * n, first = 20 * n, last = 30 * n, most = 0, i;
	long sum = 40 * n, inner = 50 * n;

	keep(&priv);
#pragma omp parallel num_threads(2) private(priv, copied) firstprivate(first) reduction(+ : sum) \
	reduction(max : most)
	{
		int own = omp_get_thread_num();

		priv = copied = 1 + own;
		first += 1 + own;
		sum += 2 + own;
		most = 20 + own;
		keep(&most), keep(&priv), keep(&copied), keep(&first), keep(&sum);
#pragma omp barrier
#pragma omp for schedule(static, 1) lastprivate(last) reduction(+ : inner)
		for (i = 0; i < 2; i++) {
			last = 7 + i;
			inner += 8 + i;
			keep(&last), keep(&inner);
			if (i == 1)
				stop_here(4);
			keep(&last), keep(&inner);
		}
		keep(&priv), keep(&copied), keep(&first), keep(&sum);
	}
	printf("%d %d %d %d %ld %ld\n", priv, first, last, most, sum, inner);
}

/* Copies of which gcc describes none, and of those of the task no compiler any. */
static __attribute__((noinline)) void untold(int n)
{
	int priv = 10 * n, last = 20 * n, total = 30 * n, so_far = 0, steps[3] = { 0 };
	int pair[2] = { 0 }, *single = pair;
	long sum = 40 * n;

	keep(&priv);
#pragma omp simd reduction(inscan, + : so_far)
	for (int i = 0; i < 2; i++) {
		so_far += 5 + i;
#pragma omp scan inclusive(so_far)
		steps[i] = so_far;
	}
	keep(&so_far), keep(steps);
#pragma omp parallel num_threads(2)
	{
		int own = 6;

		keep(&own);
#pragma omp sections private(priv, copied) lastprivate(last) reduction(+ : sum)
		{
			priv = copied = 1, last = 2, sum += 3, keep(&priv), keep(&copied),
			keep(&last), keep(&sum), stop_here(13), keep(&priv), keep(&sum);
		}
#pragma omp single
		{
#pragma omp taskgroup task_reduction(+ : total)
			{
#pragma omp task in_reduction(+ : total)
				{
					total += 4;
					stop_here(14);
					total += 5;
				}
			}
		}
		keep(&own);
	}
#pragma omp parallel for num_threads(2) reduction(+ : steps [1:2], single [0:1])
	for (int i = 0; i < 2; i++) {
		steps[1] += 7, single[0] += 8;
		keep(steps), keep(single);
		if (i == 1)
			stop_here(15);
		keep(steps), keep(single);
	}
	printf("%d %d %ld %d %d %d\n", priv, last, sum, total, steps[1], single[0]);
}

/* Nobody executes the tasks before thread 1 has stopped. */
static __attribute__((noinline)) void given(int n)
{
	int shared = 10 * n, first = 20 * n, priv = 0, array[4] = { n, n + 1, n + 2, n + 3 };
	int *pointer = &uncaptured, waits = 1;
	char letter = 'a';
	struct {
		char c;
		long l;
	} pair = { 'b', 4 };

	keep(&shared), keep(&waits);
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 1) {
		for (int i = 0; i < 2; i++) {
			int implicit = 100 + i;

			keep(&implicit);
#pragma omp task firstprivate(letter, pair, first, array, pointer) private(priv) shared(shared)
			{
				priv = letter;
				keep(&priv), keep(&first), keep(&implicit), keep(&pair),
					keep(&array);
				first++, shared += 1 + i;
				if (i == 0)
					stop_here(6);
				keep(&priv), keep(&first), keep(&implicit), keep(pointer);
			}
			implicit = -1, first++;
			keep(&implicit), keep(&first);
		}
		stop_here(5);
		__atomic_store_n(&waits, 0, __ATOMIC_RELEASE);
	} else {
		while (__atomic_load_n(&waits, __ATOMIC_ACQUIRE))
			sched_yield();
	}
	printf("%d %d %d\n", shared, first, priv);
}

int main(void)
{
	omp_set_max_active_levels(2);
	copies(2);
	given(2);
	untold(2);
	flat(3);
	nested(4);
	statics();
	copied_in();
	stolen(2);
#pragma omp parallel num_threads(2)
#pragma omp single
	calls(2);
#pragma omp parallel num_threads(2)
#pragma omp single
	waited(2);
#pragma omp parallel num_threads(2)
#pragma omp single
	tasks(2);
	return 0;
}
