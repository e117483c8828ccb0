/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Stopping, resuming and stepping threads; job control; ends. */
#include "inferior.h"

#include <stdio.h>
#include <sys/wait.h>

#include "target/process/ptrace.h"

enum { COUNTERS = 4, COUNTER_SIZE = 64 };

/* "first" of a thread's counter in live_count; its "second" follows. */
static taddr counter(const struct inferior *i, size_t n)
{
	return inferior_symbol(i, "counters") + n * COUNTER_SIZE;
}

static uint64_t pc_of(struct target *t, struct thread *th)
{
	uint64_t pc;

	ck_assert_no_error(target_get_uint(t, th, t->arch->pc, &pc));
	return pc;
}

static struct target *attach_to_counters(struct inferior *i)
{
	ck_assert(inferior_start(i, ARGS("live_count", "4")));
	struct target *t = inferior_attach(i);
	ck_assert_uint_eq(t->threads.len, COUNTERS + 1);
	return t;
}

/* ---- all threads ------------------------------------------------------------------------ */

START_TEST(all_threads_stop_and_go_on_200_times)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = attach_to_counters(&i);
	taddr at = counter(&i, 0);
	uint64_t seen[COUNTERS] = { 0 }, grew[COUNTERS] = { 0 };

	for (int round = 0; round < 200; round++) {
		ck_assert_uint_eq(count_threads(t, THREAD_STOPPED), COUNTERS + 1);
		for (size_t n = 0; n < COUNTERS; n++) {
			uint64_t first, second;
			taddr own = at + n * COUNTER_SIZE;
			ck_assert_no_error(target_read_uint(t, own, 8, &first));
			ck_assert_no_error(target_read_uint(t, own + 8, 8, &second));
			ck_assert(first - second <= 1);
			/* Nobody runs: a second look, past the cache, sees the same. */
			ck_assert_uint_eq(inferior_peek(&i, own), first);
			ck_assert_uint_ge(first, seen[n]);
			grew[n] += first > seen[n];
			seen[n] = first;
		}
		ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
		ck_assert_uint_eq(count_threads(t, THREAD_RUNNING), COUNTERS + 1);
		ck_assert_no_error(target_stop_all(t));
	}
	ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
	for (size_t n = 0; n < COUNTERS; n++) {
		while (inferior_peek(&i, at + n * COUNTER_SIZE) == seen[n])
			;
		ck_assert_uint_gt(grew[n], 0);
	}
	ck_assert_no_error(target_detach(t));
	inferior_check_untouched(&i, "S");
	inferior_finish(&i);
}
END_TEST

START_TEST(stopping_what_is_stopped_and_resuming_what_runs_do_nothing)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = attach_to_counters(&i);
	struct thread *th = t->threads.items[1];

	ck_assert_no_error(target_stop_all(t));
	ck_assert_no_error(target_stop_all(t));
	ck_assert_uint_eq(count_threads(t, THREAD_STOPPED), COUNTERS + 1);
	ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
	ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
	ck_assert_error(target_resume(t, th, RESUME_CONTINUE), ERROR_USAGE, "is not stopped");
	const uint8_t *general;
	ck_assert_error(target_general(t, th, &general), ERROR_UNSUPPORTED, "is not stopped");
	ck_assert_no_error(target_detach(t));
	inferior_finish(&i);
}
END_TEST

START_TEST(waiting_ends_with_its_time)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = attach_to_counters(&i);
	struct event event = { .stop = { .kind = STOP_SIGNAL } };

	ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
	ck_assert_no_error(target_wait(t, 0, &event));
	ck_assert_int_eq(event.stop.kind, STOP_NONE);
	ck_assert_no_error(target_wait(t, 20 * 1000, &event));
	ck_assert_int_eq(event.stop.kind, STOP_NONE);
	ck_assert_ptr_null(event.thread);
	ck_assert_no_error(target_detach(t));
	inferior_finish(&i);
}
END_TEST

/* ---- one thread ------------------------------------------------------------------------- */

struct places {
	uint64_t pc[COUNTERS + 1], count[COUNTERS];
};

static struct places places_of(struct target *t, const struct inferior *i, taddr at)
{
	struct places p;

	for (size_t n = 0; n <= COUNTERS; n++)
		p.pc[n] = pc_of(t, t->threads.items[n]);
	for (size_t n = 0; n < COUNTERS; n++)
		p.count[n] = inferior_peek(i, at + n * COUNTER_SIZE);
	return p;
}

