/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Says where some functions lie; one is in a library that it loads itself. */
#include <dlfcn.h>

#include "testprog.h"

int main(void)
{
	void *library = dlopen("libm.so.6", RTLD_NOW);

	die_with_parent();
	if (!library)
		FAIL("%s", dlerror());
	printf("main %p getpid %p lgamma %p\n", (void *)main, dlsym(RTLD_DEFAULT, "getpid"),
	       dlsym(library, "lgamma"));
	fflush(stdout);
	ready();
	block();
	return 0;
}
