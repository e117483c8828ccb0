/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/team_file.h"
#include "debugger/control/team_order.h"
#include "debugger/control/team_races.h"
#include "unit.h"

static struct order order;

static void tear_down(void)
{
	order_fini(&order);
	order = (struct order){ 0 };
}

static void begin(enum order_policy policy, size_t members, const int *list, size_t len)
{
	order.policy = policy;
	order.random = 1;
	ck_assert(order_init(&order, members));
	for (size_t i = 0; i < len; i++)
		ck_assert(vec_push(&order.list, list[i]));
}

/* Who is next runs. */
static void runs(int who)
{
	const struct order_choice choice = order_pick(&order);

	ck_assert_int_eq(choice.verdict, ORDER_RUN);
	ck_assert_int_eq(choice.who, who);
}

static void is(enum order_verdict verdict)
{
	ck_assert_int_eq(order_pick(&order).verdict, verdict);
}

START_TEST(a_list_is_followed_and_then_over)
{
	static const int list[] = { 1, 0, 1 };

	begin(ORDER_LIST, 2, list, COUNT(list));
	runs(1);
	ck_assert(order_arrives(&order, 1, PLACE_ACCESS, 0));
	runs(0);
	ck_assert(order_arrives(&order, 0, PLACE_ACCESS, 0));
	runs(1);
	ck_assert(order_ends(&order, 1));
	is(ORDER_OVER);
	ck_assert_uint_eq(order.done.len, 3);
	ck_assert_int_eq(order.done.items[2].who, 1);
	ck_assert_int_eq(order.done.items[2].at, PLACE_END);
}
END_TEST

START_TEST(who_has_left_is_left_out)
{
	static const int list[] = { 0, 0, 1 };

	begin(ORDER_LIST, 2, list, COUNT(list));
	runs(0);
	ck_assert(order_ends(&order, 0));
	const struct order_choice choice = order_pick(&order);
	ck_assert_int_eq(choice.left_out, 0);
	ck_assert_int_eq(choice.who, 1);
	ck_assert(order_ends(&order, 1));
	is(ORDER_ENDED);
}
END_TEST

START_TEST(who_waits_for_a_lock_yields_to_who_has_it_and_is_next_then)
{
	static const int list[] = { 0, 1, 0, 1 };

	begin(ORDER_LIST, 2, list, COUNT(list));
	runs(0);
	ck_assert(order_arrives(&order, 0, PLACE_CRITICAL, 8));
	runs(1);
	ck_assert(order_arrives(&order, 1, PLACE_CRITICAL, 8));
	runs(0); /* and has it */
	ck_assert_int_eq(order_owner(&order, 8), 0);
	ck_assert(order_arrives(&order, 0, PLACE_RELEASE, 8));
	const struct order_choice choice = order_pick(&order);
	ck_assert_int_eq(choice.who, 0);
	ck_assert_uint_eq(choice.nyields, 1);
	ck_assert_int_eq(choice.yields[0].who, 1);
	ck_assert_int_eq(choice.yields[0].whom, 0);
	ck_assert_uint_eq(choice.yields[0].object, 8);
	ck_assert_int_eq(order_owner(&order, 8), -1);
	ck_assert(order_ends(&order, 0));
	runs(1);
	ck_assert_int_eq(order_owner(&order, 8), 1);
}
END_TEST

START_TEST(nested_locks_are_given_back_as_often_as_they_were_taken)
{
	begin(ORDER_SERIAL, 1, NULL, 0);
	for (int i = 0; i < 2; i++) {
		runs(0);
		ck_assert(order_arrives(&order, 0, PLACE_LOCK, 8));
	}
	for (int i = 0; i < 2; i++) {
		runs(0);
		ck_assert(order_arrives(&order, 0, PLACE_RELEASE, 8));
		ck_assert_int_eq(order_owner(&order, 8), 0);
	}
	runs(0);
	ck_assert_int_eq(order_owner(&order, 8), -1);
}
END_TEST

