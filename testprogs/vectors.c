/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* vectors: threads that spin with values in vector registers, where compilers optimise. */
#include <omp.h>

#include "testprog.h"

static NOINLINE void spin(double real, float narrow)
{
	for (;;) /* MARK: spins */
		__asm__ volatile("" : "+x"(real), "+x"(narrow));
}

int main(void)
{
	die_with_parent();
#pragma omp parallel num_threads(2)
	{
		int number = omp_get_thread_num();
#pragma omp barrier
#pragma omp master
		ready();
		spin(2.5 + number, 0.75f);
	}
	return 0;
}
