/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Changes what it has mapped: with each byte from its stdin it goes a step further, and is ready
 * then. It loads a library, makes a page of its first mapping another mapping, unloads the
 * library, and executes itself anew, or the program that its argument names.
 */
#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>

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
	struct link_map *map;
	void *library = argc == 1 ? dlopen("libm.so.6", RTLD_NOW) : NULL;
	if (argc == 1 && !library)
		FAIL("no library");
	next_step();
	if (library && (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0 ||
			mprotect((char *)map->l_addr + 4096, 4096, PROT_READ | PROT_WRITE) != 0))
		FAIL("no second mapping");
	next_step();
	if (library)
		dlclose(library);
	next_step();
	execv(argc == 1 ? "/proc/self/exe" : argv[1], again);
	FAIL("no exec");
}
