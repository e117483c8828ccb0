/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Says where some functions lie; one is in a library that it loads itself. And it has its own file
 * in memory once more, to read it.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>

#include "testprog.h"

int main(void)
{
	void *library = dlopen("libm.so.6", RTLD_NOW);
	int self = open("/proc/self/exe", O_RDONLY);
	void *copy = mmap((void *)0x10000000, 1 << 16, PROT_READ, MAP_PRIVATE, self, 0);

	die_with_parent();
	if (!library || copy == MAP_FAILED)
		FAIL("no library or no copy");
	printf("main %p getpid %p lgamma %p copy %p\n", (void *)main, dlsym(RTLD_DEFAULT, "getpid"),
	       dlsym(library, "lgamma"), copy);
	fflush(stdout);
	ready();
	block();
	return 0;
}
