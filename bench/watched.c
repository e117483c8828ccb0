/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * watched N: an OpenMP team of N threads, all of which but the first wait at a barrier; that one
 * looks at the clock all the time instead, so that it notices when the process stands still. Each
 * line of its stdin is answered by two numbers of microseconds: the longest time that passed
 * between two looks since the last answer, and the longest of those when the time is not counted in
 * which it could have gone on, but others had the processors (schedstat in proc(5)).
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

/* How long this thread has waited for a processor so far. */
static double waited_us(int schedstat)
{
	char text[128];
	ssize_t n = pread(schedstat, text, sizeof(text) - 1, 0);
	unsigned long long waited = 0;

	text[n > 0 ? n : 0] = '\0';
	return sscanf(text, "%*u %llu", &waited) == 1 ? (double)waited * 1e-3 : 0;
}

static double larger(double a, double b)
{
	return a > b ? a : b;
}

static void watch(void)
{
	const int schedstat = open("/proc/thread-self/schedstat", O_RDONLY);
	double longest = 0, stood = 0, last = now_us(), waited = waited_us(schedstat);

	for (unsigned long i = 0;; i++) {
		char line[64];
		double now = now_us(), waited_now = waited_us(schedstat);
		longest = larger(longest, now - last);
		stood = larger(stood, now - last - (waited_now - waited));
		last = now, waited = waited_now;
		if (i % 64)
			continue;
		ssize_t n = read(0, line, sizeof(line));
		if (n == 0)
			return;
		if (n > 0) {
			printf("%.0f %.0f\n", longest, stood);
			fflush(stdout);
			longest = stood = 0;
			last = now_us(), waited = waited_us(schedstat);
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
