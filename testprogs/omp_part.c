/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A shared library with a parallel region, whose runtime it brings into the program. */
#include "testprog_omp.h"

void solve_part(int threads);

NOINLINE void solve_part(int threads)
{
#pragma omp parallel num_threads(threads) /* MARK: part */
	{
		stay(omp_get_num_threads()); /* MARK: in part */
	}
	KEEP_FRAME();
}
