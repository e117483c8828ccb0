/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the programs have in common in which threads wait for locks and critical constructs that
 * others hold.
 *
 * Each thread tells what it holds and what it waits for, as letters: "holds_A", "waits_B",
 * "holds_A_waits_B", "stays" (holds nothing). Thread 0 is the first to take what it takes, then
 * thread 1, and so on.
 */
#ifndef WHY_HOLDERS_H
#define WHY_HOLDERS_H

#include <stdlib.h>

#include "testprog_omp.h"

static int uses;

/* Thread n goes on when those before it are where they stay, or about to wait. */
static NOINLINE UNUSED int in_turn(void)
{
	int me = omp_get_thread_num();
	wait_for_arrivals(me);
	return me;
}

/* What the threads do with what they have. */
static NOINLINE void use(void)
{
	__atomic_add_fetch(&uses, 1, __ATOMIC_SEQ_CST);
	KEEP_FRAME();
}

/* The first stays, with A; the others come for it. */
static NOINLINE UNUSED void use_a(int me)
{
	if (me == 0)
		stay_as("holds_A", team);
	use();
	KEEP_FRAME();
}

static NOINLINE UNUSED int come(void)
{
	int me = in_turn();
	if (me)
		tell("waits_A");
	return me;
}

/* Where threads are stuck for good the one that is not ends the program. */
static NOINLINE UNUSED void stay_and_end_it(const char *what)
{
	stay_as(what, team);
	_exit(0);
}

#endif
