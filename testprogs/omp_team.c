/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * omp_team [THREADS [AWAY]]: a team whose threads have values of their own; thread AWAY is in
 * another function.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

struct pair {
	int number, half;
};

static int away = -1;
static volatile struct pair pairs[4] = { { 10, 5 }, { 20, 10 }, { 30, 15 }, { 40, 20 } };
static _Thread_local volatile int own;

static __attribute__((noinline)) void together(int number)
{
	/* Kept in memory until here, whatever the compiler makes of it. */
	volatile struct pair pair = { number, number / 2 };
	volatile double share = number / 4.0;
	volatile int same = 7;

#pragma omp barrier
	if (number == 0)
		puts("together"); /* MARK: together */
#pragma omp barrier
	if (pair.half + same + (int)share == -1)
		puts("never");
}

static __attribute__((noinline)) void elsewhere(void)
{
#pragma omp barrier
	__asm__ volatile("");
#pragma omp barrier
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 4;

	away = argc > 2 ? atoi(argv[2]) : -1;
#pragma omp parallel num_threads(threads)
	{
		int number = omp_get_thread_num();
		own = pairs[number % 4].number / 10 - 1;
		if (number == away)
			elsewhere();
		else
			together(number);
	}
	return 0;
}
