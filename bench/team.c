/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * team THREADS N: all threads of a team but one wait for it at a barrier; it says what time it is
 * on the monotonic clock, in microseconds, and calls here(), N times. Says "ready" then, and goes
 * on when its stdin ends.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static volatile long calls;

__attribute__((noinline)) static void here(void)
{
	calls++;
}

static void say_time(void)
{
	struct timespec t;

	/* The others are asleep again by then. */
	nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
	clock_gettime(CLOCK_MONOTONIC, &t);
	printf("at %.3f\n", (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	int threads = argc > 2 ? atoi(argv[1]) : 0, n = argc > 2 ? atoi(argv[2]) : 0;

	if (threads < 2)
		return 2;
#pragma omp parallel num_threads(threads)
	{
#pragma omp barrier
		if (omp_get_thread_num() == 1) {
			for (int i = 0; i < n; i++) {
				say_time();
				here();
			}
			printf("ready\n");
			fflush(stdout);
			while (getchar() != EOF)
				;
		}
	}
	return 0;
}
