/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Signals of a traced program: each arrives as if nobody looked. */
#include "inferior.h"

#include <stdio.h>
#include <sys/wait.h>

#include "target/process/ptrace.h"

static void queue(const struct inferior *i, int value)
{
	ck_assert_int_eq(sigqueue(i->pid, SIGRTMIN, (union sigval){ .sival_int = value }), 0);
}

/* ---- what a program sends to itself ----------------------------------------------------- */

/* What live_signals writes without a tracer. */
static struct inferior run_alone(void)
{
	struct inferior i;

	ck_assert(inferior_start(&i, ARGS("live_signals")));
	inferior_finish(&i);
	return i;
}

static unsigned int count_lines(const struct inferior *i, const char *word)
{
	unsigned int n = 0;

	for (const char *at = buf_text(&i->said); (at = strstr(at, word)); at++)
		n++;
	return n;
}

START_TEST(every_signal_comes_as_without_a_tracer)
{
	enum { INT3 = 20 };
	AUTO_INFERIOR alone = run_alone();
	AUTO_INFERIOR i;
	AUTO_TARGET *t = inferior_launch(&i, ARGS("live_signals"));
	struct told told = { 0 };

	run_until_ready(t, &i, &told);
	ck_assert_str_eq(buf_text(&i.said), buf_text(&alone.said));
	ck_assert_uint_eq(told.of[STOP_BREAKPOINT], INT3);
	ck_assert_uint_eq(told.of[STOP_SIGNAL] + INT3, count_lines(&alone, "signal "));
	ck_assert_uint_eq(told.of[STOP_GROUP] + told.of[STOP_STEPPED], 0);
	run_to_end(t, &i, &told);
}
END_TEST

START_TEST(a_signal_can_be_kept_from_the_program)
{
	AUTO_INFERIOR i;

	ck_assert(inferior_start(&i, ARGS("live_queue", "1")));
	AUTO_TARGET *t = inferior_attach(&i);
	queue(&i, 7); /* the program would not like that value */
	struct event event = run_until(t, STOP_SIGNAL, NULL);
	event.thread->signal = 0;
	queue(&i, 0);
	run_until(t, STOP_SIGNAL, NULL);
	ck_assert_no_error(target_detach(t));
	inferior_check_untouched(&i, "S");
	inferior_finish(&i);
}
END_TEST

START_TEST(each_thread_gets_the_signals_that_are_its_own)
{
	enum { SIGNALS = 500 };
	AUTO_INFERIOR i;
	AUTO_TARGET *t = inferior_launch(&i, ARGS("signals"));
	struct told told = { 0 };

	run_until_ready(t, &i, &told);
	while (told.of[STOP_SIGNAL] < SIGNALS) {
		struct event event = run_until(t, STOP_SIGNAL, &told);
		ck_assert_int_eq(event.stop.value, SIGRTMIN);
	}
	run_to_end(t, &i, &told);
}
END_TEST

/* ---- signals about attaching and detaching ---------------------------------------------- */

START_TEST(signals_pending_in_state_T_wait_for_SIGCONT)
{
	AUTO_INFERIOR i;

	ck_assert(inferior_start(&i, ARGS("live_queue", "3")));
	ck_assert_int_eq(kill(i.pid, SIGSTOP), 0);
	inferior_await_state(i.pid, 0, "T");
	for (int n = 0; n < 3; n++) {
		queue(&i, n);
		target_free(inferior_attach(&i));
		inferior_check_untouched(&i, "T");
	}
	ck_assert_int_eq(kill(i.pid, SIGCONT), 0);
	inferior_check_untouched(&i, "S");
	inferior_finish(&i);
}
END_TEST

START_TEST(signals_sent_about_attaching_arrive_in_order_and_once)
{
	enum { ROUNDS = 60, EACH = 5 };
	AUTO_INFERIOR i;

	ck_assert(inferior_start(&i, ARGS("live_queue", "300")));
	for (int round = 0; round < ROUNDS; round++) {
		int value = round * EACH;
		queue(&i, value);
		struct target *t = inferior_attach(&i);
		queue(&i, value + 1);
		queue(&i, value + 2);
		if (round % 3 == 1) /* stopped by a signal when it is detached */
			run_until(t, STOP_SIGNAL, NULL);
		if (round % 3 == 2) /* running when it is detached */
			ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
		queue(&i, value + 3);
		target_free(t);
		queue(&i, value + 4);
	}
	inferior_check_untouched(&i, "S");
	inferior_finish(&i);
}
END_TEST

