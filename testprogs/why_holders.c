/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * why_holders SCENARIO: locks of all sorts, taken and given back in all the ways in which programs
 * do that.
 */
#include "why_holders.h"

struct account {
	long sum;
	omp_lock_t lock;
};

enum { LOCKS = 8 };
static omp_lock_t lock_a, lock_b, locks[LOCKS];
static omp_nest_lock_t nest;
static struct account account;

/* ---- which lock ----------------------------------------------------------------------------- */

static NOINLINE void global(void)
{
	int me = come();
	omp_set_lock(&lock_a);
	use_a(me);
	omp_unset_lock(&lock_a);
	KEEP_FRAME();
}

static NOINLINE void add_to(struct account *to)
{
	int me = come();
	omp_set_lock(&to->lock);
	use_a(me);
	to->sum++;
	omp_unset_lock(&to->lock);
	KEEP_FRAME();
}

static NOINLINE void in_struct(void)
{
	add_to(&account);
	KEEP_FRAME();
}

/* Each has its own, and comes for the first one's. */
static NOINLINE void array_element(void)
{
	int me = in_turn();
	omp_set_lock(&locks[me]);
	if (me == 0)
		stay_as("holds_A", team);
	if (me > 0) {
		tell(me == 1 ? "holds_B_waits_A" : "holds_C_waits_A");
		omp_set_lock(&locks[0]);
		use();
		omp_unset_lock(&locks[0]);
	}
	omp_unset_lock(&locks[me]);
	KEEP_FRAME();
}

static omp_lock_t *heap;

static NOINLINE void heap_element(void)
{
	int me = come();
	int which = LOCKS - 1 - (me > 100);
	omp_set_lock(&heap[which]);
	use_a(me);
	omp_unset_lock(&heap[which]);
	KEEP_FRAME();
}

static NOINLINE void local(void)
{
	omp_lock_t lock;
	omp_init_lock(&lock);
#pragma omp parallel num_threads(team)
	{
		int me = come();
		omp_set_lock(&lock);
		use_a(me);
		omp_unset_lock(&lock);
		KEEP_FRAME();
	}
	omp_destroy_lock(&lock);
	KEEP_FRAME();
}

static NOINLINE void nest_lock(void)
{
	int me = come();
	omp_set_nest_lock(&nest);
	omp_set_nest_lock(&nest);
	use_a(me);
	omp_unset_nest_lock(&nest);
	omp_unset_nest_lock(&nest);
	KEEP_FRAME();
}

static omp_lock_t hinted_lock;

/* LLVM's runtime makes of it a lock that knows its owner. libgomp does not have the function. */
static void init_hinted(omp_lock_t *lock)
{
#ifdef __clang__
	omp_init_lock_with_hint(lock, omp_lock_hint_uncontended);
#else
	omp_init_lock(lock);
#endif
}

static NOINLINE void hinted(void)
{
	int me = come();
	omp_set_lock(&hinted_lock);
	use_a(me);
	omp_unset_lock(&hinted_lock);
	KEEP_FRAME();
}

/* ---- how it is taken and given back --------------------------------------------------------- */

static void lock_it(omp_lock_t *lock)
{
	omp_set_lock(lock);
}

static void unlock_it(omp_lock_t *lock)
{
	omp_unset_lock(lock);
}

static NOINLINE void wrapped(void)
{
	int me = come();
	lock_it(&lock_a);
	use_a(me);
	unlock_it(&lock_a);
	KEEP_FRAME();
}

static NOINLINE void lock_account(struct account *of)
{
	omp_set_lock(&of->lock);
	KEEP_FRAME();
}

static NOINLINE void unlock_account(struct account *of)
{
	omp_unset_lock(&of->lock);
	KEEP_FRAME();
}

static NOINLINE void by_functions(void)
{
	int me = come();
	lock_account(&account);
	use_a(me);
	unlock_account(&account);
	KEEP_FRAME();
}

static NOINLINE void level_3(int me)
{
	use_a(me);
	KEEP_FRAME();
}

static NOINLINE void level_2(int me)
{
	level_3(me);
	KEEP_FRAME();
}

static NOINLINE void deep(void)
{
	int me = come();
	omp_set_lock(&lock_a);
	level_2(me);
	omp_unset_lock(&lock_a);
	KEEP_FRAME();
}

static NOINLINE void with_early_return(int me, int early)
{
	omp_set_lock(&lock_a);
	if (early) {
		use();
		omp_unset_lock(&lock_a);
		return;
	}
	use_a(me);
	omp_unset_lock(&lock_a);
	KEEP_FRAME();
}

static NOINLINE void early_return(void)
{
	int me = omp_get_thread_num();
#pragma omp barrier
	with_early_return(me, 1);
#pragma omp barrier
	come();
	with_early_return(me, 0);
	KEEP_FRAME();
}

static NOINLINE void try_it(int me)
{
	while (!omp_test_lock(&lock_a))
		sched_yield();
	use_a(me);
	omp_unset_lock(&lock_a);
	KEEP_FRAME();
}

static NOINLINE void tried(void)
{
	if (in_turn() == 0)
		try_it(0);
	else
		global();
	KEEP_FRAME();
}

static NOINLINE void if_it_can_be_had(int me)
{
	if (omp_test_lock(&lock_a)) {
		use_a(me);
		omp_unset_lock(&lock_a);
	} else if (me) {
		stay_as("stays", team);
	}
	KEEP_FRAME();
}

