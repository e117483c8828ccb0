/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Attaching to processes of all kinds, and leaving them as they were. */
#include "inferior.h"

#include <elf.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

static size_t count_tasks(pid_t pid)
{
	struct lwp_list lwps = { 0 };

	ck_assert_no_error(procfs_tasks(pid, &lwps));
	size_t n = lwps.len;
	vec_fini(&lwps);
	return n;
}

/* Every thread there is belongs to the target and is stopped. */
static void check_complete(const struct target *t)
{
	struct lwp_list lwps = { 0 };

	ck_assert_no_error(procfs_tasks(t->pid, &lwps));
	vec_for_each (lwp, &lwps) {
		struct thread *th = target_find_thread(t, *lwp);
		struct proc_stat stat = { 0 };
		if (th && thread_state_stands(th->state))
			continue;
		/* What is missing was dying when we came. */
		error_ignore(procfs_stat(t->pid, *lwp, &stat));
		ck_assert_msg(!stat.state || strchr("ZX", stat.state), "thread %d runs: %c", *lwp,
			      stat.state);
	}
	ck_assert_uint_eq(count_threads(t, THREAD_STOPPED), t->threads.len);
	vec_fini(&lwps);
}

START_TEST(all_threads_are_stopped_and_let_go)
{
	AUTO_INFERIOR i;

	ck_assert(inferior_start(&i, ARGS("sleepers", "64")));
	inferior_await_sleep(&i);
	for (int n = 0; n < 10; n++) {
		struct target *t = inferior_attach(&i);
		AUTO_FREE char *real = realpath(i.path, NULL);
		ck_assert_uint_eq(t->threads.len, 64);
		check_complete(t);
		ck_assert_str_eq(t->exe, real);
		ck_assert_str_eq(target_thread_name(t, t->threads.items[63]), "sleepers");
		ck_assert_no_error(target_detach(t));
		inferior_check_untouched(&i, "S");
		target_free(t);
	}
	inferior_finish(&i);
}
END_TEST

START_TEST(any_thread_names_the_process)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = NULL;
	struct lwp_list lwps = { 0 };

	ck_assert(inferior_start(&i, ARGS("sleepers", "8")));
	ck_assert_no_error(procfs_tasks(i.pid, &lwps));
	ck_assert_no_error(attach_target(lwps.items[5], &t));
	vec_fini(&lwps);
	ck_assert_int_eq(t->pid, i.pid);
	ck_assert_uint_eq(t->threads.len, 8);
	ck_assert_no_error(target_detach(t));
	inferior_finish(&i);
}
END_TEST

START_TEST(what_is_open_is_read_while_it_runs)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = NULL;
	struct map_list maps = { 0 };
	Elf64_Ehdr header;

	ck_assert(inferior_start(&i, ARGS("sleepers", "8")));
	ck_assert_no_error(live_open(i.pid, &t));
	inferior_check_untouched(&i, "S");
	ck_assert_uint_eq(t->threads.len, 0);
	ck_assert_ptr_nonnull(t->exe);
	ck_assert_no_error(target_maps(t, &maps));
	ck_assert_no_error(target_read(t, maps.items[0].start, &header, sizeof(header)));
	ck_assert(!memcmp(header.e_ident, ELFMAG, SELFMAG));
	map_list_fini(&maps);
	ck_assert_no_error(target_attach(t));
	ck_assert_uint_eq(count_threads(t, THREAD_STOPPED), 8);
	ck_assert_no_error(target_detach(t));
	inferior_check_untouched(&i, "S");
	inferior_finish(&i);
}
END_TEST

START_TEST(what_is_open_may_have_ended_since)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = NULL;

	ck_assert(inferior_start(&i, ARGS("sleepers", "8")));
	ck_assert_no_error(live_open(i.pid, &t));
	inferior_finish(&i);
	ck_assert_error(target_attach(t), ERROR_GONE, "ended while ompdb attached");
}
END_TEST

START_TEST(many_threads_are_stopped_and_let_go)
{
	AUTO_INFERIOR i;

	ck_assert(inferior_start(&i, ARGS("sleepers", "2048")));
	AUTO_TARGET *t = inferior_attach(&i);
	ck_assert_uint_eq(count_threads(t, THREAD_STOPPED), 2048);
	ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
	ck_assert_no_error(target_stop_all(t));
	ck_assert_uint_eq(count_threads(t, THREAD_STOPPED), 2048);
	ck_assert_no_error(target_detach(t));
	inferior_check_untouched(&i, "S");
	inferior_finish(&i);
}
END_TEST