START_TEST(no_signal_of_a_busy_program_is_lost_by_attaching)
{
	AUTO_INFERIOR i;

	ck_assert(inferior_start(&i, ARGS("signals")));
	for (int round = 0; round < 50; round++) {
		struct target *t = inferior_attach(&i);
		for (int n = 0; n < round % 5; n++)
			run_until(t, STOP_SIGNAL, NULL);
		ck_assert_no_error(target_detach(t));
		target_free(t);
	}
	inferior_check_untouched(&i, "SR");
	inferior_finish(&i);
}
END_TEST

START_TEST(a_deadly_signal_kills_after_detaching)
{
	AUTO_INFERIOR i;
	int status;

	ck_assert(inferior_start(&i, ARGS("live_count", "4")));
	AUTO_TARGET *t = inferior_attach(&i);
	ck_assert_int_eq(kill(i.pid, SIGTERM), 0);
	run_until(t, STOP_SIGNAL, NULL);
	ck_assert_no_error(target_detach(t));
	ck_assert_int_eq(waitpid(i.pid, &status, 0), i.pid);
	ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}
END_TEST

START_TEST(SIGSTOP_on_its_way_stops_the_program_after_detaching)
{
	AUTO_INFERIOR i;

	ck_assert(inferior_start(&i, ARGS("live_count", "4")));
	AUTO_TARGET *t = inferior_attach(&i);
	ck_assert_int_eq(kill(i.pid, SIGSTOP), 0);
	struct event event = run_until(t, STOP_SIGNAL, NULL);
	ck_assert_int_eq(event.stop.value, SIGSTOP);
	ck_assert_no_error(target_detach(t));
	inferior_check_untouched(&i, "T");
	ck_assert_int_eq(kill(i.pid, SIGCONT), 0);
	inferior_finish(&i);
}
END_TEST

/* ---- system calls that were interrupted ------------------------------------------------- */

START_TEST(system_calls_go_on_after_stops)
{
	AUTO_INFERIOR i;

	ck_assert(inferior_start(&i, ARGS("blocked_calls")));
	for (int round = 0; round < 3; round++) {
		AUTO_TARGET *t = inferior_attach(&i);
		for (int n = 0; n < 20; n++) {
			ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
			ck_assert_no_error(target_stop_all(t));
		}
	}
	inferior_check_untouched(&i, "S");
	inferior_finish(&i);
}
END_TEST

/* ---- signals of ompdb's own ------------------------------------------------------------- */

static void reap_nobody(void *context)
{
	(void)context;
}

/* The timer's last signal may still be on its way when the guard ends. */
START_TEST(a_late_alarm_of_the_guard_does_no_harm)
{
	sigset_t alarm, pending;

	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	sigprocmask(SIG_BLOCK, &alarm, NULL); /* as in a visit */
	ptrace_guard_begin(reap_nobody, NULL);
	sigprocmask(SIG_BLOCK, &alarm, NULL);
	do
		sigpending(&pending);
	while (!sigismember(&pending, SIGALRM));
	ptrace_guard_end();
	sigprocmask(SIG_UNBLOCK, &alarm, NULL);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("signals");

	live_case(s, "delivery", 60, every_signal_comes_as_without_a_tracer,
		  a_signal_can_be_kept_from_the_program,
		  each_thread_gets_the_signals_that_are_its_own);
	live_case(s, "attaching and detaching", 60, signals_pending_in_state_T_wait_for_SIGCONT,
		  signals_sent_about_attaching_arrive_in_order_and_once,
		  no_signal_of_a_busy_program_is_lost_by_attaching,
		  a_deadly_signal_kills_after_detaching,
		  SIGSTOP_on_its_way_stops_the_program_after_detaching);
	live_case(s, "system calls", 60, system_calls_go_on_after_stops);
	live_case(s, "guard", 60, a_late_alarm_of_the_guard_does_no_harm);
	return unit_run(s);
}