START_TEST(each_has_what_the_other_one_waits_for)
{
	static const int list[] = { 0, 0, 1, 1, 0 };

	begin(ORDER_LIST, 2, list, COUNT(list));
	for (int who = 0; who < 2; who++) {
		runs(who);
		ck_assert(order_arrives(&order, who, PLACE_LOCK, 8 + (uint64_t)who));
		runs(who);
		ck_assert(order_arrives(&order, who, PLACE_LOCK, 9 - (uint64_t)who));
	}
	const struct order_choice choice = order_pick(&order);
	ck_assert_int_eq(choice.verdict, ORDER_STUCK);
	ck_assert_uint_ge(choice.nyields, 2);
}
END_TEST

START_TEST(nobody_is_picked_before_all_are_out_of_a_barrier)
{
	begin(ORDER_SERIAL, 3, NULL, 0);
	for (int who = 0; who < 3; who++) {
		runs(who);
		ck_assert(order_arrives(&order, who, PLACE_BARRIER, 0));
	}
	ck_assert_uint_eq(order.barriers, 1);
	is(ORDER_WAIT);
	order_returns(&order, 2);
	order_returns(&order, 1);
	is(ORDER_WAIT);
	order_returns(&order, 0);
	runs(2); /* whose turn was the last */
}
END_TEST

START_TEST(at_a_barrier_one_yields_to_who_has_not_arrived)
{
	static const int list[] = { 0, 0 };

	begin(ORDER_LIST, 2, list, COUNT(list));
	runs(0);
	ck_assert(order_arrives(&order, 0, PLACE_BARRIER, 0));
	const struct order_choice choice = order_pick(&order);
	ck_assert_int_eq(choice.who, 1);
	ck_assert_int_eq(choice.yields[0].who, 0);
	ck_assert_int_eq(choice.yields[0].at, PLACE_BARRIER);
	ck_assert(order_ends(&order, 1)); /* and never arrives */
	is(ORDER_WAIT);
	order_settles(&order);
	is(ORDER_STUCK);
}
END_TEST

/* Each of four makes ten turns. */
static void shuffle(uint64_t seed, char ret[41])
{
	int left[4] = { 10, 10, 10, 10 };
	size_t n = 0;

	begin(ORDER_RANDOM, 4, NULL, 0);
	order.random = seed;
	for (;;) {
		const struct order_choice choice = order_pick(&order);
		if (choice.verdict == ORDER_ENDED)
			break;
		ck_assert_int_eq(choice.verdict, ORDER_RUN);
		ret[n++] = (char)('0' + choice.who);
		if (--left[choice.who])
			ck_assert(order_arrives(&order, choice.who, PLACE_ACCESS, 0));
		else
			ck_assert(order_ends(&order, choice.who));
	}
	ret[n] = '\0';
	ck_assert_uint_eq(n, 40);
	tear_down();
}

START_TEST(a_seed_is_an_order)
{
	char first[41], again[41], other[41];

	shuffle(7, first);
	shuffle(7, again);
	shuffle(8, other);
	ck_assert_str_eq(first, again);
	ck_assert_str_ne(first, other);
}
END_TEST

START_TEST(one_that_blocks_gives_its_turn_to_the_next)
{
	begin(ORDER_SERIAL, 2, NULL, 0);
	runs(0);
	ck_assert(order_blocks(&order, 0, false));
	runs(1);
	order_returns(&order, 0);
	ck_assert(order_ends(&order, 1));
	runs(0);
	ck_assert_int_eq(order.done.items[0].at, PLACE_WAIT);
}
END_TEST

