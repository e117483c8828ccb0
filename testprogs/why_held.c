/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * why_held SCENARIO [TEAM]: one thread has what others want, and reads; or will never give it back.
 */
#include <pthread.h>

#include "testprog_why.h"

static int done;
static omp_lock_t left;
static omp_nest_lock_t nested;

static NOINLINE void work(void)
{
	__atomic_add_fetch(&done, 1, __ATOMIC_SEQ_CST);
	KEEP_FRAME();
}

static NOINLINE void want_left(void)
{
	tell("waits");
	omp_set_lock(&left); /* MARK: want left */
	work();
	omp_unset_lock(&left);
	KEEP_FRAME();
}

/* ------------------------------------------------------------------------ one reads */

static NOINLINE void critical_reads(void)
{
	if (omp_get_thread_num() != 0) {
		wait_for_arrivals(1);
		tell("waits");
	}
#pragma omp critical(ledger) /* MARK: wants to read */
	{
		if (omp_get_thread_num() == 0)
			read_stdin(team); /* MARK: critical, calls read */
		work();
	}
	KEEP_FRAME();
}

static NOINLINE void tested(void)
{
	if (omp_get_thread_num() == 0) {
		if (!omp_test_lock(&left))
			FAIL("a lock that nobody has is not free");
		read_stdin(team); /* MARK: tested, calls read */
		omp_unset_lock(&left);
	} else {
		wait_for_arrivals(1);
		want_left();
	}
	KEEP_FRAME();
}

/* Thread 2 has had it and has given it back. */
static NOINLINE void given_back(void)
{
	if (omp_get_thread_num() == 2) {
		omp_set_lock(&left);
		work();
		omp_unset_lock(&left);
		tell("waits");
	} else if (omp_get_thread_num() == 0) {
		wait_for_arrivals(1);
		omp_set_lock(&left);
		read_stdin(team); /* MARK: given back, calls read */
		omp_unset_lock(&left);
	} else {
		wait_for_arrivals(2);
		want_left();
	}
#pragma omp barrier /* MARK: given back, barrier */
	KEEP_FRAME();
}

static NOINLINE void read_too(void)
{
	char c;

	tell("reads");
	if (read(0, &c, 1) != 0)
		FAIL("reading stdin was interrupted");
	KEEP_FRAME();
}

/* Which threads take it, the code does not tell: thread 1 does the same without it. */
static volatile int takes_left[] = { 1, 0, 1, 1 };

static NOINLINE void one_of_two(void)
{
	int me = omp_get_thread_num();

	if (me > 1) {
		wait_for_arrivals(2);
		tell("waits");
	}
	if (takes_left[me])
		omp_set_lock(&left); /* MARK: taken by some */
	if (me == 0)
		read_stdin(team); /* MARK: one of two, calls read */
	if (me == 1)
		read_too();
	if (takes_left[me])
		omp_unset_lock(&left);
	KEEP_FRAME();
}

/* ------------------------------------------------------------------------ lost */

static NOINLINE int is_in_vain(int thread)
{
	return thread == 1;
}

/* It returns with the lock, which only its caller's code tells. */
static NOINLINE void take_and_forget(omp_lock_t *lock)
{
	omp_set_lock(lock); /* MARK: forgotten */
	for (int i = 0; i < 3; i++) {
		if (is_in_vain(omp_get_thread_num()))
			return;
	}
	omp_unset_lock(lock);
	KEEP_FRAME();
}

static NOINLINE void early_return(void)
{
	if (omp_get_thread_num() == 1) {
		take_and_forget(&left); /* MARK: calls forget */
		tell("waits");
	} else {
		wait_for_arrivals(1);
		want_left();
	}
	KEEP_FRAME();
}

static NOINLINE void forget_in_thread_3(void)
{
	if (omp_get_thread_num() == 3) {
		omp_set_lock(&left); /* MARK: forgotten in region */
		tell("left");
	}
	KEEP_FRAME();
}

/* The thread that has it is idle, and not in the region of those that want it. */
static NOINLINE void next_region(void)
{
	team = 4;
	in_team(forget_in_thread_3);
	team = 2;
	in_team(want_left);
	KEEP_FRAME();
}

static void *take_and_end(void *unused)
{
	omp_set_nest_lock(&nested); /* MARK: taken for ever */
	return unused;
}

static NOINLINE void use_nested(void)
{
	tell("waits");
	omp_set_nest_lock(&nested); /* MARK: use nested */
	work();
	omp_unset_nest_lock(&nested);
	KEEP_FRAME();
}

/* The workers are there before that thread, or libomp would give one of them its number. */
static NOINLINE void thread_ended(void)
{
	pthread_t thread;
	in_team(work);
	if (pthread_create(&thread, NULL, take_and_end, NULL) != 0)
		FAIL("no thread");
	pthread_join(thread, NULL);
	in_team(use_nested);
	KEEP_FRAME();
}

static NOINLINE void destroyed(void)
{
	if (omp_get_thread_num() == 0) {
		omp_set_lock(&left); /* MARK: taken and destroyed */
		tell("holds");
		wait_for_arrivals(2);
		wait_until_others_are_settled();
		omp_destroy_lock(&left);
		tell("waits");
	} else {
		wait_for_arrivals(1);
		want_left();
	}
	KEEP_FRAME();
}

static const struct scenario scenarios[] = {
	SCENARIO(critical_reads), SCENARIO(tested),       SCENARIO(given_back),
	SCENARIO(one_of_two),     SCENARIO(early_return), SCENARIO(next_region),
	SCENARIO(thread_ended),   SCENARIO(destroyed),    { NULL, NULL },
};

int main(int argc, char **argv)
{
	void (*run)(void) = scenario_of(scenarios, argc, argv);
	omp_init_lock(&left);
	omp_init_nest_lock(&nested);
	if (run == next_region || run == thread_ended)
		run(); /* MARK: run alone */
	else
		in_team(run); /* MARK: run */
	return 0;
}