START_TEST(a_process_in_state_T_stays_there)
{
	AUTO_INFERIOR i;

	ck_assert(inferior_start(&i, ARGS("live_count", "4")));
	ck_assert_int_eq(kill(i.pid, SIGSTOP), 0);
	inferior_await_state(i.pid, 0, "T");
	for (int n = 0; n < 10; n++) {
		AUTO_TARGET *t = inferior_attach(&i);
		ck_assert_uint_eq(t->threads.len, 5);
		vec_for_each (th, &t->threads)
			ck_assert_int_eq((*th)->stop.kind, STOP_GROUP);
		if (n % 2) {
			struct event event;
			ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
			ck_assert_no_error(target_wait(t, 10 * 1000, &event));
			ck_assert_int_eq(event.stop.kind, STOP_NONE);
		}
		ck_assert_no_error(target_detach(t));
		inferior_check_untouched(&i, "T");
	}
	ck_assert_int_eq(kill(i.pid, SIGCONT), 0);
	inferior_check_untouched(&i, "S");
	inferior_finish(&i);
}
END_TEST

START_TEST(SIGCONT_while_attached_sets_a_process_in_state_T_free)
{
	AUTO_INFERIOR i;

	ck_assert(inferior_start(&i, ARGS("live_count", "4")));
	ck_assert_int_eq(kill(i.pid, SIGSTOP), 0);
	inferior_await_state(i.pid, 0, "T");
	AUTO_TARGET *t = inferior_attach(&i);
	ck_assert_int_eq(kill(i.pid, SIGCONT), 0);
	ck_assert_no_error(target_detach(t));
	inferior_check_untouched(&i, "S");
	inferior_finish(&i);
}
END_TEST

/* ---- threads that come and go ----------------------------------------------------------- */

START_TEST(threads_that_come_and_go_are_all_found)
{
	AUTO_INFERIOR i;

	ck_assert(inferior_start(&i, ARGS("churn")));
	for (int n = 0; n < 30; n++) {
		AUTO_TARGET *t = inferior_attach(&i);
		check_complete(t);
		ck_assert_no_error(target_detach(t));
		inferior_check_untouched(&i, "S");
	}
	inferior_finish(&i);
}
END_TEST

/* Its maker was attached to when the kernel had decided already that nobody traces it. */
START_TEST(a_thread_in_the_making_is_found)
{
	AUTO_INFERIOR i;

	ck_assert(inferior_start(&i, ARGS("slow_makes")));
	for (int n = 0; n < 100; n++) {
		AUTO_TARGET *t = inferior_attach(&i);
		check_complete(t);
		ck_assert_no_error(target_detach(t));
	}
	inferior_finish(&i);
}
END_TEST

START_TEST(threads_that_come_and_go_are_stopped_and_resumed)
{
	AUTO_INFERIOR i;

	ck_assert(inferior_start(&i, ARGS("churn")));
	AUTO_TARGET *t = inferior_attach(&i);
	for (int n = 0; n < 50; n++) {
		ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
		for (int k = 0; k < n; k++)
			run_until(t, STOP_CLONE, NULL);
		ck_assert_no_error(target_stop_all(t));
		target_drop_gone(t);
		check_complete(t);
	}
	ck_assert_no_error(target_detach(t));
	inferior_check_untouched(&i, "S");
	inferior_finish(&i);
}
END_TEST

/* ---- threads that cannot be stopped ----------------------------------------------------- */

static long now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

START_TEST(a_thread_in_state_D_is_stuck_and_goes_on_later)
{
	AUTO_INFERIOR i;
	const uint8_t *general;

	ck_assert(inferior_start(&i, ARGS("vfork_d")));
	long start = now_ms();
	AUTO_TARGET *t = inferior_attach(&i);
	ck_assert_int_lt(now_ms() - start, 1500);
	struct thread *stuck = target_find_thread(t, i.pid);
	ck_assert_int_eq(stuck->state, THREAD_STUCK);
	ck_assert_uint_eq(count_threads(t, THREAD_STOPPED), 1);
	ck_assert_error(target_general(t, stuck, &general), ERROR_UNSUPPORTED, "is not stopped");
	/* Once more, then out of state D while we look on. */
	ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
	ck_assert_no_error(target_stop_all(t));
	ck_assert_int_eq(stuck->state, THREAD_STUCK);
	ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
	cleanup_close(&i.in);
	i.in = -1;
	/* Each goes on alone, so that none is set free by chance; a tracer has stopped all. */
	struct told told = { 0 };
	struct event event = wait_event(t);
	for (; !stop_is_end(&event.stop); event = wait_event(t)) {
		told.of[event.stop.kind]++;
		struct thread *next = is_traced() ? NULL : event.thread;
		ck_assert_no_error(target_resume(t, next, RESUME_CONTINUE));
	}
	ck_assert_int_eq(event.stop.kind, STOP_EXITED);
	ck_assert_int_eq(event.stop.value, 0);
	ck_assert_uint_eq(told.of[STOP_VFORK_DONE], 1);
	/* SIGCHLD of the child, unless the thread that got it was ended by the other's exit. */
	ck_assert_uint_le(told.of[STOP_SIGNAL], 1);
}
END_TEST

