/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * omp_sharing_copies: shared variables of which each thread has a copy, or whose creator each task
 * has: pointers and lengths that nobody writes, and tasks that the threads make for themselves; and
 * one that is another one to a thread elsewhere in the region; and static ones declared in a
 * region, which gcc gives no place to.
 */
#include <omp.h>
#include <sched.h>

enum { TEAM = 2 };

static int arrived[5], gone[5];
static volatile int sink;

static __attribute__((noinline)) void meet(int *count)
{
	__atomic_add_fetch(count, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(count, __ATOMIC_SEQ_CST) < TEAM)
		sched_yield();
}

static __attribute__((noinline)) void here(int place)
{
	sink = place;
}

static __attribute__((noinline)) void pointers(int *p, int **pp)
{
#pragma omp parallel num_threads(TEAM)
	{
		p[omp_get_thread_num()] = **pp;
		meet(&arrived[0]);
		here(1); /* MARK: pointers */
		meet(&gone[0]);
	}
}

static __attribute__((noinline)) void lengths(int n)
{
	int a[n];

#pragma omp parallel num_threads(TEAM)
	{
		a[omp_get_thread_num()] = n;
		meet(&arrived[1]);
		here(2); /* MARK: lengths */
		meet(&gone[1]);
	}
	sink = a[0];
}

static __attribute__((noinline)) void creator(void)
{
	int own = omp_get_thread_num();

#pragma omp task shared(own)
	{
		own++;
		meet(&arrived[2]);
		here(3); /* MARK: tasks */
		meet(&gone[2]);
	}
#pragma omp taskwait
	sink = own;
}

static __attribute__((noinline)) void apart(void)
{
	int sum = 0;

#pragma omp parallel num_threads(TEAM)
	{
#pragma omp master
		{
			sum = 1;
			meet(&arrived[3]);
			here(4); /* MARK: apart */
			meet(&gone[3]);
		}
#pragma omp for reduction(+ : sum) schedule(static, 1)
		for (int i = 0; i < TEAM; i++) {
			sum += i;
			if (i == 1) {
				meet(&arrived[3]);
				meet(&gone[3]);
			}
		}
	}
	sink = sum;
}

static __attribute__((noinline)) void kept(void)
{
#pragma omp parallel num_threads(TEAM)
	{
		static int common, table[2] = { 1, 2 }, more;
		static _Thread_local int each;
		int plain = table[1];

#pragma omp atomic
		common += plain;
		each = common + more;
		meet(&arrived[4]);
		here(5); /* MARK: static */
		meet(&gone[4]);
		sink = each;
	}
}

#ifndef __clang__ /* has no such tasks */
/* What made the task has no frame when that is executed, where the compiler optimises. */
static __attribute__((noinline)) void given_lengths(int n)
{
	int a[n], b[n][2];

	for (int i = 0; i < n; i++)
		a[i] = b[i][0] = b[i][1] = 10 * i;
#pragma omp parallel num_threads(TEAM)
#pragma omp single
#pragma omp task firstprivate(a) shared(b)
	{
		a[1]++;
		b[2][1]++;
		here(6); /* MARK: given lengths */
	}
	sink = a[0];
}
#endif

int main(void)
{
	int numbers[TEAM] = { 7, 7 }, *first = numbers;

	pointers(numbers, &first);
	lengths(TEAM);
#pragma omp parallel num_threads(TEAM)
	creator();
	apart();
	kept();
#ifndef __clang__
	given_lengths(TEAM + 1);
#endif
	return 0;
}
