/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the programs that hang have in common: NAME SCENARIO [TEAM].
 *
 * Each thread tells the truth before it gets stuck. Where all of them do nobody can say "ready":
 * who looks waits until all have told and sleep, or spin on.
 */
#ifndef TESTPROG_WHY_H
#define TESTPROG_WHY_H

#include "testprog_omp.h"

/* Says "ready" when so many have told, this thread among them, and all others are stuck. */
static inline void ready_when_others_are_stuck(int total)
{
	wait_for_arrivals(total);
	wait_until_others_are_settled();
	ready();
}

/* Tells, and reads stdin until it ends. */
static NOINLINE UNUSED void read_stdin(int total)
{
	char c;
	tell("reads");
	ready_when_others_are_stuck(total);
	if (read(0, &c, 1) != 0) /* MARK: read */
		FAIL("reading stdin was interrupted");
	KEEP_FRAME();
}

#endif