/* Attaches in a process of its own, which then ends: only that sets a stuck thread free. */
static void attach_and_end(const struct inferior *i, bool detach)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		struct target *t = inferior_attach(i);
		if (detach)
			ck_assert_no_error(target_detach(t));
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
}

START_TEST(a_thread_in_state_D_is_left_untouched)
{
	AUTO_INFERIOR i;

	ck_assert(inferior_start(&i, ARGS("vfork_d")));
	attach_and_end(&i, _i);
	inferior_check_untouched(&i, "D");
	inferior_finish(&i);
}
END_TEST

START_TEST(a_worker_of_the_kernel_is_marked)
{
	AUTO_INFERIOR i;
	unsigned int workers = 0;

	if (!inferior_start(&i, ARGS("iouring")))
		return;
	for (int n = 0; n < 5; n++) {
		AUTO_TARGET *t = inferior_attach(&i);
		ck_assert_uint_eq(t->threads.len, count_tasks(i.pid));
		vec_for_each (th, &t->threads) {
			ck_assert((*th)->lwp != i.pid || !(*th)->kernel_worker);
			workers += (*th)->kernel_worker;
		}
		ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
		ck_assert_no_error(target_stop_all(t));
	}
	ck_assert_uint_ge(workers, 5);
	inferior_check_untouched(&i, "S");
	inferior_finish(&i);
}
END_TEST

/* ---- refusals --------------------------------------------------------------------------- */

/* A process that waits until it is killed, set up by a function. */
static pid_t fork_other(void (*prepare)(void))
{
	int done[2];
	char byte;

	ck_assert_int_eq(pipe2(done, O_CLOEXEC), 0);
	pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prepare();
		close(done[1]);
		for (;;)
			pause();
	}
	close(done[1]);
	ck_assert_int_eq(read(done[0], &byte, 1), 0);
	close(done[0]);
	return pid;
}

static void do_nothing(void)
{
}

static void exit_now(void)
{
	_exit(3);
}

START_TEST(what_is_no_process_is_refused)
{
	struct target *t = NULL;
	pid_t pid = fork_other(do_nothing);

	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	ck_assert_error(attach_target(pid, &t), ERROR_NOT_FOUND, "there is no process");
	ck_assert_error(attach_target(0, &t), ERROR_NOT_FOUND, "there is no process 0");
	ck_assert_error(attach_target(-1, &t), ERROR_NOT_FOUND, "there is no process -1");
	ck_assert_error(attach_target(getpid(), &t), ERROR_UNSUPPORTED, "is ompdb itself");
	ck_assert_ptr_null(t);
}
END_TEST

START_TEST(a_zombie_is_refused)
{
	struct target *t = NULL;
	pid_t pid = fork_other(exit_now);

	inferior_await_state(pid, 0, "Z");
	ck_assert_error(attach_target(pid, &t), ERROR_UNSUPPORTED,
			"has already ended: it is a zombie");
	int status;
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(WEXITSTATUS(status), 3);
}
END_TEST

START_TEST(a_kernel_thread_is_refused)
{
	struct target *t = NULL;
	struct proc_status status = { 0 };
	struct error *err = procfs_status(2, 0, &status);

	error_ignore(err);
	if (err || !status.kernel_thread)
		return; /* in a process namespace of its own */
	ck_assert_error(attach_target(2, &t), ERROR_UNSUPPORTED, "is a kernel thread");
}
END_TEST

START_TEST(a_traced_process_is_refused_and_its_tracer_named)
{
	AUTO_INFERIOR i;
	AUTO_BUF children = { 0 };
	struct target *t = NULL;
	char path[64], named[64];

	if (!inferior_start(&i, ARGS("traced")))
		return;
	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", i.pid, i.pid);
	ck_assert_no_error(buf_add_file(&children, path, 64));
	snprintf(named, sizeof(named), "being traced by process %d (traced)", i.pid);
	ck_assert_error(attach_target(atoi(buf_text(&children)), &t), ERROR_NOT_PERMITTED, named);
	inferior_finish(&i);
}
END_TEST