START_TEST(who_comes_back_to_a_barrier_from_a_task_has_arrived_there)
{
	begin(ORDER_SERIAL, 2, NULL, 0);
	runs(0);
	ck_assert(order_arrives(&order, 0, PLACE_BARRIER, 0));
	ck_assert(order_arrives(&order, 0, PLACE_TASK, 0)); /* within a task */
	runs(0);
	ck_assert(order_blocks(&order, 0, true));
	ck_assert_uint_eq(order.barriers, 0);
	runs(1);
	ck_assert(order_arrives(&order, 1, PLACE_BARRIER, 0));
	ck_assert_uint_eq(order.barriers, 1);
	is(ORDER_WAIT);
}
END_TEST

START_TEST(nobody_is_stuck_before_all_have_been_seen_to_stay)
{
	begin(ORDER_SERIAL, 2, NULL, 0);
	runs(0);
	ck_assert(order_blocks(&order, 0, false)); /* for a task, which 1 executes in the barrier */
	runs(1);
	ck_assert(order_arrives(&order, 1, PLACE_BARRIER, 0));
	is(ORDER_WAIT);
	order_settles(&order);
	is(ORDER_STUCK);
	order_returns(&order, 0);
	runs(0);
	ck_assert(order_blocks(&order, 0, false));
	is(ORDER_WAIT);
}
END_TEST

START_TEST(nobody_runs_in_the_place_of_one_that_is_held)
{
	begin(ORDER_SERIAL, 3, NULL, 0);
	order.members.items[1].state = MEMBER_HELD;
	runs(0);
	ck_assert(order_arrives(&order, 0, PLACE_BARRIER, 0));
	runs(2); /* and 1 has not arrived, either */
	ck_assert(order_arrives(&order, 2, PLACE_BARRIER, 0));
	ck_assert_uint_eq(order.barriers, 0);
	order_settles(&order);
	const struct order_choice choice = order_pick(&order);
	ck_assert_int_eq(choice.verdict, ORDER_STUCK);
	ck_assert_int_eq(choice.yields[0].whom, 1);
}
END_TEST

/* ---- files ------------------------------------------------------------------------------ */

START_TEST(an_order_is_the_same_after_it_was_a_file)
{
	static const char text[] = "ompdb-order 1\nthreads 3\nat p->x\nline a.c:3\n0 access\n"
				   "2 barrier\n1 end\n";
	AUTO_ORDER_RECORD r = { 0 };
	AUTO_BUF out = { 0 };

	ck_assert_no_error(order_record_parse(text, &r));
	ck_assert_uint_eq(r.steps.len, 3);
	ck_assert_int_eq(r.steps.items[1].who, 2);
	order_record_add_text(&r, &out);
	ck_assert_str_eq(buf_text(&out), text);
}
END_TEST

static const struct {
	const char *text, *says;
} wrong[] = {
	{ "", "there is no order in it" },
	{ "ompdb-order 1\nthreads 2\n", "there is no order in it" },
	{ "\x7f"
	  "ELF",
	  "line 1 is no 'ompdb-order 1', with which such files begin: '\\x7fELF'" },
	{ "ompdb-order 2\nthreads 2\n0 end\n", "it is of version 2, and this ompdb reads 1" },
	{ "ompdb-order 1\nthreads 0\n0 end\n",
	  "line 2 is no number of threads, as in 'threads 4': 'threads 0'" },
	{ "ompdb-order 1\nthreads 99999999999\n",
	  "line 2 is no number of threads, as in 'threads 4': 'threads 99999999999'" },
	{ "ompdb-order 1\nthreads 2\n2 end\n", "line 3 is of thread 2, of a team of 2" },
	{ "ompdb-order 1\nthreads 2\n1\n",
	  "line 3 is no turn of a thread, as in '0 barrier': '1'" },
	{ "ompdb-order 1\nthreads 2\n0 end\n1 lunch\n",
	  "line 4 is no turn of a thread, as in '0 barrier': '1 lunch'" },
};

START_TEST(what_is_no_order_is_refused_with_its_line)
{
	AUTO_ORDER_RECORD r = { 0 };

	ck_assert_error(order_record_parse(wrong[_i].text, &r), ERROR_USAGE, wrong[_i].says);
}
END_TEST

