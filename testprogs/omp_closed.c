/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * omp_closed LIBRARY [OTHER]: a program without OpenMP loads a library (why_part.c) that uses it,
 * and unloads it, and then the other one, if there is none the first one again. With libgomp, which
 * goes with it, the idle threads sleep in code that is gone.
 */
#include <dlfcn.h>

#include "testprog.h"

static void work(void)
{
}

static NOINLINE void use(const char *path)
{
	void *part = dlopen(path, RTLD_NOW);
	void (*share_part)(void (*)(void)) = part ? dlsym(part, "share_part") : NULL;
	if (!share_part)
		FAIL("no share_part: %s", dlerror());
	share_part(work);
	wait_until_others_sleep();
	dlclose(part);
	KEEP_FRAME();
}

int main(int argc, char **argv)
{
	die_with_parent();
	use(argc > 1 ? argv[1] : "");
	use(argv[argc > 2 ? 2 : 1]);
	ready();
	block();
	return 0;
}
