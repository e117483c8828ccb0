/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* omp_statics: static variables that constructs declare, and one of their names that is not; a
 * member that a clause names; what is a reference in one instance of a template. */
#include <omp.h>

#include "testprog.h"

NOINLINE static void stop(int n)
{
	__asm__ volatile("" ::"r"(n) : "memory"); /* MARK: stop */
}

struct counter {
	int step = 5;
	NOINLINE void count()
	{
#pragma omp parallel num_threads(2) firstprivate(step)
		{
			static int total = 50;
			step += 0 * total;
#pragma omp atomic
			total += step;
#pragma omp barrier
			if (omp_get_thread_num() == 0)
				stop(total == 60 ? 3 : 0);
			KEEP_FRAME();
		}
	}
};

template <typename T> NOINLINE static void fill(T by, int where)
{
#pragma omp parallel num_threads(2)
	{
		static T total = 7, parts[3] = { 1, 2, 3 };
		static thread_local T own = 20;
		own += (omp_get_thread_num() + 1) * by;
#pragma omp critical
		{
			total += by;
			parts[omp_get_thread_num()] += by;
		}
#pragma omp barrier
		if (omp_get_thread_num() == 0)
			stop(where);
#pragma omp barrier
		KEEP_FRAME();
	}
}

static NOINLINE void automatic(volatile int n)
{
	static volatile int total = 1;

	total = total + n;
#pragma omp parallel num_threads(2)
	{
		volatile int total = 90 + n;
		if (omp_get_thread_num() == 0)
			stop(4);
		total = total + 1;
	}
}

template <typename T> static inline __attribute__((always_inline)) void everywhere(T by)
{
	static int calls = 100;

	calls += (int)by;
#pragma omp parallel num_threads(2)
	{
#pragma omp atomic
		calls += 10;
#pragma omp barrier
		if (omp_get_thread_num() == 0)
			stop(5 + 0 * calls);
#pragma omp barrier
		KEEP_FRAME();
	}
}

template <typename T> NOINLINE static void either(T by)
{
	by += 1;
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 0) {
			by += 1;
			stop(6);
		}
#pragma omp barrier
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

int main(void)
{
	counter c;

	fill(1, 1);
	fill(0.5, 2);
	c.count();
	automatic(1);
	everywhere(1);
	everywhere(2L);
	int number = 70;
	either<int>(number);
	either<int &>(number);
	return 0;
}
