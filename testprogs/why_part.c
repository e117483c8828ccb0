/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A shared library whose region, of two threads, calls back into the program from thread 1; and
 * another one, with a barrier.
 */
#include "testprog_omp.h"

void share_part(void (*work)(void));
void meet_part(void);

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

NOINLINE void meet_part(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp barrier /* MARK: meet */
		KEEP_FRAME();
	}
}
