/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tasks that are created and executed one after the other: runtimes use their memory again. */
#include <omp.h>

#include "testprog.h"

enum { TASKS = 6 };

static int sum;

static NOINLINE void here(int i)
{
	sum += i; /* MARK: here */
	KEEP_FRAME();
}

static NOINLINE void again(int i)
{
	sum -= i; /* MARK: again */
	KEEP_FRAME();
}

int main(void)
{
	die_with_parent();
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < TASKS; i++) {
#pragma omp task firstprivate(i) /* MARK: task */
		{
			here(i);
			again(i);
			KEEP_FRAME();
		}
#pragma omp taskwait
	}
	return sum;
}
