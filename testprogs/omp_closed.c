/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * omp_closed LIBRARY [OTHER [meet|apart]]: a program without OpenMP loads a library (why_part.c)
 * that uses it, and unloads it, and then the other one, if there is none the first one again. With
 * libgomp, which goes with it, the idle threads sleep in code that is gone. "meet": both stay, and
 * are asked for their regions with a barrier; "apart": the other one has a libgomp of its own.
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

static void meet(const char *path, Lmid_t namespace)
{
	void *part = dlmopen(namespace, path, RTLD_NOW);
	void (*meet_part)(void) = part ? dlsym(part, "meet_part") : NULL;
	if (!meet_part)
		FAIL("no meet_part: %s", dlerror());
	meet_part();
}

int main(int argc, char **argv)
{
	die_with_parent();
	if (argc > 3) {
		meet(argv[1], LM_ID_BASE);
		meet(argv[2], *argv[3] == 'a' ? LM_ID_NEWLM : LM_ID_BASE);
		return 0;
	}
	use(argc > 1 ? argv[1] : "");
	use(argv[argc > 2 ? 2 : 1]);
	ready();
	block();
	return 0;
}