/* ---- races ------------------------------------------------------------------------------ */

static const struct {
	struct race_access a, b;
	size_t pairs;
} accesses[] = {
	{ { .who = 0, .writes = true, .ordered = true },
	  { .who = 1, .reads = true, .ordered = true },
	  1 },
	{ { .who = 0, .reads = true, .ordered = true },
	  { .who = 1, .reads = true, .ordered = true },
	  0 },
	{ { .who = 0, .writes = true, .ordered = true },
	  { .who = 0, .writes = true, .line = 2, .ordered = true },
	  0 },
	{ { .who = 0, .writes = true, .ordered = true },
	  { .who = 1, .writes = true, .epoch = 1, .ordered = true },
	  0 },
	{ { .who = 0, .writes = true }, { .who = 1, .writes = true, .epoch = 1 }, 1 },
	{ { .who = 0, .writes = true, .ordered = true },
	  { .who = 1, .writes = true, .addr = 8, .ordered = true },
	  0 },
	{ { .who = 0, .writes = true, .ordered = true, .locks = { 5 }, .nlocks = 1 },
	  { .who = 1, .writes = true, .ordered = true, .locks = { 4, 5 }, .nlocks = 2 },
	  0 },
	{ { .who = 0, .writes = true, .ordered = true, .locks = { 5 }, .nlocks = 1 },
	  { .who = 1, .writes = true, .ordered = true, .locks = { 4 }, .nlocks = 1 },
	  1 },
	{ { .who = 0, .writes = true, .ordered = true, .atomic = true },
	  { .who = 1, .writes = true, .ordered = true, .atomic = true },
	  0 },
	{ { .who = 0, .writes = true, .ordered = true, .atomic = true },
	  { .who = 1, .writes = true, .ordered = true },
	  1 },
};

START_TEST(what_nothing_ordered_is_a_pair)
{
	struct races races = { 0 };
	struct race_pairs pairs = { 0 };
	struct race_access a = accesses[_i].a, b = accesses[_i].b;

	ck_assert_no_error(races_add(&races, &a));
	ck_assert_no_error(races_add(&races, &b));
	ck_assert_no_error(races_find(&races, &pairs));
	ck_assert_uint_eq(pairs.len, accesses[_i].pairs);
	vec_fini(&pairs);
	races_fini(&races);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("team_order");
	TCase *tc = tcase_create("team_order");

	tcase_add_checked_fixture(tc, NULL, tear_down);
	tcase_add_test(tc, a_list_is_followed_and_then_over);
	tcase_add_test(tc, who_has_left_is_left_out);
	tcase_add_test(tc, who_waits_for_a_lock_yields_to_who_has_it_and_is_next_then);
	tcase_add_test(tc, nested_locks_are_given_back_as_often_as_they_were_taken);
	tcase_add_test(tc, each_has_what_the_other_one_waits_for);
	tcase_add_test(tc, nobody_is_picked_before_all_are_out_of_a_barrier);
	tcase_add_test(tc, at_a_barrier_one_yields_to_who_has_not_arrived);
	tcase_add_test(tc, a_seed_is_an_order);
	tcase_add_test(tc, one_that_blocks_gives_its_turn_to_the_next);
	tcase_add_test(tc, who_comes_back_to_a_barrier_from_a_task_has_arrived_there);
	tcase_add_test(tc, nobody_is_stuck_before_all_have_been_seen_to_stay);
	tcase_add_test(tc, nobody_runs_in_the_place_of_one_that_is_held);
	tcase_add_test(tc, an_order_is_the_same_after_it_was_a_file);
	tcase_add_loop_test(tc, what_is_no_order_is_refused_with_its_line, 0, COUNT(wrong));
	tcase_add_loop_test(tc, what_nothing_ordered_is_a_pair, 0, COUNT(accesses));
	suite_add_tcase(s, tc);
	return unit_run(s);
}
