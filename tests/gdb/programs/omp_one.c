/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Constructs with a team of one: what is executed has one order. */
#include <omp.h>

static int order;

static void one(int value)
{
	order = order * 10 + value; /* MARK: one */
}

int main(void)
{
	int i;

	omp_set_num_threads(1);
#pragma omp parallel
	{
		one(1); /* MARK: region */
#pragma omp single
		one(2); /* MARK: single */
#pragma omp for
		for (i = 3; i < 5; i++) /* MARK: loop */
			one(i);         /* MARK: for */
#pragma omp critical
		one(5); /* MARK: critical */
	}
	return order == 12345 ? 0 : 1; /* MARK: last */
}
