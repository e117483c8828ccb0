/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/thread_state.h"
#include "unit.h"

static const struct {
	enum thread_state from;
	enum thread_input input;
	struct thread_move move;
} rows[] = {
	/* Stopping, and what comes first. */
	{ THREAD_RUNNING, WANT_STOP, { THREAD_STOPPING, ASK_INTERRUPT, false } },
	{ THREAD_STOPPING, REPORT_INTERRUPTED, { THREAD_STOPPED, ASK_NOTHING, false } },
	{ THREAD_STOPPING, REPORT_SIGNAL, { THREAD_PENDING, ASK_NOTHING, true } },
	{ THREAD_STOPPING, REPORT_EVENT, { THREAD_PENDING, ASK_NOTHING, true } },
	{ THREAD_STOPPING, REPORT_GROUP, { THREAD_STOPPED, ASK_NOTHING, false } },
	{ THREAD_STOPPING, WANT_STOP, { THREAD_STOPPING, ASK_NOTHING, false } },
	{ THREAD_STOPPING, SEEN_STUCK, { THREAD_STUCK, ASK_NOTHING, false } },
	{ THREAD_STUCK, WANT_CONTINUE, { THREAD_RUNNING, ASK_NOTHING, false } },
	{ THREAD_STUCK, REPORT_INTERRUPTED, { THREAD_STOPPED, ASK_NOTHING, false } },
	/* Late interrupts. */
	{ THREAD_RUNNING, REPORT_INTERRUPTED, { THREAD_RUNNING, ASK_CONT, false } },
	{ THREAD_STEPPING, REPORT_INTERRUPTED, { THREAD_STEPPING, ASK_STEP, false } },
	{ THREAD_PASSING, REPORT_INTERRUPTED, { THREAD_PASSING, ASK_STEP, false } },
	/* Steps. */
	{ THREAD_STOPPED, WANT_STEP, { THREAD_STEPPING, ASK_STEP, false } },
	{ THREAD_STEPPING, REPORT_STEPPED, { THREAD_PENDING, ASK_NOTHING, true } },
	{ THREAD_STEPPING, REPORT_SIGNAL, { THREAD_STEPPING, ASK_HOLD, false } },
	{ THREAD_STEPPING, REPORT_EVENT, { THREAD_PENDING, ASK_NOTHING, true } },
	{ THREAD_STEPPING, WANT_STOP, { THREAD_STEPPING, ASK_NOTHING, false } },
	{ THREAD_STEPPING, WANT_STOP_NOW, { THREAD_STOPPING, ASK_INTERRUPT, false } },
	{ THREAD_STEPPING, SEEN_ZOMBIE, { THREAD_ZOMBIE, ASK_NOTHING, false } },
	{ THREAD_STOPPING, REPORT_STEPPED, { THREAD_STOPPED, ASK_NOTHING, false } },
	{ THREAD_PASSING, REPORT_STEPPED, { THREAD_STOPPED, ASK_NOTHING, false } },
	{ THREAD_PASSING, SEEN_ASLEEP, { THREAD_RUNNING, ASK_NOTHING, false } },
	{ THREAD_RUNNING, REPORT_STEPPED, { THREAD_RUNNING, ASK_CONT, false } },
	/* Job control. */
	{ THREAD_RUNNING, REPORT_GROUP, { THREAD_PENDING, ASK_NOTHING, true } },
	{ THREAD_STOPPED, WANT_LISTEN, { THREAD_LISTENING, ASK_LISTEN, false } },
	{ THREAD_LISTENING, REPORT_INTERRUPTED, { THREAD_RUNNING, ASK_CONT, false } },
	{ THREAD_LISTENING, REPORT_GROUP_OVER, { THREAD_PENDING, ASK_NOTHING, true } },
	{ THREAD_STOPPING, REPORT_GROUP_OVER, { THREAD_PENDING, ASK_NOTHING, true } },
	{ THREAD_STEPPING, REPORT_GROUP_OVER, { THREAD_STEPPING, ASK_STEP, false } },
	{ THREAD_LISTENING, WANT_STOP, { THREAD_STOPPING, ASK_INTERRUPT, false } },
	/* What is told goes on afterwards. */
	{ THREAD_PENDING, SEEN_TOLD, { THREAD_STOPPED, ASK_NOTHING, false } },
	{ THREAD_STARTING, REPORT_INTERRUPTED, { THREAD_NEW, ASK_NOTHING, false } },
	{ THREAD_NEW, SEEN_TOLD, { THREAD_STOPPED, ASK_NOTHING, false } },
	/* Letting go. */
	{ THREAD_STOPPED, WANT_RELEASE, { THREAD_LEAVING, ASK_DETACH, false } },
	{ THREAD_STARTING, WANT_RELEASE, { THREAD_LEAVING, ASK_NOTHING, false } },
	{ THREAD_LEAVING, REPORT_SIGNAL, { THREAD_LEAVING, ASK_DETACH, false } },
	{ THREAD_STUCK, WANT_RELEASE, { THREAD_GONE, ASK_NOTHING, false } },
	/* Ends; an exec tells under the number of a leader that stands. */
	{ THREAD_STOPPED, REPORT_EVENT, { THREAD_PENDING, ASK_NOTHING, true } },
	{ THREAD_PENDING, REPORT_END, { THREAD_GONE, ASK_NOTHING, false } },
	{ THREAD_ZOMBIE, REPORT_PROCESS_END, { THREAD_ENDED, ASK_NOTHING, true } },
	{ THREAD_ENDED, SEEN_TOLD, { THREAD_GONE, ASK_NOTHING, false } },
	{ THREAD_GONE, REPORT_END, { THREAD_GONE, ASK_NOTHING, false } },
};

