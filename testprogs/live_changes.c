/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Changes what it has mapped: with each byte from its stdin it goes a step further, and is ready
 * then. It loads a library, unloads it, and executes itself anew.
 */
#include <dlfcn.h>

#include "testprog.h"

static void next_step(void)
{
	char c;

	ready();
	if (read(0, &c, 1) != 1)
		_exit(0);
}

int main(int argc, char **argv)
{
	char *const again[] = { argv[0], "again", NULL };

	die_with_parent();
	next_step();
	void *library = argc == 1 ? dlopen("libm.so.6", RTLD_NOW) : NULL;
	if (argc == 1 && !library)
		FAIL("no library");
	next_step();
	if (library)
		dlclose(library);
	next_step();
	execv("/proc/self/exe", again);
	FAIL("no exec");
}