START_TEST(what_is_attached_already_is_refused)
{
	AUTO_INFERIOR i;
	struct target *second = NULL;

	ck_assert(inferior_start(&i, ARGS("sleepers", "4")));
	AUTO_TARGET *t = inferior_attach(&i);
	ck_assert_error(attach_target(i.pid, &second), ERROR_NOT_PERMITTED,
			"already being traced by");
	ck_assert_no_error(target_detach(t));
	inferior_check_untouched(&i, "S");
	inferior_finish(&i);
}
END_TEST

START_TEST(a_program_for_32_bits_is_refused)
{
	AUTO_INFERIOR i;
	struct target *t = NULL;

	if (!inferior_start(&i, ARGS("tiny32")))
		return;
	ck_assert_error(attach_target(i.pid, &t), ERROR_UNSUPPORTED, "i386");
	inferior_check_untouched(&i, "S");
	inferior_finish(&i);
}
END_TEST

static void become_nobody(void)
{
	ck_assert(setgroups(0, NULL) == 0 && setgid(65534) == 0 && setuid(65534) == 0);
}

static void be_protected(void)
{
	become_nobody();
	prctl(PR_SET_DUMPABLE, 0);
}

START_TEST(a_process_of_somebody_else_is_refused)
{
	struct target *t = NULL;

	if (geteuid() != 0)
		return;
	pid_t pid = fork_other(do_nothing);
	become_nobody();
	ck_assert_error(attach_target(pid, &t), ERROR_NOT_PERMITTED,
			"belongs to user root (uid 0)");
}
END_TEST

START_TEST(a_protected_process_is_refused)
{
	struct target *t = NULL;

	if (geteuid() != 0)
		return;
	pid_t pid = fork_other(be_protected);
	become_nobody();
	ck_assert_error(attach_target(pid, &t), ERROR_NOT_PERMITTED, "is protected");
}
END_TEST

/* ---- ends while attaching --------------------------------------------------------------- */

START_TEST(a_process_that_ends_meanwhile_is_told_or_attached)
{
	for (int n = 0; n < 60; n++) {
		AUTO_INFERIOR i;
		struct target *t = NULL;
		ck_assert(inferior_start(&i, ARGS("sleepers", "4")));
		cleanup_close(&i.in);
		i.in = -1;
		/* Sooner and later. */
		for (volatile int delay = 0; delay < n * 8000; delay++)
			;
		struct error *err = attach_target(i.pid, &t);
		if (err)
			ck_assert_msg(error_is(err, ERROR_GONE) ||
					      error_is(err, ERROR_UNSUPPORTED) ||
					      error_is(err, ERROR_NOT_FOUND),
				      "%s", error_message(err));
		error_free(err);
		target_free(t);
		int status, got = waitpid(i.pid, &status, 0);
		/* Its end was collected by the tracer, which is its parent here, or is now. */
		ck_assert(got == -1 || (got == i.pid && status == 0));
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("attach");

	live_case(s, "attaching", 60, all_threads_are_stopped_and_let_go,
		  any_thread_names_the_process, what_is_open_is_read_while_it_runs,
		  what_is_open_may_have_ended_since, many_threads_are_stopped_and_let_go,
		  a_process_in_state_T_stays_there,
		  SIGCONT_while_attached_sets_a_process_in_state_T_free);
	live_case(s, "threads that come and go", 60, threads_that_come_and_go_are_all_found,
		  a_thread_in_the_making_is_found,
		  threads_that_come_and_go_are_stopped_and_resumed);
	live_case(s, "threads that cannot be stopped", 60,
		  a_thread_in_state_D_is_stuck_and_goes_on_later, a_worker_of_the_kernel_is_marked);
	live_table(s, a_thread_in_state_D_is_left_untouched, 60, 2);
	live_case(s, "refusals", 60, what_is_no_process_is_refused, a_zombie_is_refused,
		  a_kernel_thread_is_refused, a_traced_process_is_refused_and_its_tracer_named,
		  what_is_attached_already_is_refused, a_program_for_32_bits_is_refused,
		  a_process_of_somebody_else_is_refused, a_protected_process_is_refused);
	live_case(s, "ends", 60, a_process_that_ends_meanwhile_is_told_or_attached);
	return unit_run(s);
}
