/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a traced program makes: threads, processes, new programs; and threads that end. */
#include "inferior.h"

#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "target/modules/module.h"

static pid_t tracer_of(pid_t pid)
{
	struct proc_status status = { 0 };

	ck_assert_no_error(procfs_status(pid, 0, &status));
	return status.tracer;
}

/* ---- system calls ------------------------------------------------------------------------ */

static void trace(struct target *t, const int *calls, size_t n)
{
	struct call_set set = { .any = n > 0 };

	for (size_t i = 0; i < n; i++)
		set.bits[calls[i] / 8] |= (uint8_t)(1 << calls[i] % 8);
	ck_assert_no_error(target_trace_calls(t, &set));
}

START_TEST(calls_that_are_asked_for_are_told_at_both_ends)
{
	const int calls[] = { SYS_clone, SYS_clone3 };
	AUTO_INFERIOR i;
	AUTO_TARGET *t = inferior_launch(&i, ARGS("live_makes", "thread", "100"));
	struct told told = { 0 };

	trace(t, calls, COUNT(calls));
	for (int n = 0; n < 100; n++) {
		struct event enters = run_until(t, STOP_CALL, &told);
		struct event leaves = run_until(t, STOP_RETURN, &told);
		ck_assert_ptr_eq(enters.thread, leaves.thread);
		ck_assert_int_eq(enters.stop.value, leaves.stop.value);
		ck_assert(enters.stop.value == calls[0] || enters.stop.value == calls[1]);
	}
	run_to_end(t, &i, &told);
	ck_assert_uint_eq(told.of[STOP_CALL], 100);
	ck_assert_uint_eq(told.of[STOP_RETURN], 100);
	ck_assert_uint_eq(told.of[STOP_CLONE], 100);
}
END_TEST

START_TEST(a_process_is_let_go_in_the_middle_of_calls)
{
	const struct call_set all = { .any = true, .all = true };
	AUTO_INFERIOR i;

	ck_assert(inferior_start(&i, ARGS("churn")));
	AUTO_TARGET *t = inferior_attach(&i);
	ck_assert_no_error(target_trace_calls(t, &all));
	for (int n = 0; n < 300; n++) {
		run_until(t, n % 2 ? STOP_CALL : STOP_RETURN, NULL);
		if (n % 20 == 0)
			ck_assert_no_error(target_stop_all(t));
	}
	trace(t, NULL, 0); /* what is told from now on waited already */
	ck_assert_no_error(target_detach(t));
	inferior_check_untouched(&i, "S");
	inferior_finish(&i);
}
END_TEST

/* ---- threads and processes -------------------------------------------------------------- */

START_TEST(each_new_thread_is_told_once)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = inferior_launch(&i, ARGS("live_makes", "thread", "100"));

	for (int n = 0; n < 100; n++) {
		struct event event = run_until(t, STOP_CLONE, NULL);
		struct thread *made = target_find_thread(t, (pid_t)event.stop.value);
		ck_assert_int_eq(event.thread->lwp, t->pid);
		ck_assert_ptr_nonnull(made);
		ck_assert_int_eq(made->state, THREAD_STOPPED);
	}
	struct told told = { 0 };
	run_to_end(t, &i, &told);
	ck_assert_uint_eq(told.of[STOP_CLONE], 0);
	ck_assert_uint_le(t->threads.len, 2); /* ends of threads are noticed */
}
END_TEST

START_TEST(each_of_many_new_threads_stands_still_when_it_is_told)
{
	enum { TOLD = 1000 };
	AUTO_INFERIOR i;

	ck_assert(inferior_start(&i, ARGS("churn")));
	AUTO_TARGET *t = inferior_attach(&i);
	for (int n = 0; n < TOLD; n++) {
		struct event event = run_until(t, STOP_CLONE, NULL);
		struct thread *made = target_find_thread(t, (pid_t)event.stop.value);
		ck_assert_ptr_nonnull(made);
		ck_assert_int_eq(made->state, THREAD_STOPPED);
		if (n % 20 == 0)
			ck_assert_no_error(target_stop_all(t));
	}
	ck_assert_no_error(target_detach(t));
	inferior_check_untouched(&i, "S");
	inferior_finish(&i);
}
END_TEST

