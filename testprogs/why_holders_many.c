/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * why_holders_many SCENARIO: critical constructs, tasks, regions within regions, several locks at a
 * time, and threads that wait for each other.
 */
#include "why_holders.h"

enum { NODES = 4 };
static omp_lock_t lock_a, lock_b, nodes[NODES];
static int tickets;

/* ---- critical constructs -------------------------------------------------------------------- */

static NOINLINE void unnamed(void)
{
	int me = come();
#pragma omp critical
	{
		use_a(me);
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

static NOINLINE void named(void)
{
	int me = come();
#pragma omp critical(ledger)
	{
		use_a(me);
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

static NOINLINE void inner_critical(int me)
{
#pragma omp critical(inner)
	{
		use_a(me);
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

static NOINLINE void outer_critical(int stays)
{
#pragma omp critical(outer)
	{
		use();
#pragma omp critical(inner)
		{
			if (stays)
				stay_as("holds_AB", team);
			KEEP_FRAME();
		}
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

/* One holds both, one waits for each. */
static NOINLINE void nested_names(void)
{
	int me = in_turn();
	if (me == 1) {
		tell("waits_A");
		inner_critical(me);
	} else {
		if (me)
			tell("waits_B");
		outer_critical(me == 0);
	}
	KEEP_FRAME();
}

/* The construct is in functions that know nothing of the region. */
static NOINLINE void orphan_stays(void)
{
#pragma omp critical(orphan)
	{
		stay_as("holds_A", team);
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

static NOINLINE void orphan_comes(void)
{
#pragma omp critical(orphan)
	{
		use();
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

static NOINLINE void orphaned(void)
{
	if (come() == 0)
		orphan_stays();
	else
		orphan_comes();
	KEEP_FRAME();
}

static NOINLINE void critical_in_loop(void)
{
	int me = come();
	for (int i = 0; i < 8; i++) {
		if (i < 3)
			continue;
#pragma omp critical(ledger)
		{
			uses += i;
			if (i == 5 || me)
				use_a(me);
			KEEP_FRAME();
		}
		if (i > 5)
			break;
	}
	KEEP_FRAME();
}

static NOINLINE void critical_in_for(void)
{
#pragma omp for schedule(static, 1)
	for (int i = 0; i < team; i++) {
		int me = come();
#pragma omp critical
		{
			use_a(me);
			KEEP_FRAME();
		}
	}
	KEEP_FRAME();
}

static NOINLINE void left_before(void)
{
	int me = in_turn();
	if (me < 2) {
#pragma omp critical(first)
		{
			use();
			KEEP_FRAME();
		}
		if (me == 0)
			stay_as("stays", team);
	} else {
		tell("waits_A");
	}
#pragma omp critical(second)
	{
		use_a(me - 1);
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

/* ---- tasks and regions ---------------------------------------------------------------------- */

static NOINLINE void task_body(void)
{
	int me = __atomic_fetch_add(&tickets, 1, __ATOMIC_SEQ_CST);
	wait_for_arrivals(me);
	if (me)
		tell("waits_A");
#pragma omp critical(of_tasks)
	{
		use_a(me);
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

/* Each thread has one that it begins by itself: LLVM's runtime wakes nobody for another one's. */
static NOINLINE void in_task(void)
{
#pragma omp task
	{
		task_body();
		KEEP_FRAME();
	}
#pragma omp barrier
	KEEP_FRAME();
}

static NOINLINE void lock_in_task(void)
{
#pragma omp task
	{
		int me = __atomic_fetch_add(&tickets, 1, __ATOMIC_SEQ_CST);
		wait_for_arrivals(me);
		if (me)
			tell("waits_A");
		omp_set_lock(&nodes[1]);
		use_a(me);
		omp_unset_lock(&nodes[1]);
		KEEP_FRAME();
	}
#pragma omp barrier
	KEEP_FRAME();
}

static NOINLINE void before_region(void)
{
	omp_set_lock(&lock_a);
#pragma omp parallel num_threads(team)
	{
		int me = come();
		if (me == 0) {
			stay_as("holds_A", team);
			omp_unset_lock(&lock_a);
		} else {
			omp_set_lock(&lock_a);
			omp_unset_lock(&lock_a);
		}
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

static NOINLINE void nested_region(void)
{
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 0)
			stay_as("holds_A", team + 1);
		else
			stay_as("stays", team + 1);
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

static NOINLINE void over_region(void)
{
	int me = come();
	omp_set_lock(&lock_a);
	if (me == 0)
		nested_region();
	omp_unset_lock(&lock_a);
	KEEP_FRAME();
}

/* ---- several locks -------------------------------------------------------------------------- */

static NOINLINE void take_both(void)
{
	omp_set_lock(&lock_a);
	omp_set_lock(&lock_b);
	stay_as("holds_AB", team);
	omp_unset_lock(&lock_b);
	omp_unset_lock(&lock_a);
	KEEP_FRAME();
}

static NOINLINE void take(omp_lock_t *lock)
{
	omp_set_lock(lock);
	use();
	omp_unset_lock(lock);
	KEEP_FRAME();
}

static NOINLINE void two_at_once(void)
{
	int me = in_turn();
	if (me == 0) {
		take_both();
	} else {
		tell(me == 1 ? "waits_A" : "waits_B");
		take(me == 1 ? &lock_a : &lock_b);
	}
	KEEP_FRAME();
}

/* To node 2, which the first has: one node is taken before the one before it is given back. */
static NOINLINE void walk(int me, int last)
{
	static const char *const what[] = { "holds_C", "holds_B_waits_C", "holds_A_waits_B" };
	omp_set_lock(&nodes[0]);
	for (int i = 1; i <= last; i++) {
		if (i == last && me)
			tell(what[me]);
		omp_set_lock(&nodes[i]);
		omp_unset_lock(&nodes[i - 1]);
		if (i == 2 && me == 0)
			stay_as(what[me], team);
	}
	omp_unset_lock(&nodes[last]);
	KEEP_FRAME();
}

static NOINLINE void hand_over_hand(void)
{
	int me = in_turn();
	walk(me, me == 2 ? 1 : 2);
	KEEP_FRAME();
}

static NOINLINE void lock_in_critical(void)
{
	int me = in_turn();
	if (me == 1) {
		tell("waits_B");
		take(&lock_b);
	} else {
		if (me)
			tell("waits_A");
#pragma omp critical(ledger)
		{
			omp_set_lock(&lock_b);
			if (me == 0)
				stay_as("holds_AB", team);
			omp_unset_lock(&lock_b);
		}
	}
	KEEP_FRAME();
}

static NOINLINE void give_and_stay(omp_lock_t *lock)
{
	omp_unset_lock(lock);
	stay_as("stays", team);
	omp_set_lock(lock);
	KEEP_FRAME();
}

/* Thread 0 has given back in a function what its caller took, thread 1 has it now. */
static NOINLINE void given_back_deeper(void)
{
	int me = in_turn();
	if (me > 1)
		tell("waits_A");
	omp_set_lock(&lock_a);
	if (me == 0)
		give_and_stay(&lock_a);
	else if (me == 1)
		stay_as("holds_A", team);
	omp_unset_lock(&lock_a);
	KEEP_FRAME();
}

/* ---- for good ------------------------------------------------------------------------------- */

static NOINLINE void take_again(void)
{
	tell("holds_A_waits_A");
	omp_set_lock(&lock_a);
	omp_unset_lock(&lock_a);
	KEEP_FRAME();
}

static NOINLINE void self(void)
{
	int me = in_turn();
	if (me == 1)
		stay_and_end_it("stays");
	if (me == 2)
		tell("waits_A");
	omp_set_lock(&lock_a);
	if (me == 0)
		take_again();
	omp_unset_lock(&lock_a);
	KEEP_FRAME();
}

static NOINLINE void take_two(omp_lock_t *first, omp_lock_t *second, const char *what)
{
	static int took;
	omp_set_lock(first);
	__atomic_add_fetch(&took, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&took, __ATOMIC_SEQ_CST) < 2)
		sched_yield();
	tell(what);
	omp_set_lock(second);
	omp_unset_lock(second);
	omp_unset_lock(first);
	KEEP_FRAME();
}

static NOINLINE void cycle(void)
{
	int me = omp_get_thread_num();
	if (me == 0)
		take_two(&lock_a, &lock_b, "holds_A_waits_B");
	else if (me == 1)
		take_two(&lock_b, &lock_a, "holds_B_waits_A");
	else
		stay_and_end_it("stays");
	KEEP_FRAME();
}

static NOINLINE void forget(int early)
{
	omp_set_lock(&lock_a);
	if (early)
		return;
	omp_unset_lock(&lock_a);
	KEEP_FRAME();
}

/* Thread 0 has returned from there, and has it still. */
static NOINLINE void forgotten(void)
{
	int me = in_turn();
	if (me)
		tell("waits_A");
	forget(me == 0);
	stay_and_end_it("holds_A");
	KEEP_FRAME();
}

static NOINLINE void take_second(int early)
{
#pragma omp critical(ledger)
	{
		omp_set_lock(&lock_b);
		if (!early)
			omp_unset_lock(&lock_b);
		KEEP_FRAME();
	}
}

/* So has it here, where thread 1 holds something else. */
static NOINLINE void forgotten_beside(void)
{
	int me = in_turn();
	if (me == 0) {
		take_second(1);
		stay_and_end_it("holds_A");
	} else if (me == 1) {
		omp_set_lock(&lock_a);
		stay_as("holds_B", team);
	} else {
		tell("waits_A");
		take_second(0);
	}
	KEEP_FRAME();
}

static NOINLINE void lose(void)
{
#pragma omp parallel num_threads(team)
	{
		if (omp_get_thread_num() == 1)
			forget(1);
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

/* What was forgotten in a region that is over is held by nobody that could be seen. */
static NOINLINE void lost(void)
{
	lose();
#pragma omp parallel num_threads(team)
	{
		if (in_turn() == 0)
			stay_and_end_it("stays");
		tell("waits_A");
		forget(0);
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

/* Compilers find out that it never returns, and put other code behind a call of it. */
static NOINLINE void give_up(int code)
{
	KEEP_FRAME();
	if (code == 1)
		abort();
	exit(code);
}

static NOINLINE void take_or_give_up(void)
{
	if (uses < 0) {
		omp_set_lock(&lock_a);
		give_up(uses);
	}
	do {
		omp_set_lock(&lock_a);
		use();
		omp_unset_lock(&lock_a);
	} while (uses < 0);
	KEEP_FRAME();
}

/* Who would have given up with the lock has not taken it. */
static NOINLINE void lost_or_given_up(void)
{
	lose();
#pragma omp parallel num_threads(team)
	{
		if (in_turn() < 2)
			stay_and_end_it("stays");
		tell("waits_A");
		take_or_give_up();
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

static const struct scenario workers[] = {
	SCENARIO(unnamed),
	SCENARIO(named),
	SCENARIO(nested_names),

	SCENARIO(orphaned),
	SCENARIO(critical_in_loop),
	SCENARIO(critical_in_for),
	SCENARIO(left_before),
	SCENARIO(in_task),
	SCENARIO(lock_in_task),
	SCENARIO(over_region),
	SCENARIO(two_at_once),
	SCENARIO(hand_over_hand),
	SCENARIO(lock_in_critical),
	SCENARIO(given_back_deeper),
	SCENARIO(forgotten),
	SCENARIO(forgotten_beside),
	SCENARIO(self),
	SCENARIO(cycle),
	{ NULL, NULL },
};
static const struct scenario alone[] = {
	SCENARIO(before_region),
	SCENARIO(lost),
	SCENARIO(lost_or_given_up),
	{ NULL, NULL },
};

int main(int argc, char **argv)
{
	team = 3;
	omp_set_max_active_levels(2);
	for (int i = 0; i < NODES; i++)
		omp_init_lock(&nodes[i]);
	omp_init_lock(&lock_a);
	omp_init_lock(&lock_b);
	if (argc > 1 && (strcmp(argv[1], "before_region") == 0 || strncmp(argv[1], "lost", 4) == 0))
		scenario_of(alone, argc, argv)();
	else
		in_team(scenario_of(workers, argc, argv));
	return 0;
}
