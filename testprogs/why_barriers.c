/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * why_barriers SCENARIO [TEAM]: not all threads of a team get to a barrier. Where the missing ones
 * are instead makes the difference.
 */
#include "testprog_why.h"

static omp_lock_t ledger;

static NOINLINE void skips(void)
{
	tell("waits");
	if (omp_get_thread_num() != 3) {
#pragma omp barrier /* MARK: skips */
		KEEP_FRAME();
	}
}

static NOINLINE void primary_skips(void)
{
	tell("waits");
	if (omp_get_thread_num() != 0) {
#pragma omp barrier /* MARK: primary skips */
		KEEP_FRAME();
	}
}

static NOINLINE int is_in_vain(int thread)
{
	return thread == 2;
}

static NOINLINE void returns_early(void)
{
	tell("waits");
	if (is_in_vain(omp_get_thread_num()))
		return;
#pragma omp barrier /* MARK: returns early */
	KEEP_FRAME();
}

/* As the last statement the barrier is a jump: optimised, no frame is left of the function. */
static NOINLINE void ends_with_barrier(void)
{
	tell("waits");
	if (is_in_vain(omp_get_thread_num()))
		return;
#pragma omp barrier /* MARK: ends with barrier */
}

static NOINLINE void calls_last(void)
{
	ends_with_barrier();
	KEEP_FRAME();
}

/* The same with two of them, and the region's code jumps, too: only the functions are known. */
static NOINLINE void ends_with_either(void)
{
	if (is_in_vain(omp_get_thread_num())) {
		tell("waits");
		return;
	}
	if (omp_get_thread_num() == 1) {
		tell("waits");
#pragma omp barrier /* MARK: one of two ends */
	} else {
		tell("waits");
#pragma omp barrier /* MARK: other of two ends */
	}
}

static NOINLINE void one_call(void)
{
#pragma omp parallel num_threads(team) /* MARK: region of one call */
	ends_with_either();
	KEEP_FRAME();
}

/* Only the call of the region tells which code it has: all have jumped out of that. */
static NOINLINE void meets_alone(void)
{
#pragma omp parallel num_threads(team) /* MARK: region of one barrier */
	{
		tell("waits");
		if (omp_get_thread_num() == 2) {
#pragma omp barrier /* MARK: barrier of one */
		}
	}
	KEEP_FRAME();
}

static NOINLINE void too_few_rounds(void)
{
	int rounds = omp_get_thread_num() == 1 ? 2 : 3;
	tell("waits");
	for (int i = 0; i < rounds; i++) {
#pragma omp barrier /* MARK: round */
		KEEP_FRAME();
	}
}

/* The barriers of both branches are one to the runtime; only their number counts. */
static NOINLINE void two_branches(void)
{
	tell("waits");
	if (omp_get_thread_num() < 2) {
#pragma omp barrier /* MARK: first of two */
		KEEP_FRAME();
#pragma omp barrier /* MARK: second of two */
		KEEP_FRAME();
	} else {
#pragma omp barrier /* MARK: only one */
		KEEP_FRAME();
	}
}

static NOINLINE void reads(void)
{
	if (omp_get_thread_num() == 3)
		read_stdin(team); /* MARK: calls read */
	else
		tell("waits");
#pragma omp barrier /* MARK: reads barrier */
	KEEP_FRAME();
}

static NOINLINE void compute_for_ever(void)
{
	static volatile unsigned int steps;
	for (steps = 1; steps != 0; steps |= 1) /* MARK: compute */
		;
}

static NOINLINE void computes(void)
{
	if (omp_get_thread_num() == 3) {
		tell("calls");
		ready_when_others_are_stuck(team);
		compute_for_ever(); /* MARK: calls compute */
	} else {
		tell("waits");
	}
#pragma omp barrier /* MARK: computes barrier */
	KEEP_FRAME();
}

static NOINLINE void inner_work(void)
{
	tell("waits");
	if (omp_get_thread_num() == 0) {
#pragma omp barrier /* MARK: inner barrier */
		KEEP_FRAME();
	}
}

static NOINLINE void nested(void)
{
	if (omp_get_thread_num() == 0) {
		tell("waits");
		return;
	}
#pragma omp parallel num_threads(2) /* MARK: inner region */
	{
		inner_work();
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

/* Compilers refuse a barrier in a critical construct unless it is in another function. */
static NOINLINE void meet(void)
{
#pragma omp barrier /* MARK: barrier in critical */
	KEEP_FRAME();
}

static NOINLINE void in_critical(void)
{
	if (omp_get_thread_num() != 0) {
		wait_for_arrivals(1);
		tell("waits");
	}
#pragma omp critical(turnstile) /* MARK: critical */
	{
		if (omp_get_thread_num() == 0)
			tell("waits");
		meet(); /* MARK: calls meet */
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

/* One that is missing waits for a lock, whose holder reads. */
static NOINLINE void chain(void)
{
	int number = omp_get_thread_num();
	if (number != 1)
		wait_for_arrivals(1);
	if (number == 1) {
		omp_set_lock(&ledger);
		read_stdin(team); /* MARK: chain, calls read */
		omp_unset_lock(&ledger);
	} else if (number == 3) {
		tell("waits");
		omp_set_lock(&ledger); /* MARK: chain, lock */
		omp_unset_lock(&ledger);
	} else {
		tell("waits");
	}
#pragma omp barrier /* MARK: chain, barrier */
	KEEP_FRAME();
}

static const struct scenario scenarios[] = {
	SCENARIO(skips),          SCENARIO(primary_skips), SCENARIO(returns_early),
	SCENARIO(too_few_rounds), SCENARIO(two_branches),  SCENARIO(reads),
	SCENARIO(computes),       SCENARIO(nested),        SCENARIO(in_critical),
	SCENARIO(chain),          SCENARIO(one_call),      SCENARIO(calls_last),
	SCENARIO(meets_alone),    { NULL, NULL },
};

int main(int argc, char **argv)
{
	team = 4;
	void (*run)(void) = scenario_of(scenarios, argc, argv);
	omp_set_max_active_levels(2);
	omp_init_lock(&ledger);
	if (run == one_call || run == meets_alone)
		run();
	else
		in_team(run); /* MARK: run */
	return 0;
}