START_TEST(one_thread_steps_while_the_others_stand_still)
{
	enum { STEPS = 300, STEPPED = 2 };
	AUTO_INFERIOR i;
	AUTO_TARGET *t = attach_to_counters(&i);
	struct thread *th = t->threads.items[STEPPED];
	taddr at = counter(&i, 0);
	struct places before = places_of(t, &i, at);
	unsigned int moved = 0;

	for (int n = 0; n < STEPS; n++) {
		uint64_t pc = pc_of(t, th);
		ck_assert_no_error(target_resume(t, th, RESUME_STEP));
		struct event event = wait_event(t);
		ck_assert_ptr_eq(event.thread, th);
		ck_assert_int_eq(event.stop.kind, STOP_STEPPED);
		moved += pc_of(t, th) != pc;
	}
	ck_assert_uint_eq(moved, STEPS);
	struct places after = places_of(t, &i, at);
	unsigned int grown = 0;
	for (size_t n = 0; n <= COUNTERS; n++)
		ck_assert(n == STEPPED || after.pc[n] == before.pc[n]);
	for (size_t n = 0; n < COUNTERS; n++)
		grown += after.count[n] != before.count[n];
	ck_assert_uint_eq(grown, 1);
	ck_assert_no_error(target_detach(t));
	inferior_check_untouched(&i, "S");
	inferior_finish(&i);
}
END_TEST

START_TEST(a_thread_steps_exactly_once_right_after_it_was_stopped)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = attach_to_counters(&i);
	struct thread *th = t->threads.items[1];
	pid_t pid = t->pid;

	/* It has stopped by itself, unheard, when it is told to: that lasts longer than one stop.
	 */
	for (int n = 0; n < 50; n++) {
		ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
		ck_assert_int_eq(tgkill(pid, th->lwp, SIGURG), 0);
		inferior_await_state(pid, th->lwp, "t");
		ck_assert_no_error(target_stop_all(t));
		struct event event = wait_event(t);
		ck_assert_int_eq(event.stop.kind, STOP_SIGNAL);
		ck_assert_no_error(target_resume(t, event.thread, RESUME_STEP));
		event = wait_event(t);
		ck_assert_ptr_eq(event.thread, th);
		ck_assert_int_eq(event.stop.kind, STOP_STEPPED);
	}
	ck_assert_no_error(target_detach(t));
	inferior_check_untouched(&i, "S");
	inferior_finish(&i);
}
END_TEST

/* Sends a signal from a process of its own, whose number it returns. */
static pid_t send_from_another(pid_t pid, pid_t lwp, int signal)
{
	pid_t sender = fork();

	ck_assert_int_ge(sender, 0);
	if (sender == 0)
		_exit(tgkill(pid, lwp, signal));
	ck_assert_int_eq(waitpid(sender, NULL, 0), sender);
	return sender;
}

START_TEST(a_signal_that_comes_into_a_step_is_told_after_it)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = attach_to_counters(&i);
	struct thread *th = t->threads.items[1];

	for (int n = 0; n < 50; n++) {
		siginfo_t info;
		uint64_t pc = pc_of(t, th);
		pid_t sender = send_from_another(t->pid, th->lwp, SIGURG);
		ck_assert_no_error(target_resume(t, th, RESUME_STEP));
		struct event event = wait_event(t);
		ck_assert_int_eq(event.stop.kind, STOP_STEPPED);
		ck_assert_uint_ne(pc_of(t, th), pc);
		ck_assert_int_eq(th->signal, 0);
		ck_assert_no_error(target_resume(t, th, RESUME_CONTINUE));
		event = wait_event(t);
		ck_assert_ptr_eq(event.thread, th);
		ck_assert_int_eq(event.stop.kind, STOP_SIGNAL);
		ck_assert_int_eq(th->signal, SIGURG);
		/* Its handler would be told who sent it; only its tracer may look. */
		if (is_traced())
			continue;
		ck_assert_no_error(ptrace_siginfo(th->lwp, &info));
		ck_assert_int_eq(info.si_pid, sender);
	}
	ck_assert_no_error(target_detach(t));
	inferior_check_untouched(&i, "S");
	inferior_finish(&i);
}
END_TEST

