/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A parallel loop: each iteration is one call. */
#include <omp.h>

static int seen[16];

static void iteration(int i)
{
	seen[i]++; /* MARK: iteration */
}

int main(void)
{
	int i, sum = 0;

#pragma omp parallel for num_threads(4) schedule(static) /* MARK: pragma */
	for (i = 0; i < 16; i++)
		iteration(i); /* MARK: loop */
	for (i = 0; i < 16; i++)
		sum += seen[i];   /* MARK: check */
	return sum == 16 ? 0 : 1; /* MARK: last */
}