START_TEST(a_program_that_makes_threads_is_killed)
{
	for (int n = 0; n < 50; n++) {
		AUTO_INFERIOR i;
		ck_assert(inferior_start(&i, ARGS("churn")));
		AUTO_TARGET *t = inferior_attach(&i);
		for (int k = 0; k < n; k++)
			run_until(t, STOP_CLONE, NULL);
		ck_assert_int_eq(kill(i.pid, SIGKILL), 0);
		struct event event = run_until(t, STOP_KILLED, NULL);
		ck_assert_int_eq(event.thread->lwp, i.pid);
		check_none_left(t);
	}
}
END_TEST

static const struct made {
	const char *how;
	enum stop_kind kind;
	unsigned int dones;
} makes[] = {
	{ "fork", STOP_FORK, 0 },
	{ "vfork", STOP_VFORK, 1 },
	{ "share", STOP_CLONE, 0 },
};

START_TEST(each_new_process_is_told_once_and_goes_its_own_way)
{
	enum { MADE = 25 };
	const struct made *m = &makes[_i];
	AUTO_INFERIOR i;
	AUTO_TARGET *t = inferior_launch(&i, ARGS("live_makes", m->how, "25"));
	struct told told = { 0 };

	for (int n = 0; n < MADE; n++) {
		struct event event = run_until(t, m->kind, &told);
		pid_t made = (pid_t)event.stop.value;
		/* It stands still, is no thread of ours, and is let go with its parent. */
		ck_assert_ptr_null(target_find_thread(t, made));
		ck_assert_int_eq(tracer_of(made), tracer_process(t));
		inferior_await_state(made, 0, "t");
	}
	run_to_end(t, &i, &told);
	ck_assert_uint_eq(told.of[m->kind], MADE);
	ck_assert_uint_eq(told.of[STOP_VFORK_DONE], MADE * m->dones);
	check_none_left(t);
}
END_TEST

START_TEST(a_new_process_is_let_go_by_detaching)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = inferior_launch(&i, ARGS("live_makes", makes[_i].how, "5"));
	struct event event = run_until(t, makes[_i].kind, NULL);
	pid_t made = (pid_t)event.stop.value;

	ck_assert_int_eq(tracer_of(made), tracer_process(t));
	ck_assert_no_error(target_detach(t));
	inferior_await_ready(&i, 0);
	inferior_check_untouched(&i, "S");
	inferior_finish(&i);
}
END_TEST

START_TEST(forking_threads_are_followed)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = inferior_launch(&i, ARGS("forkers"));
	struct told told = { 0 };

	while (told.of[STOP_FORK] < 200 || told.of[STOP_VFORK] < 50)
		run_until(t, STOP_FORK, &told);
	run_to_end(t, &i, &told);
	/* clone() with SIGCHLD is told as a fork, whatever it shares. */
	ck_assert_uint_eq(told.of[STOP_CLONE], 4);
	ck_assert_uint_eq(told.of[STOP_VFORK_DONE], told.of[STOP_VFORK]);
	ck_assert_uint_eq(told.of[STOP_FORK], 2 * told.of[STOP_VFORK]);
	check_none_left(t);
}
END_TEST

START_TEST(forking_threads_are_attached_to_and_left)
{
	AUTO_INFERIOR i;

	ck_assert(inferior_start(&i, ARGS("forkers")));
	for (int n = 0; n < 30; n++) {
		AUTO_TARGET *t = inferior_attach(&i);
		if (n % 2)
			run_until(t, STOP_FORK, NULL);
		ck_assert_no_error(target_stop_all(t));
	}
	inferior_check_untouched(&i, "SRD");
	inferior_finish(&i);
}
END_TEST

/* ---- new programs ----------------------------------------------------------------------- */

START_TEST(each_exec_is_told_once)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = inferior_launch(&i, ARGS("live_makes", "exec", "20"));
	struct told told = { 0 };

	run_until_ready(t, &i, &told);
	ck_assert_uint_eq(told.of[STOP_EXEC], 20);
	run_to_end(t, &i, &told);
	ck_assert_uint_eq(told.of[STOP_EXEC], 20);
}
END_TEST

static void check_new_program(struct target *t, const struct event *event, const char *path)
{
	AUTO_FREE char *real = realpath(path, NULL);
	AUTO_MODULES *modules = NULL;
	uint64_t pc;

	ck_assert_uint_eq(t->threads.len, 1);
	ck_assert_ptr_eq(t->threads.items[0], event->thread);
	ck_assert_int_eq(event->thread->lwp, t->pid);
	ck_assert_int_ne(event->stop.value, t->pid); /* who called exec */
	ck_assert_str_eq(t->exe, real);
	ck_assert_no_error(target_get_uint(t, event->thread, t->arch->pc, &pc));
	ck_assert_no_error(module_list_read(t, &modules));
	ck_assert_ptr_nonnull(module_at(modules, pc));
}

