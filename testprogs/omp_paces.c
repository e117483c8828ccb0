/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A team passes one barrier after the other until stdin ends. */
#include <omp.h>
#include <poll.h>

#include "testprog.h"

volatile unsigned long passed; /* the tests read it */
static volatile int stop;

static void count_barrier(void)
{
	struct pollfd in = { .fd = 0, .events = POLLIN };

	if (++passed == 1)
		ready();
	stop = poll(&in, 1, 0) > 0;
}

int main(void)
{
	die_with_parent();
	omp_set_dynamic(0);
#pragma omp parallel num_threads(2)
	while (!stop) {
#pragma omp barrier /* MARK: barrier */
#pragma omp master
		count_barrier();
#pragma omp barrier /* MARK: next */
	}
	return 0;
}
