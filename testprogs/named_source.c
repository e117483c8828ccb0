/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* named_source: a thread blocks in line 2 of a file whose name tests replace. */
#include <omp.h>

#include "testprog.h"

static NOINLINE void stuck(void);

int main(void)
{
	die_with_parent();
	omp_set_dynamic(0);
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 0)
			stuck();
#pragma omp barrier
	}
	return 0;
}

static char c;

static NOINLINE void stuck(void)
{
	ready();
#line 1 "a-name-in-whose-place-tests-put-the-path-of-a-file-that-must-not-be-longer-than-this-is.c"
	KEEP_FRAME();
	if (read(0, &c, 1) != 0)
		FAIL("reading stdin was interrupted");
}
