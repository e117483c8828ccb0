/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * omp_both SCENARIO LIBRARY: a thread of a region calls a library (omp_part.c) that another
 * compiler has built, which begins a region with its own runtime.
 */
#include <dlfcn.h>

#include "testprog_omp.h"

static const char *path;

/* What the library calls must be its own runtime's: omp_get_thread_num() is in both. */
static NOINLINE void call_part(void)
{
	void *part = dlopen(path, RTLD_NOW | RTLD_DEEPBIND);
	void (*solve_part)(int) = part ? dlsym(part, "solve_part") : NULL;
	if (!solve_part)
		FAIL("no solve_part: %s", dlerror());
	tell("calls");
	solve_part(2); /* MARK: call of part */
	KEEP_FRAME();
}

static NOINLINE void within(void)
{
	if (omp_get_thread_num() == 1) {
		wait_for_arrivals(1);
		call_part(); /* MARK: calls */
	} else {
		tell("waits");
	}
#pragma omp barrier /* MARK: barrier */
	KEEP_FRAME();
}

static const struct scenario workers[] = { SCENARIO(within), { NULL, NULL } };

int main(int argc, char **argv)
{
	void (*run)(void) = scenario_of(workers, argc, argv);
	path = argc > 2 ? argv[2] : "";
	team = 2;
	in_team(run); /* MARK: run */
	return 0;
}