START_TEST(an_exec_by_another_thread_than_the_leader_is_followed)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = inferior_launch(&i, ARGS("exec_nonleader", "3"));
	struct told told = { 0 };

	for (int n = 0; n < 3; n++) {
		struct event event = run_until(t, STOP_EXEC, &told);
		target_drop_gone(t);
		check_new_program(t, &event, i.path);
	}
	run_until_ready(t, &i, &told);
	ck_assert_uint_eq(count_threads(t, THREAD_STOPPED), 5);
	run_to_end(t, &i, &told);
	ck_assert_uint_eq(told.of[STOP_EXEC], 3);
	ck_assert_uint_eq(told.of[STOP_CLONE], 16);
}
END_TEST

/* Which is told first, that the leader has come to a trap or that its number is another one's, is
 * the kernel's choice; mostly it is the trap. */
START_TEST(who_is_ended_by_an_exec_is_not_resumed)
{
	for (int n = 0; n < 10; n++) {
		AUTO_INFERIOR i;
		AUTO_TARGET *t = inferior_launch(&i, ARGS("exec_meets"));
		struct event event = { 0 };

		ck_assert_no_error(target_plant(t, inferior_symbol(&i, "meet")));
		while (event.stop.kind != STOP_SITE && event.stop.kind != STOP_EXEC) {
			ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
			event = wait_event(t);
		}
		ck_assert_no_error(target_stop_all(t));
		if (event.thread->state == THREAD_STOPPED)
			ck_assert_no_error(target_resume(t, event.thread, RESUME_CONTINUE));
		if (event.stop.kind != STOP_EXEC)
			run_until(t, STOP_EXEC, NULL);
		run_until_ready(t, &i, NULL);
		run_to_end(t, &i, NULL);
	}
}
END_TEST

/* The thread of exec_nonleader that calls exec for each byte of its stdin. */
static struct thread *replacer(struct target *t)
{
	struct thread *found = NULL;
	uint64_t call;

	vec_for_each (th, &t->threads) {
		ck_assert_no_error(
			target_get_uint(t, *th, arch_find_reg(t->arch, "orig_rax"), &call));
		if (call == 0) /* read(2) */
			found = *th;
	}
	ck_assert_ptr_nonnull(found);
	return found;
}

START_TEST(an_exec_ends_threads_that_stand_still)
{
	AUTO_INFERIOR i;

	ck_assert(inferior_start(&i, ARGS("exec_nonleader", "0")));
	for (int n = 0; n < 3; n++) {
		size_t said = i.said.len;
		inferior_await_sleep(&i);
		AUTO_TARGET *t = inferior_attach(&i);
		ck_assert_no_error(target_resume(t, replacer(t), RESUME_CONTINUE));
		inferior_poke(&i);
		struct event event = wait_event(t);
		ck_assert_int_eq(event.stop.kind, STOP_EXEC);
		target_drop_gone(t);
		check_new_program(t, &event, i.path);
		ck_assert_no_error(target_detach(t));
		inferior_await_ready(&i, said);
	}
	inferior_check_untouched(&i, "S");
	inferior_finish(&i);
}
END_TEST

/* Whether it waits for the new program, or stops the process until it comes upon it. */
START_TEST(an_exec_gives_the_number_of_a_dead_leader_to_its_caller)
{
	AUTO_INFERIOR i;
	struct event event = { 0 };

	ck_assert(inferior_start(&i, ARGS("live_orphan_exec")));
	size_t said = i.said.len;
	AUTO_FREE char *real = realpath(i.path, NULL);
	AUTO_TARGET *t = inferior_attach(&i);
	ck_assert_uint_eq(t->threads.len, 1);
	ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
	inferior_poke(&i);
	while (_i && event.stop.kind != STOP_EXEC) {
		ck_assert_no_error(target_stop_all(t));
		ck_assert_no_error(target_wait(t, 0, &event));
		ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
	}
	if (!_i)
		event = run_until(t, STOP_EXEC, NULL);
	ck_assert_int_eq(event.thread->lwp, i.pid);
	ck_assert_str_eq(t->exe, real);
	ck_assert_no_error(target_detach(t));
	inferior_await_ready(&i, said);
	inferior_check_untouched(&i, "S");
	inferior_finish(&i);
}
END_TEST

