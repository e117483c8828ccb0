/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* why_deciding SCENARIO [TEAM]: what decides who hangs: loops, branches, subscripts, members. */
#include "testprog_why.h"

/* So that the debugger finds it while the thread waits. */
#define KEEP(thing) __asm__ volatile("" ::"r"(thing) : "memory")

struct station {
	int limit;
	const char *name;
	int used[4];

	NOINLINE void pass(int i)
	{
#ifndef NEVER
		if (limit < 0)
			return;
#else
		if (used[3] < i)
			return;
#endif
		if (used[i] < limit && name) { /* MARK: branch */
#pragma omp barrier                            /* MARK: passes */
			KEEP_FRAME();
		}
		KEEP(this);
	}
};
static station bay = { 5, "bay", { 0, 1, 2, 9 } };

static NOINLINE void passes(void)
{
	int number = omp_get_thread_num();
	tell("waits");
	for (int round = 7; round < 9; round++) { /* MARK: rounds */
		bay.pass(number);
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

static omp_lock_t row[4];

/* The third one is the first again. */
static NOINLINE void locks(void)
{
	tell("waits");
	if (omp_get_thread_num() != 1)
		return;
	for (int k = 0; k < 3; k++) {
		int slot = k % 2;
		omp_set_lock(&row[slot]); /* MARK: locks */
		KEEP_FRAME();
	}
}

static NOINLINE void check(int number)
{
	if (number == 1)
		throw number;
	KEEP_FRAME();
}

static NOINLINE void insert(int number)
{
	omp_set_lock(&row[3]); /* MARK: insert */
	check(number);
	omp_unset_lock(&row[3]);
	KEEP_FRAME();
}

/* What it throws leaves the lock to nobody. */
static NOINLINE void thrown(void)
{
	const int number = omp_get_thread_num();
	if (number == 0) {
		wait_for_arrivals(1);
		tell("waits");
	}
	try {
		insert(number);
	} catch (int) {
		tell("waits");
	}
}

static const struct scenario scenarios[] = {
	SCENARIO(passes),
	SCENARIO(locks),
	SCENARIO(thrown),
	{ NULL, NULL },
};

int main(int argc, char **argv)
{
	void (*run)(void) = scenario_of(scenarios, argc, argv);
	for (omp_lock_t &lock : row)
		omp_init_lock(&lock);
	in_team(run); /* MARK: run */
	return 0;
}
