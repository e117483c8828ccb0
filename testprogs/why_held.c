/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * why_held SCENARIO [TEAM]: one thread has what others want, and reads; or will never give it back.
 */
#include <pthread.h>
#include <sys/wait.h>

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

/* In the first of several rounds. */
static NOINLINE void critical_reads(void)
{
#pragma omp for schedule(static)
	for (int i = 0; i < 4 * team; i++) {
		if (i == 4) {
			wait_for_arrivals(1);
			tell("waits");
		}
#pragma omp critical(ledger) /* MARK: wants to read */
		{
			if (i == 0)
				read_stdin(team); /* MARK: critical, calls read */
			work();
		}
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

static NOINLINE int takes(int thread)
{
	return takes_left[thread];
}

static NOINLINE void one_of_two(void)
{
	int me = omp_get_thread_num();

	if (me > 1) {
		wait_for_arrivals(2);
		tell("waits");
	}
	if (takes(me))
		omp_set_lock(&left); /* MARK: taken by some */
	if (me == 0)
		read_stdin(team); /* MARK: one of two, calls read */
	if (me == 1)
		read_too();
	if (takes(me))
		omp_unset_lock(&left);
	KEEP_FRAME();
}

/* Thread 1 has had it and given it back; thread 0 keeps it over a barrier to which the others do
 * not get. */
static NOINLINE void kept_over_barriers(void)
{
	const int me = omp_get_thread_num();

	if (me > 1) {
		wait_for_arrivals(2);
		tell("waits");
	}
	if (me == 0) {
		wait_for_arrivals(1);
		tell("holds");
		omp_set_lock(&left);
	}
	for (int i = 0; i < 8; i++) {
		if (me != 0) {
			omp_set_lock(&left); /* MARK: in each round */
			work();
			omp_unset_lock(&left);
		}
		if (me == 1)
			tell("waits");
#pragma omp barrier /* MARK: kept, barrier */
	}
	if (me == 0)
		omp_unset_lock(&left);
	KEEP_FRAME();
}

/* ------------------------------------------------------------------------ left behind */

static NOINLINE int look_up(int key)
{
	omp_set_lock(&left); /* MARK: looked up */
	if (key == 3)
		return -1;
	work();
	omp_unset_lock(&left);
	KEEP_FRAME();
	return key;
}

/* Thread 1 waits for what it has left behind; the others have done nothing of the sort. */
static NOINLINE void own_leak(void)
{
	const int me = omp_get_thread_num();

	tell("waits");
	for (int key = 0; key < 5; key++) {
		if (me == 1)
			look_up(key);
	}
#pragma omp barrier /* MARK: own leak, barrier */
	if (me == 2)
		look_up(7);
	KEEP_FRAME();
}

static NOINLINE int is_thread(int n)
{
	return omp_get_thread_num() == n;
}

/* Which of them has it, the code does not tell; both want it. */
static NOINLINE void one_of_both(void)
{
	tell("waits");
	if (is_thread(1)) {
		omp_set_lock(&left); /* MARK: kept by one */
		if (is_thread(1))
			goto out;
		omp_unset_lock(&left);
	}
out:;
#pragma omp barrier
	omp_set_lock(&left); /* MARK: wanted by both */
	work();
	omp_unset_lock(&left);
	KEEP_FRAME();
}

static omp_lock_t rows[4];
static volatile int wanted_row = 2;

static NOINLINE int find_row(omp_lock_t *from)
{
	for (int i = 0; i < 4; i++) {
		omp_set_lock(&from[i]); /* MARK: row taken */
		if (i == wanted_row)
			return i;
		omp_unset_lock(&from[i]);
	}
	KEEP_FRAME();
	return -1;
}

/* Thread 0 has left the region's code, and a row behind. */
static NOINLINE void left_by_other(void)
{
#pragma omp for schedule(static) nowait
	for (int i = 0; i < 2; i++) {
		if (omp_get_thread_num() == 1) {
			wait_for_arrivals(1);
			tell("waits");
		}
		find_row(rows);
		if (omp_get_thread_num() == 0)
			tell("left");
	}
	KEEP_FRAME();
}

static struct shelf {
	omp_lock_t lock;
	int number;
} shelves[3];
static volatile int next_shelf;

static NOINLINE struct shelf *take_shelf(void)
{
	return next_shelf < 3 ? &shelves[next_shelf++] : NULL;
}

static NOINLINE void pass(struct shelf *s)
{
	omp_set_lock(&s->lock); /* MARK: shelf taken */
	if (s->number == wanted_row)
		return;
	omp_unset_lock(&s->lock);
	KEEP_FRAME();
}

/* Which of them it has kept, if any, nothing tells any more. */
static NOINLINE void some_shelf(void)
{
	if (omp_get_thread_num() == 0) {
		for (struct shelf *s = take_shelf(); s; s = take_shelf())
			pass(s);
		tell("waits");
	} else {
		wait_for_arrivals(1);
		tell("waits");
		omp_set_lock(&shelves[2].lock); /* MARK: wants a shelf */
		work();
		omp_unset_lock(&shelves[2].lock);
	}
#pragma omp barrier /* MARK: behind the shelves */
	KEEP_FRAME();
}

/* The child of a fork() has one of the threads: not the one that has what it wants. */
static NOINLINE void fork_in_region(void)
{
	if (omp_get_thread_num() == 1) {
		omp_set_lock(&left);
		stay_as("holds", 1);
		omp_unset_lock(&left);
	} else {
		wait_for_arrivals(1);
		pid_t child = fork();
		if (child == 0) {
			die_with_parent();
			omp_set_lock(&left); /* MARK: wanted after fork */
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
	KEEP_FRAME();
}

static NOINLINE void forked(void)
{
	look_up(1);
	in_team(fork_in_region);
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
	SCENARIO(critical_reads),
	SCENARIO(tested),
	SCENARIO(given_back),
	SCENARIO(one_of_two),
	SCENARIO(kept_over_barriers),
	SCENARIO(own_leak),
	SCENARIO(one_of_both),
	SCENARIO(left_by_other),
	SCENARIO(some_shelf),
	SCENARIO(forked),
	SCENARIO(early_return),
	SCENARIO(next_region),
	SCENARIO(thread_ended),
	SCENARIO(destroyed),
	{ NULL, NULL },
};

int main(int argc, char **argv)
{
	void (*run)(void) = scenario_of(scenarios, argc, argv);
	omp_init_lock(&left);
	omp_init_nest_lock(&nested);
	for (int i = 0; i < 4; i++)
		omp_init_lock(&rows[i]);
	for (int i = 0; i < 3; i++) {
		omp_init_lock(&shelves[i].lock);
		shelves[i].number = i;
	}
	if (run == forked || run == next_region || run == thread_ended)
		run(); /* MARK: run alone */
	else
		in_team(run); /* MARK: run */
	return 0;
}