START_TEST(an_exec_loop_is_attached_to_and_left)
{
	AUTO_INFERIOR i;

	ck_assert(inferior_start(&i, ARGS("exec_loop")));
	for (int n = 0; n < 20; n++) {
		AUTO_TARGET *t = inferior_attach(&i);
		if (n % 2)
			run_until(t, STOP_EXEC, NULL);
		ck_assert_no_error(target_stop_all(t));
		ck_assert_uint_eq(count_threads(t, THREAD_STOPPED), 1);
	}
	inferior_check_untouched(&i, "SR");
	inferior_finish(&i);
}
END_TEST

/* ---- ends of threads -------------------------------------------------------------------- */

static void check_zombie_leader(struct target *t)
{
	AUTO_MODULES *modules = NULL;
	struct thread *leader = target_find_thread(t, t->pid);

	ck_assert_uint_eq(count_threads(t, THREAD_STOPPED), 3);
	ck_assert(!leader || leader->state == THREAD_ZOMBIE);
	/* Its files in /proc are empty; those of another thread serve. */
	ck_assert_no_error(module_list_read(t, &modules));
	vec_for_each (th, &t->threads) {
		uint64_t pc;
		if (*th == leader)
			continue;
		ck_assert_no_error(target_get_uint(t, *th, t->arch->pc, &pc));
		ck_assert_ptr_nonnull(module_at(modules, pc));
	}
}

START_TEST(a_leader_that_exits_leaves_the_others_traced)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = inferior_launch(&i, ARGS("zombie_leader"));
	struct told told = { 0 };

	run_until_ready(t, &i, &told);
	check_zombie_leader(t);
	for (int n = 0; n < 20; n++) {
		ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
		ck_assert_no_error(target_stop_all(t));
	}
	check_zombie_leader(t);
	run_to_end(t, &i, &told);
	ck_assert_uint_eq(told.of[STOP_EXITED], 1);
}
END_TEST

START_TEST(a_leader_that_has_exited_does_not_keep_from_attaching)
{
	AUTO_INFERIOR i;

	ck_assert(inferior_start(&i, ARGS("zombie_leader")));
	for (int n = 0; n < 5; n++) {
		AUTO_TARGET *t = inferior_attach(&i);
		check_zombie_leader(t);
		ck_assert_int_eq(t->pid, i.pid);
		ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
		ck_assert_no_error(target_stop_all(t));
		check_zombie_leader(t);
	}
	inferior_finish(&i);
}
END_TEST

START_TEST(the_end_is_told_though_the_leader_was_dead_before)
{
	AUTO_INFERIOR i;

	ck_assert(inferior_start(&i, ARGS("zombie_leader")));
	AUTO_TARGET *t = inferior_attach(&i);
	cleanup_close(&i.in);
	i.in = -1;
	struct event event = run_until(t, STOP_EXITED, NULL);
	ck_assert_ptr_null(event.thread);
	ck_assert_int_eq(event.stop.value, -1);
	ck_assert_error(target_wait(t, -1, &event), ERROR_GONE, "has ended"); /* told once */
}
END_TEST

int main(void)
{
	Suite *s = suite_create("events");

	live_case(s, "system calls", 60, calls_that_are_asked_for_are_told_at_both_ends,
		  a_process_is_let_go_in_the_middle_of_calls);
	live_case(s, "threads and processes", 60, each_new_thread_is_told_once,
		  each_of_many_new_threads_stands_still_when_it_is_told,
		  a_program_that_makes_threads_is_killed, forking_threads_are_followed,
		  forking_threads_are_attached_to_and_left);
	live_table(s, each_new_process_is_told_once_and_goes_its_own_way, 60, COUNT(makes));
	live_table(s, a_new_process_is_let_go_by_detaching, 60, COUNT(makes));
	live_case(s, "new programs", 60, each_exec_is_told_once,
		  an_exec_by_another_thread_than_the_leader_is_followed,
		  who_is_ended_by_an_exec_is_not_resumed, an_exec_ends_threads_that_stand_still,
		  an_exec_loop_is_attached_to_and_left);
	live_table(s, an_exec_gives_the_number_of_a_dead_leader_to_its_caller, 60, 2);
	live_case(s, "ends of threads", 60, a_leader_that_exits_leaves_the_others_traced,
		  a_leader_that_has_exited_does_not_keep_from_attaching,
		  the_end_is_told_though_the_leader_was_dead_before);
	return unit_run(s);
}