START_TEST(the_outcome_of_a_step_goes_before_what_others_tell)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = attach_to_counters(&i);
	struct thread *th = t->threads.items[1], *other = t->threads.items[2];

	for (int n = 0; n < 50; n++) {
		ck_assert_int_eq(tgkill(t->pid, other->lwp, SIGURG), 0);
		while (other->state == THREAD_STOPPED) { /* late interrupts come before it */
			ck_assert_no_error(target_resume(t, other, RESUME_CONTINUE));
			ck_assert_no_error(target_stop_all(t));
		}
		ck_assert_int_eq(other->state, THREAD_PENDING);
		ck_assert_error(target_resume(t, other, RESUME_CONTINUE), ERROR_USAGE, "");
		ck_assert_no_error(target_resume(t, th, RESUME_STEP));
		struct event event = wait_event(t);
		ck_assert_ptr_eq(event.thread, th);
		ck_assert_int_eq(event.stop.kind, STOP_STEPPED);
		event = wait_event(t);
		ck_assert_ptr_eq(event.thread, other);
		ck_assert_int_eq(event.stop.kind, STOP_SIGNAL);
	}
	ck_assert_no_error(target_detach(t));
	inferior_finish(&i);
}
END_TEST

START_TEST(one_thread_runs_while_the_others_stand_still)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = attach_to_counters(&i);
	taddr at = counter(&i, 0);
	struct places before = places_of(t, &i, at);
	unsigned int grown = 0;

	ck_assert_no_error(target_resume(t, t->threads.items[1], RESUME_CONTINUE));
	while (!grown) {
		for (size_t n = 0; n < COUNTERS; n++)
			grown += inferior_peek(&i, at + n * COUNTER_SIZE) != before.count[n];
	}
	ck_assert_no_error(target_stop_all(t));
	struct places after = places_of(t, &i, at);
	grown = 0;
	for (size_t n = 0; n < COUNTERS; n++)
		grown += after.count[n] != before.count[n];
	ck_assert_uint_eq(grown, 1);
	ck_assert_no_error(target_detach(t));
	inferior_finish(&i);
}
END_TEST

START_TEST(a_step_with_a_signal_enters_its_handler)
{
	AUTO_INFERIOR i;

	ck_assert(inferior_start(&i, ARGS("live_queue", "1")));
	AUTO_TARGET *t = inferior_attach(&i);
	ck_assert_int_eq(sigqueue(i.pid, SIGRTMIN, (union sigval){ .sival_int = 0 }), 0);
	struct event event = run_until(t, STOP_SIGNAL, NULL);
	ck_assert_int_eq(event.stop.value, SIGRTMIN);
	ck_assert_no_error(target_resume(t, event.thread, RESUME_STEP));
	event = wait_event(t);
	ck_assert_int_eq(event.stop.kind, STOP_STEPPED);
	ck_assert_uint_eq(pc_of(t, event.thread), inferior_symbol(&i, "handler"));
	ck_assert_no_error(target_detach(t));
	inferior_check_untouched(&i, "S");
	inferior_finish(&i);
}
END_TEST

/* ---- job control ------------------------------------------------------------------------ */

/* Who stood still already when it was to be stopped tells nothing; who waits to be told will. */
static size_t count_group_stops(const struct target *t)
{
	size_t n = 0;

	vec_for_each (th, &t->threads)
		n += (*th)->stop.kind == STOP_GROUP && (*th)->state != THREAD_PENDING;
	return n;
}

START_TEST(a_stop_by_job_control_stays_until_SIGCONT)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = attach_to_counters(&i);
	taddr at = counter(&i, 0);
	struct told told = { 0 };
	struct event event;

	ck_assert_int_eq(kill(i.pid, SIGSTOP), 0);
	event = run_until(t, STOP_SIGNAL, &told);
	ck_assert_int_eq(event.stop.value, SIGSTOP);
	while (count_group_stops(t) < COUNTERS + 1) {
		event = run_until(t, STOP_GROUP, &told);
		ck_assert_int_eq(event.stop.value, SIGSTOP);
	}
	/* Resumed, they stand still for everybody... */
	ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
	struct places before = { 0 }, after;
	for (size_t n = 0; n < COUNTERS; n++)
		before.count[n] = inferior_peek(&i, at + n * COUNTER_SIZE);
	ck_assert_no_error(target_wait(t, 50 * 1000, &event));
	ck_assert_int_eq(event.stop.kind, STOP_NONE);
	/* ...also after we have stopped and resumed them once more... */
	ck_assert_no_error(target_stop_all(t));
	after = places_of(t, &i, at);
	ck_assert_mem_eq(after.count, before.count, sizeof(before.count));
	ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
	ck_assert_no_error(target_wait(t, 50 * 1000, &event));
	ck_assert_int_eq(event.stop.kind, STOP_NONE);
	for (size_t n = 0; n < COUNTERS; n++)
		ck_assert_uint_eq(inferior_peek(&i, at + n * COUNTER_SIZE), before.count[n]);
	/* ...and go on with SIGCONT, which somebody hears of once that is told. */
	ck_assert_int_eq(kill(i.pid, SIGCONT), 0);
	event = run_until(t, STOP_INTERRUPTED, &told);
	ck_assert_uint_eq(told.of[STOP_SIGNAL], 1);
	event = run_until(t, STOP_SIGNAL, &told);
	ck_assert_int_eq(event.stop.value, SIGCONT);
	for (size_t n = 0; n < COUNTERS; n++) {
		while (inferior_peek(&i, at + n * COUNTER_SIZE) == before.count[n]) {
			ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
			ck_assert_no_error(target_wait(t, 1000, &event));
		}
	}
	ck_assert_no_error(target_detach(t));
	inferior_check_untouched(&i, "S");
	inferior_finish(&i);
}
END_TEST

