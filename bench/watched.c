/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * watched N: an OpenMP team of N threads, all of which but the first wait at a barrier; that one
 * looks at the clock all the time instead, so that it notices when the process stands still. Each
 * line of its stdin is answered by the longest time, in microseconds, that passed between two looks
 * since the last answer.
 */
#include <fcntl.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static void watch(void)
{
	double longest = 0, last = now_us();

	for (unsigned long i = 0;; i++) {
		char line[64];
		double now = now_us();
		if (now - last > longest)
			longest = now - last;
		last = now;
		if (i % 1024)
			continue;
		ssize_t n = read(0, line, sizeof(line));
		if (n == 0)
			return;
		if (n > 0) {
			printf("%.0f\n", longest);
			fflush(stdout);
			longest = 0;
			last = now_us();
		}
	}
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1;

	omp_set_dynamic(0);
	fcntl(0, F_SETFL, fcntl(0, F_GETFL) | O_NONBLOCK);
#pragma omp parallel num_threads(n)
	{
		if (omp_get_thread_num() == 0) {
			puts("ready");
			fflush(stdout);
			watch();
			exit(0);
		}
#pragma omp barrier
	}
	return 0;
}