/* Thread 1 has not got it, and is in the same function. */
static NOINLINE void tried_in_vain(void)
{
	if (in_turn() < 2)
		if_it_can_be_had(omp_get_thread_num());
	else
		global();
	KEEP_FRAME();
}

static NOINLINE void take_if(int large, int me)
{
	if (large)
		omp_set_lock(&lock_a);
	if (me == 0)
		stay_as("holds_A", team);
	else if (me == 1)
		stay_as("stays", team);
	if (large)
		omp_unset_lock(&lock_a);
	KEEP_FRAME();
}

static NOINLINE void conditional(void)
{
	if (in_turn() == 0)
		take_if(team > 1, 0);
	else
		global();
	KEEP_FRAME();
}

/* Of two threads in one place only the first has taken it. */
static NOINLINE void conditional_of_two(void)
{
	if (in_turn() < 2)
		take_if(omp_get_thread_num() == 0, omp_get_thread_num());
	else
		global();
	KEEP_FRAME();
}

static NOINLINE void in_switch(void)
{
	int me = come();
	switch (me + team * 10) {
	case 20:
	case 30:
		omp_set_lock(&lock_a);
		use_a(me);
		omp_unset_lock(&lock_a);
		break;
	case 31:
		use();
		omp_set_lock(&lock_a);
		omp_unset_lock(&lock_a);
		break;
	case 32:
		omp_set_lock(&lock_a);
		use();
		omp_unset_lock(&lock_a);
		break;
	case 33:
		omp_set_lock(&lock_b);
		break;
	case 34:
		use();
		break;
	default:
		FAIL("no such team");
	}
	KEEP_FRAME();
}

static NOINLINE void recurse(int me, int depth)
{
	if (depth == 0)
		omp_set_lock(&lock_a);
	if (depth == 3)
		use_a(me);
	else
		recurse(me, depth + 1);
	if (depth == 0)
		omp_unset_lock(&lock_a);
	KEEP_FRAME();
}

static NOINLINE void recursion(void)
{
	recurse(come(), 0);
	KEEP_FRAME();
}

static void release(omp_lock_t **lock)
{
	omp_unset_lock(*lock);
}

static NOINLINE void guarded(void)
{
	int me = come();
	__attribute__((cleanup(release))) omp_lock_t *guard = &lock_a;
	omp_set_lock(guard);
	use_a(me);
}

static NOINLINE void in_loop(void)
{
	int me = come();
	for (int i = 0; i < 10; i++) {
		if (i % 2)
			continue;
		omp_set_lock(&lock_a);
		if (i == 2) {
			omp_unset_lock(&lock_a);
			continue;
		}
		if (i == 4 || me)
			use_a(me);
		omp_unset_lock(&lock_a);
		if (i >= 4)
			break;
	}
	KEEP_FRAME();
}

static NOINLINE void take_and_give(void)
{
	omp_set_lock(&lock_a);
	use();
	omp_unset_lock(&lock_a);
	stay_as("stays", team);
}

/* Thread 0 has had it, thread 1 has it. */
static NOINLINE void given_back(void)
{
	int me = in_turn();
	if (me == 0)
		take_and_give();
	if (me > 1)
		tell("waits_A");
	if (me > 0) {
		omp_set_lock(&lock_a);
		use_a(me - 1);
		omp_unset_lock(&lock_a);
	}
	KEEP_FRAME();
}

static NOINLINE void given_back_by_function(void)
{
	int me = in_turn();
	lock_account(&account);
	if (me == 0) {
		unlock_account(&account);
		stay_as("stays", team);
		lock_account(&account);
	} else if (me == 1) {
		stay_as("holds_A", team);
	}
	unlock_account(&account);
	KEEP_FRAME();
}

/* Thread 2 comes when both others are where they are. */
static NOINLINE void by_function(void)
{
	if (in_turn() < 2) {
		given_back_by_function();
	} else {
		tell("waits_A");
		lock_account(&account);
		unlock_account(&account);
	}
	KEEP_FRAME();
}

static const struct scenario workers[] = {
	SCENARIO(global),        SCENARIO(in_struct),
	SCENARIO(array_element), SCENARIO(heap_element),
	SCENARIO(nest_lock),     SCENARIO(hinted),
	SCENARIO(wrapped),       SCENARIO(by_functions),
	SCENARIO(deep),          SCENARIO(early_return),
	SCENARIO(tried),         SCENARIO(tried_in_vain),
	SCENARIO(conditional),   SCENARIO(conditional_of_two),
	SCENARIO(in_switch),     SCENARIO(recursion),
	SCENARIO(guarded),       SCENARIO(in_loop),
	SCENARIO(given_back),    SCENARIO(by_function),
	{ NULL, NULL },
};
static const struct scenario alone[] = { SCENARIO(local), { NULL, NULL } };

int main(int argc, char **argv)
{
	team = 3;
	for (int i = 0; i < LOCKS; i++)
		omp_init_lock(&locks[i]);
	heap = calloc(LOCKS, sizeof(*heap));
	for (int i = 0; heap && i < LOCKS; i++)
		omp_init_lock(&heap[i]);
	omp_init_lock(&lock_a);
	omp_init_lock(&lock_b);
	omp_init_lock(&account.lock);
	omp_init_nest_lock(&nest);
	init_hinted(&hinted_lock);
	if (argc > 1 && strcmp(argv[1], "local") == 0)
		scenario_of(alone, argc, argv)();
	else
		in_team(scenario_of(workers, argc, argv));
	return 0;
}