START_TEST(detached_in_a_stop_by_job_control_it_is_in_state_T)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = attach_to_counters(&i);
	struct told told = { 0 };

	ck_assert_int_eq(kill(i.pid, SIGSTOP), 0);
	while (count_group_stops(t) < COUNTERS + 1)
		run_until(t, STOP_GROUP, &told);
	if (_i) /* from where they listen, or from where they are stopped */
		ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
	ck_assert_no_error(target_detach(t));
	inferior_check_untouched(&i, "T");
	ck_assert_int_eq(kill(i.pid, SIGCONT), 0);
	inferior_check_untouched(&i, "S");
	inferior_finish(&i);
}
END_TEST

/* ---- ends ------------------------------------------------------------------------------- */

static const struct end {
	const char *script;
	enum stop_kind kind;
	long value;
} ends[] = {
	{ "exit 0", STOP_EXITED, 0 },
	{ "exit 7", STOP_EXITED, 7 },
	{ "kill -KILL $$", STOP_KILLED, SIGKILL },
	{ "kill -TERM $$", STOP_KILLED, SIGTERM },
	{ "kill -SEGV $$", STOP_KILLED, SIGSEGV },
};

START_TEST(an_end_is_told_with_its_reason)
{
	const char *argv[] = { "sh", "-c", ends[_i].script, NULL };
	struct launch_command command = { .argv = argv, .fds = { -1, -1, -1 } };
	AUTO_TARGET *t = NULL;
	const uint8_t *general;

	ck_assert_no_error(launch_target(&command, &t));
	struct event event = run_until(t, ends[_i].kind, NULL);
	ck_assert_int_eq(event.stop.value, ends[_i].value);
	ck_assert_int_eq(event.thread->lwp, t->pid);
	ck_assert_error(target_general(t, event.thread, &general), ERROR_GONE, "");
	ck_assert_error(target_stop_all(t), ERROR_GONE, "has ended");
	ck_assert_error(target_wait(t, -1, &event), ERROR_GONE, "has ended");
	ck_assert_no_error(target_detach(t));
	check_none_left(t);
}
END_TEST

START_TEST(an_end_met_while_stopping_all_is_told_afterwards)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = attach_to_counters(&i);

	ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
	cleanup_close(&i.in);
	i.in = -1;
	inferior_await_state(i.pid, 0, "Z");
	ck_assert_error(target_stop_all(t), ERROR_GONE, "has ended");
	struct event event = wait_event(t);
	ck_assert_int_eq(event.stop.kind, STOP_EXITED);
	ck_assert_int_eq(event.stop.value, 0);
	ck_assert_int_eq(event.thread->lwp, i.pid);
}
END_TEST

START_TEST(a_detached_target_can_only_be_freed)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = attach_to_counters(&i);
	struct event event;

	ck_assert_no_error(target_detach(t));
	ck_assert_no_error(target_detach(t));
	ck_assert_error(target_wait(t, -1, &event), ERROR_USAGE, "is not attached");
	ck_assert_error(target_stop_all(t), ERROR_USAGE, "is not attached");
	ck_assert_error(target_resume(t, NULL, RESUME_STEP), ERROR_USAGE, "is not attached");
	ck_assert_error(target_kill(t), ERROR_USAGE, "is not attached");
	inferior_finish(&i);
}
END_TEST

START_TEST(killing_reaps_every_thread)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = attach_to_counters(&i);

	if (_i)
		ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
	ck_assert_no_error(target_kill(t));
	check_none_left(t);
	ck_assert_int_eq(kill(i.pid, 0), -1);
	ck_assert_error(target_kill(t), ERROR_USAGE, "is not attached");
}
END_TEST

/* Which of its threads run when somebody else kills it. */
enum who_runs { NOBODY, EVERYBODY, ONE, NUM_WHO_RUNS };

