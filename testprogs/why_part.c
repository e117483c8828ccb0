/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A shared library whose region, of two threads, calls back into the program from thread 1. */
#include "testprog_omp.h"

void share_part(void (*work)(void));

NOINLINE void share_part(void (*work)(void))
{
#pragma omp parallel num_threads(2) /* MARK: part */
	{
		tell("part");
		if (omp_get_thread_num() == 1)
			work(); /* MARK: back */
		KEEP_FRAME();
	}
	KEEP_FRAME();
}