START_TEST(a_row_leads_where_it_says)
{
	struct thread_move move = thread_move(rows[_i].from, rows[_i].input);

	ck_assert_str_eq(thread_state_name(move.to), thread_state_name(rows[_i].move.to));
	ck_assert_int_eq(move.ask, rows[_i].move.ask);
	ck_assert_int_eq(move.tell, rows[_i].move.tell);
}
END_TEST

static bool is_report(enum thread_input input)
{
	return input <= REPORT_LOST;
}

#define for_each_cell(from, input)                                                                 \
	for (unsigned int from = 0; from < THREAD_STATES; from++)                                  \
		for (unsigned int input = 0; input < THREAD_INPUTS; input++)

START_TEST(only_who_stands_is_told_to_go_on)
{
	for_each_cell(from, input)
	{
		enum thread_ask ask = thread_move(from, input).ask;
		bool goes_on = ask != ASK_NOTHING && ask != ASK_INTERRUPT;
		/* A report is a stop of its own. */
		ck_assert(!goes_on || is_report(input) || thread_state_stands(from));
		ck_assert(ask != ASK_INTERRUPT || !thread_state_stands(from));
		ck_assert(ask != ASK_HOLD || input == REPORT_SIGNAL || input == REPORT_PASSED);
	}
}
END_TEST

START_TEST(what_is_told_is_a_report_and_waits_until_it_is_told)
{
	for_each_cell(from, input)
	{
		struct thread_move move = thread_move(from, input);
		ck_assert(!move.tell || is_report(input) || input == SEEN_STEPPED);
		ck_assert(!move.tell || move.to == THREAD_PENDING || move.to == THREAD_ENDED);
		/* Nothing else leads to those. */
		if (move.to != from && (move.to == THREAD_PENDING || move.to == THREAD_ENDED))
			ck_assert(move.tell);
	}
	for (enum thread_input input = WANT_STOP; input <= WANT_PASS; input++) {
		ck_assert_int_eq(thread_move(THREAD_PENDING, input).to, THREAD_PENDING);
		ck_assert_int_eq(thread_move(THREAD_NEW, input).to, THREAD_NEW);
	}
}
END_TEST

START_TEST(ends_end_every_state_and_nothing_comes_after)
{
	for_each_cell(from, input)
	{
		enum thread_state to = thread_move(from, input).to;
		if (input == REPORT_END || input == REPORT_LOST || input == REPORT_PROCESS_END)
			ck_assert(thread_state_is_over(to));
		if (thread_state_is_over(from))
			ck_assert(thread_state_is_over(to));
	}
}
END_TEST

START_TEST(no_report_is_left_without_an_answer)
{
	for_each_cell(from, input)
	{
		struct thread_move move = thread_move(from, input);
		if (input > REPORT_EVENT || thread_state_is_over(from) || thread_state_stands(from))
			continue;
		/* It stands now: that is noted, or it is told to go on. */
		ck_assert_msg(thread_state_stands(move.to) || move.ask != ASK_NOTHING, "%s: %u",
			      thread_state_name(from), input);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("thread_state");

	unit_table(s, a_row_leads_where_it_says, rows);
	unit_case(s, "all cells", only_who_stands_is_told_to_go_on,
		  what_is_told_is_a_report_and_waits_until_it_is_told,
		  ends_end_every_state_and_nothing_comes_after,
		  no_report_is_left_without_an_answer);
	return unit_run(s);
}
