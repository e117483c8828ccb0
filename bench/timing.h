/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Timing: what programs that measure the library have in common.
 */
#ifndef BENCH_TIMING_H
#define BENCH_TIMING_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/error.h"

static inline double now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static inline int compare_times(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Of n times, which are sorted thereby. */
static inline double median(double *times, size_t n)
{
	qsort(times, n, sizeof(*times), compare_times);
	return times[n / 2];
}

/* Ends the program that cannot measure. */
static inline void check(struct error *err)
{
	if (!err)
		return;
	fprintf(stderr, "%s\n", error_message(err));
	exit(1);
}

#endif