START_TEST(being_killed_by_somebody_else_is_told)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = attach_to_counters(&i);
	uint64_t value;

	if (_i == EVERYBODY)
		ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
	if (_i == ONE)
		ck_assert_no_error(target_resume(t, t->threads.items[2], RESUME_CONTINUE));
	ck_assert_int_eq(kill(i.pid, SIGKILL), 0);
	struct event event = wait_event(t);
	ck_assert_int_eq(event.stop.kind, STOP_KILLED);
	ck_assert_int_eq(event.stop.value, SIGKILL);
	ck_assert_int_eq(event.thread->lwp, i.pid);
	ck_assert_error(target_read_uint(t, (taddr)(uintptr_t)&value, 8, &value), ERROR_NO_ADDRESS,
			"no memory");
	ck_assert_error(target_stop_all(t), ERROR_GONE, "has ended");
	check_none_left(t);
}
END_TEST

/* Killed where it stands, with its end not yet collected. *ret_sp: where a thread has its stack. */
static struct target *attach_and_kill(struct inferior *i, uint64_t *ret_sp)
{
	struct target *t = attach_to_counters(i);

	ck_assert_no_error(target_get_uint(t, t->threads.items[0], t->arch->sp, ret_sp));
	ck_assert_int_eq(kill(i->pid, SIGKILL), 0);
	vec_for_each (th, &t->threads)
		inferior_await_state(i->pid, (*th)->lwp, "Z");
	return t;
}

START_TEST(being_killed_while_stopped_does_no_harm)
{
	AUTO_INFERIOR i;
	uint64_t sp;
	AUTO_TARGET *t = attach_and_kill(&i, &sp);
	const struct reg *xmm0 = arch_find_reg(t->arch, "xmm0");
	uint8_t value[ARCH_REGISTER_MAX];
	size_t size;

	vec_for_each (th, &t->threads)
		ck_assert_error(target_get_register(t, *th, xmm0, value, &size), ERROR_GONE,
				"xmm0");
	ck_assert_error(target_read(t, sp, value, 8), ERROR_NO_ADDRESS, "no memory");
	ck_assert_error(target_write(t, sp, value, 8), ERROR_GONE, "writing to");
	ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
	struct event event = wait_event(t);
	ck_assert_int_eq(event.stop.kind, STOP_KILLED);
	ck_assert_no_error(target_detach(t));
	check_none_left(t);
}
END_TEST

START_TEST(stopping_what_was_killed_while_stopped_tells_that_it_ended)
{
	AUTO_INFERIOR i;
	uint64_t sp;
	AUTO_TARGET *t = attach_and_kill(&i, &sp);

	ck_assert_error(target_stop_all(t), ERROR_GONE, "has ended");
	ck_assert_no_error(target_detach(t));
	check_none_left(t);
}
END_TEST

START_TEST(detaching_from_what_was_killed_while_stopped_succeeds)
{
	AUTO_INFERIOR i;
	uint64_t sp;
	AUTO_TARGET *t = attach_and_kill(&i, &sp);

	ck_assert_no_error(target_detach(t));
	check_none_left(t);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("run_control");

	live_case(s, "all threads", 60, all_threads_stop_and_go_on_200_times,
		  stopping_what_is_stopped_and_resuming_what_runs_do_nothing,
		  waiting_ends_with_its_time);
	live_case(s, "one thread", 60, one_thread_steps_while_the_others_stand_still,
		  a_thread_steps_exactly_once_right_after_it_was_stopped,
		  a_signal_that_comes_into_a_step_is_told_after_it,
		  the_outcome_of_a_step_goes_before_what_others_tell,
		  one_thread_runs_while_the_others_stand_still,
		  a_step_with_a_signal_enters_its_handler);
	live_case(s, "job control", 60, a_stop_by_job_control_stays_until_SIGCONT);
	live_table(s, detached_in_a_stop_by_job_control_it_is_in_state_T, 60, 2);
	live_case(s, "ends", 60, an_end_met_while_stopping_all_is_told_afterwards,
		  a_detached_target_can_only_be_freed, being_killed_while_stopped_does_no_harm,
		  stopping_what_was_killed_while_stopped_tells_that_it_ended,
		  detaching_from_what_was_killed_while_stopped_succeeds);
	live_table(s, an_end_is_told_with_its_reason, 60, COUNT(ends));
	live_table(s, killing_reaps_every_thread, 60, 2);
	live_table(s, being_killed_by_somebody_else_is_told, 60, NUM_WHO_RUNS);
	return unit_run(s);
}
