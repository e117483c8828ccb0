/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* tasks N: N tasks are created by one thread of two, and run. Prints how many ran. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 0, ran = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	for (long i = 0; i < n; i++) {
#pragma omp task shared(ran)
		__atomic_fetch_add(&ran, 1, __ATOMIC_RELAXED);
	}
	printf("%ld\n", ran);
	return ran != n;
}
