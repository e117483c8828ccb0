/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* omp_load LIBRARY: a program without OpenMP loads a library (omp_part.c) that uses it. */
#include <dlfcn.h>

#include "testprog.h"

int main(int argc, char **argv)
{
	die_with_parent();
	void *part = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
	void (*solve_part)(int) = part ? dlsym(part, "solve_part") : NULL;
	if (!solve_part)
		FAIL("no solve_part: %s", dlerror());
	solve_part(2); /* MARK: call of part */
	return 0;
}
