/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * why_worksharing SCENARIO [TEAM]: not all threads of a team get to a worksharing construct, and
 * turns in loops that do not come.
 */
#include "testprog_why.h"

static int done;
static omp_lock_t ledger;

static NOINLINE void work_on(int i)
{
	__atomic_add_fetch(&done, i, __ATOMIC_SEQ_CST);
	KEEP_FRAME();
}

/* Thread 3 goes round the construct. */
static NOINLINE int takes_part(void)
{
	tell("waits");
	return omp_get_thread_num() != 3;
}

static NOINLINE void for_dynamic(void)
{
	if (takes_part()) {
#pragma omp for schedule(dynamic, 1) /* MARK: for dynamic */
		for (int i = 0; i < 8; i++)
			work_on(i);
		KEEP_FRAME();
	}
}

static NOINLINE void for_static(void)
{
	if (takes_part()) {
#pragma omp for schedule(static) /* MARK: for static */
		for (int i = 0; i < 8; i++)
			work_on(i);
		KEEP_FRAME();
	}
}

static NOINLINE void sections(void)
{
	if (takes_part()) {
#pragma omp sections /* MARK: sections */
		{
#pragma omp section
			work_on(1);
#pragma omp section
			work_on(2);
		}
		KEEP_FRAME();
	}
}

static NOINLINE void single(void)
{
	if (takes_part()) {
#pragma omp single /* MARK: single */
		{
			work_on(1);
			KEEP_FRAME();
		}
		KEEP_FRAME();
	}
}

/* The first thread has the value before the others ask for it. */
static NOINLINE void copyprivate(void)
{
	int value = 0;
	if (omp_get_thread_num() != 0) {
		wait_for_arrivals(1);
		if (!takes_part())
			return;
	}
#pragma omp single copyprivate(value) /* MARK: copyprivate */
	{
		tell("waits");
		value = 1;
	} /* MARK: end of copyprivate */
	work_on(value);
	KEEP_FRAME();
}

static NOINLINE void reduction(void)
{
	static int sum;
	if (takes_part()) {
#pragma omp for reduction(+ : sum) /* MARK: reduction */
		for (int i = 0; i < 8; i++)
			sum += i;
		KEEP_FRAME();
	}
}

static NOINLINE void rows(int n)
{
#pragma omp for schedule(dynamic, 1) /* MARK: rows */
	for (int i = 0; i < n; i++)
		work_on(i);
	KEEP_FRAME();
}

/* Thread 3 does the loop twice, the others once. */
static NOINLINE void once_more(void)
{
	tell("waits");
	rows(8);
	if (omp_get_thread_num() == 3)
		rows(16); /* MARK: rows again */
	KEEP_FRAME();
}

/* The first thread is in an iteration before the others begin. */
static NOINLINE void reads_in_for(void)
{
	if (omp_get_thread_num() != 0) {
		wait_for_arrivals(1);
		tell("waits");
	}
#pragma omp for schedule(dynamic, 1) /* MARK: reads in for */
	for (int i = 0; i < 8; i++) {
		if (omp_get_thread_num() == 0)
			read_stdin(team); /* MARK: reads in iteration */
		work_on(i);
	}
	KEEP_FRAME();
}

/* ------------------------------------------------------------------------ turns */

static NOINLINE void ordered_reads(void)
{
#pragma omp for ordered schedule(static, 1)
	for (int i = 0; i < team; i++) {
		if (i == 0)
			read_stdin(team); /* MARK: ordered, calls read */
		else
			tell("waits");
#pragma omp ordered /* MARK: ordered reads */
		work_on(i);
	}
	KEEP_FRAME();
}

/* Thread 0, whose turn it is, goes round the loop. */
static NOINLINE void ordered_skips(void)
{
	tell("waits");
	if (omp_get_thread_num() == 0)
		return;
#pragma omp for ordered schedule(static, 1)
	for (int i = 0; i < team; i++) {
#pragma omp ordered /* MARK: ordered skips */
		work_on(i);
	}
	KEEP_FRAME();
}

/* Thread 1 waits for its turn with the lock that thread 0 wants before its own. */
static NOINLINE void ordered_lock(void)
{
#pragma omp for ordered schedule(static, 1)
	for (int i = 0; i < 2; i++) {
		if (i == 0)
			wait_for_arrivals(1);
		else
			omp_set_lock(&ledger);
		tell("waits");
		if (i == 0)
			omp_set_lock(&ledger); /* MARK: lock before the turn */
#pragma omp ordered                            /* MARK: turn with the lock */
		work_on(i);
		omp_unset_lock(&ledger);
	}
	KEEP_FRAME();
}

static NOINLINE void meet(void)
{
#pragma omp barrier /* MARK: meet */
	KEEP_FRAME();
}

/* Thread 0 waits before its turn for the others, which wait for theirs. */
static NOINLINE void ordered_barrier(void)
{
#pragma omp for ordered schedule(static, 1)
	for (int i = 0; i < team; i++) {
		tell("waits");
		if (i == 0)
			meet();
#pragma omp ordered /* MARK: ordered barrier */
		work_on(i);
	}
	KEEP_FRAME();
}

/* Iteration 0 is done without saying so. */
static NOINLINE void doacross(void)
{
#pragma omp for ordered(1) schedule(static, 1) /* MARK: doacross loop */
	for (int i = 0; i < team; i++) {
		tell("waits");
#pragma omp ordered depend(sink : i - 1) /* MARK: doacross */
		work_on(i);
		if (i != 0) {
#pragma omp ordered depend(source)
		}
	}
	KEEP_FRAME();
}

/* The one that is to post reads before. */
static NOINLINE void doacross_reads(void)
{
#pragma omp for ordered(1) schedule(static, 1)
	for (int i = 0; i < team; i++) {
		if (i != 0)
			tell("waits");
#pragma omp ordered depend(sink : i - 1) /* MARK: doacross reads */
		if (i == 0)
			read_stdin(team); /* MARK: doacross, calls read */
#pragma omp ordered depend(source)
	}
	KEEP_FRAME();
}

static const struct scenario scenarios[] = {
	SCENARIO(for_dynamic),   SCENARIO(for_static),     SCENARIO(sections),
	SCENARIO(single),        SCENARIO(copyprivate),    SCENARIO(reduction),
	SCENARIO(once_more),     SCENARIO(reads_in_for),   SCENARIO(ordered_reads),
	SCENARIO(ordered_skips), SCENARIO(ordered_lock),   SCENARIO(ordered_barrier),
	SCENARIO(doacross),      SCENARIO(doacross_reads), { NULL, NULL },
};

int main(int argc, char **argv)
{
	team = 4;
	void (*run)(void) = scenario_of(scenarios, argc, argv);
	omp_init_lock(&ledger);
	in_team(run); /* MARK: run */
	return 0;
}
