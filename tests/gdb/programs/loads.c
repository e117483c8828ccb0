/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loads a library, uses it, unloads it and loads it again. */
#include <dlfcn.h>

typedef int (*adder)(int, int);

static int use(void *library)
{
	adder add = (adder)dlsym(library, "library_add");

	return add ? add(20, 3) : 0; /* MARK: use */
}

int main(void)
{
	void *library;
	int result = 0, i;

	for (i = 0; i < 2; i++) {
		library = dlopen("./liblibrary.so", RTLD_NOW); /* MARK: dlopen */
		if (!library)
			return 99;
		result += use(library); /* MARK: loaded */
		dlclose(library);       /* MARK: dlclose */
	}
	return result; /* MARK: last */
}
