/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A tracer in a process of its own: what it is, what it leaves alone, what happens when it ends. */
#include "inferior.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>

static struct buf file_of(pid_t pid, const char *name)
{
	struct buf text = { 0 };
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	ck_assert_no_error(buf_add_file(&text, path, 1 << 16));
	return text;
}

/* ---- what it is ------------------------------------------------------------------------- */

static size_t count_files(pid_t pid, const char *beginning)
{
	char path[320], link[PATH_MAX];
	size_t n = 0;

	snprintf(path, sizeof(path), "/proc/%d/fd", pid);
	DIR *files = opendir(path);
	ck_assert_ptr_nonnull(files);
	for (struct dirent *d; (d = readdir(files));) {
		snprintf(path, sizeof(path), "/proc/%d/fd/%s", pid, d->d_name);
		ssize_t len = readlink(path, link, sizeof(link) - 1);
		link[len > 0 ? len : 0] = '\0';
		n += len > 0 && !strncmp(link, beginning, strlen(beginning));
	}
	closedir(files);
	return n;
}

START_TEST(it_is_not_called_as_ompdb_and_holds_nothing_of_it)
{
	AUTO_INFERIOR i;
	int ours[2];

	ck_assert_int_eq(pipe(ours), 0); /* without O_CLOEXEC */
	AUTO_TARGET *t = inferior_launch(&i, ARGS("live_args"));
	pid_t tracer = traced_tracer(t);
	AUTO_BUF comm = file_of(tracer, "comm");
	AUTO_BUF cmdline = file_of(tracer, "cmdline");
	ck_assert_str_eq(buf_text(&comm), "openmp-tracer\n");
	ck_assert_str_eq(buf_text(&cmdline), "openmp-tracer");
	ck_assert_uint_eq(count_files(tracer, "/dev/null"), 3);
	ck_assert_uint_eq(count_files(tracer, "pipe:"), 0);
	ck_assert_uint_eq(count_files(tracer, "socket:"), 1);
	ck_assert_int_eq(getpgid(tracer), tracer);
	ck_assert_int_eq(getsid(tracer), getsid(0));
}
END_TEST

START_TEST(signals_that_are_meant_for_ompdb_do_not_end_it)
{
	static const int signals[] = { SIGINT,  SIGQUIT, SIGTSTP, SIGTTIN,
				       SIGTTOU, SIGHUP,  SIGTERM, SIGPIPE };
	AUTO_INFERIOR i;
	struct told told = { 0 };
	AUTO_TARGET *t = inferior_launch(&i, ARGS("live_args"));

	for (size_t n = 0; n < COUNT(signals); n++)
		ck_assert_int_eq(kill(traced_tracer(t), signals[n]), 0);
	run_until_ready(t, &i, &told);
	run_to_end(t, &i, &told);
}
END_TEST

/* The line of a status file that begins so. */
static void check_same_line(const struct buf *a, const struct buf *b, const char *line)
{
	const char *one = strstr(buf_text(a), line), *other = strstr(buf_text(b), line);

	ck_assert(one && other);
	ck_assert_msg(!strncmp(one, other, strcspn(one, "\n") + 1), "%.40s, and not %.40s", one,
		      other);
}

START_TEST(a_program_inherits_what_ompdb_inherited)
{
	AUTO_INFERIOR alone;
	AUTO_INFERIOR i;

	ck_assert(inferior_start(&alone, ARGS("live_args")));
	/* As ompdb does to itself, after it has noted how things were: each test does so once. */
	target_free(inferior_launch(&i, ARGS("live_args")));
	inferior_fini(&i);
	struct rlimit limit;
	sigset_t set;
	sigfillset(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGUSR1, SIG_IGN);
	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = 99;
	setrlimit(RLIMIT_NOFILE, &limit);
	AUTO_TARGET *t = inferior_launch(&i, ARGS("live_args"));
	run_until_ready(t, &i, NULL);
	static const char *const files[] = { "oom_score_adj", "limits" };
	for (size_t n = 0; n < COUNT(files); n++) {
		AUTO_BUF without = file_of(alone.pid, files[n]);
		AUTO_BUF with = file_of(t->pid, files[n]);
		ck_assert_str_eq(buf_text(&with), buf_text(&without));
	}
	AUTO_BUF without = file_of(alone.pid, "status");
	AUTO_BUF with = file_of(t->pid, "status");
	check_same_line(&with, &without, "SigBlk:");
	check_same_line(&with, &without, "SigIgn:");
	check_same_line(&with, &without, "SigCgt:");
	inferior_finish(&alone);
}
END_TEST

/* ---- waiting ---------------------------------------------------------------------------- */

START_TEST(stopping_ends_a_wait)
{
	AUTO_INFERIOR i;
	struct event event;

	ck_assert(inferior_start(&i, ARGS("live_count", "4")));
	AUTO_TARGET *t = inferior_attach(&i);
	for (int n = 0; n < 50; n++) {
		ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
		ck_assert_no_error(target_wait(t, n % 2 ? 1000 : 0, &event));
		ck_assert_int_eq(event.stop.kind, STOP_NONE);
		ck_assert_no_error(target_stop_all(t));
		ck_assert_uint_eq(count_threads(t, THREAD_STOPPED), 5);
	}
	ck_assert_no_error(target_detach(t));
	inferior_check_untouched(&i, "S");
	inferior_finish(&i);
}
END_TEST

static volatile sig_atomic_t heard;

static void hear(int signal)
{
	heard = signal;
}

START_TEST(a_signal_for_ompdb_ends_a_wait)
{
	AUTO_INFERIOR i;
	struct event event;
	struct sigaction action = { .sa_handler = hear };

	sigaction(SIGALRM, &action, NULL);
	ck_assert(inferior_start(&i, ARGS("live_count", "4")));
	AUTO_TARGET *t = inferior_attach(&i);
	ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
	alarm(1);
	while (!heard) {
		ck_assert_no_error(target_wait(t, -1, &event));
		ck_assert_int_eq(event.stop.kind, STOP_NONE);
	}
	ck_assert_no_error(target_detach(t));
	inferior_finish(&i);
}
END_TEST

/* ---- the end of ompdb -------------------------------------------------------------------- */

/* ompdb, which has planted a trap and says so, and is killed then. */
static void attach_and_die(const struct inferior *i)
{
	int report[2];
	char byte;
	struct target *t;

	ck_assert_int_eq(pipe2(report, O_CLOEXEC), 0);
	pid_t ompdb = fork();
	if (ompdb == 0) {
		if (traced_attach(i->pid, &t) || target_plant(t, inferior_symbol(i, "main")) ||
		    write(report[1], "x", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(report[1]);
	ck_assert_int_eq(read(report[0], &byte, 1), 1);
	close(report[0]);
	ck_assert_int_eq(kill(ompdb, SIGKILL), 0);
	ck_assert_int_eq(waitpid(ompdb, NULL, 0), ompdb);
}

START_TEST(a_process_in_state_T_stays_there_when_ompdb_dies)
{
	AUTO_INFERIOR i;

	ck_assert(inferior_start(&i, ARGS("live_count", "4")));
	ck_assert_int_eq(kill(i.pid, SIGSTOP), 0);
	inferior_await_state(i.pid, 0, "T");
	for (int n = 0; n < 10; n++) {
		attach_and_die(&i);
		inferior_check_untouched(&i, "T");
	}
	ck_assert_int_eq(kill(i.pid, SIGCONT), 0);
	inferior_check_untouched(&i, "S");
	inferior_finish(&i);
}
END_TEST

/* ---- its end ---------------------------------------------------------------------------- */

static void kill_tracer(const struct target *t)
{
	pid_t tracer = traced_tracer(t);

	ck_assert_int_eq(kill(tracer, SIGKILL), 0);
	inferior_await_state(tracer, 0, "Z");
}

START_TEST(a_launched_program_is_killed_with_it_and_that_is_said)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = inferior_launch(&i, ARGS("live_args"));
	struct event event;
	uint64_t word;

	kill_tracer(t);
	ck_assert_error(target_wait(t, -1, &event), ERROR_GONE, "the program was killed with it");
	ck_assert_error(target_resume(t, NULL, RESUME_CONTINUE), ERROR_GONE, "not traced any");
	ck_assert_error(target_stop_all(t), ERROR_GONE, "has ended");
	ck_assert_error(target_kill(t), ERROR_GONE, "has ended");
	ck_assert_error(target_read_uint(t, 0x1000, 8, &word), ERROR_NO_ADDRESS, "");
	ck_assert_int_eq(target_wait_fd(t), -1);
}
END_TEST

START_TEST(an_attached_program_goes_on_without_it_and_without_traps)
{
	AUTO_INFERIOR i;
	struct event event;

	ck_assert(inferior_start(&i, ARGS("sleepers", "4")));
	inferior_await_sleep(&i);
	AUTO_TARGET *t = inferior_attach(&i);
	for (int n = 0; n < 2 * _i; n++) /* where nobody comes any more */
		ck_assert_no_error(target_plant(t, inferior_symbol(&i, "main") + (taddr)n));
	kill_tracer(t);
	ck_assert_error(target_wait(t, -1, &event), ERROR_GONE,
			_i ? "2 traps that were left in it were taken out" : "goes on without it");
	inferior_check_untouched(&i, "S");
	inferior_finish(&i);
}
END_TEST

/* They outlive the tracer. */
START_TEST(debug_registers_that_are_left_are_cleared)
{
	AUTO_INFERIOR i;
	struct event event;

	ck_assert(inferior_start(&i, ARGS("live_hard", "calls")));
	inferior_await_sleep(&i);
	AUTO_TARGET *t = inferior_attach(&i);
	struct point p = { .id = 1,
			   .kind = POINT_CODE_HARD,
			   .addr = inferior_symbol(&i, "at_sleep") };
	ck_assert_no_error(target_set_point(t, &p));
	kill_tracer(t);
	ck_assert_error(target_wait(t, -1, &event), ERROR_GONE, "were cleared");
	inferior_check_untouched(&i, "S");
	inferior_poke(&i); /* it comes there */
	inferior_finish(&i);
}
END_TEST

/* They are cleared by a tracer of a moment; what job control had stopped stays so. */
START_TEST(debug_registers_are_cleared_in_state_T)
{
	AUTO_INFERIOR i;
	struct event event;

	ck_assert(inferior_start(&i, ARGS("live_hard", "calls")));
	inferior_await_sleep(&i);
	ck_assert_int_eq(kill(i.pid, SIGSTOP), 0);
	inferior_await_state(i.pid, 0, "T");
	AUTO_TARGET *t = inferior_attach(&i);
	struct point p = { .id = 1,
			   .kind = POINT_CODE_HARD,
			   .addr = inferior_symbol(&i, "at_sleep") };
	ck_assert_no_error(target_set_point(t, &p));
	kill_tracer(t);
	ck_assert_error(target_wait(t, -1, &event), ERROR_GONE, "were cleared");
	inferior_check_untouched(&i, "T");
	ck_assert_int_eq(kill(i.pid, SIGCONT), 0);
	inferior_poke(&i);
	inferior_finish(&i);
}
END_TEST

static const enum point_kind hot[] = { POINT_CODE, POINT_CODE_HARD, POINT_WRITE };

/* All threads come there all the time: they live if ompdb is the first, and it says who was. */
START_TEST(what_became_of_a_busy_program_is_told_as_it_is)
{
	for (int n = 0; n < 10; n++) {
		AUTO_INFERIOR i;
		struct event event = { 0 };
		int status;
		ck_assert(inferior_start(&i, ARGS("live_busy")));
		AUTO_TARGET *t = inferior_attach(&i);
		bool data = hot[_i] == POINT_WRITE;
		struct point p = { .id = 1,
				   .kind = hot[_i],
				   .addr = inferior_symbol(&i, data ? "watched" : "work"),
				   .size = data ? 8 : 0 };
		ck_assert_no_error(target_set_point(t, &p));
		if (n % 2)
			run_until(t, data ? STOP_WATCHPOINT : STOP_SITE, NULL);
		ck_assert_int_eq(kill(traced_tracer(t), SIGKILL), 0);
		struct error *err = target_wait(t, -1, &event);
		while (!err) /* it had told something before */
			err = target_wait(t, -1, &event);
		AUTO_ERROR *told = err;
		ck_assert_int_eq(error_code(told), ERROR_GONE);
		if (strstr(error_message(told), "goes on without it")) {
			inferior_check_untouched(&i, "SR");
			inferior_finish(&i);
		} else {
			ck_assert_ptr_nonnull(strstr(error_message(told), "has ended, too"));
			/* It is this process's child: its end may have been reaped already. */
			pid_t ended = waitpid(i.pid, &status, 0);
			ck_assert(ended < 0 || WTERMSIG(status) == SIGTRAP);
		}
	}
}
END_TEST

/* ---- shells ----------------------------------------------------------------------------- */

static struct error *launch_by_shell(const char *program, const char *arguments, int out,
				     struct target **ret)
{
	const char *argv[] = { program, NULL };
	struct launch_command command = { .argv = argv,
					  .shell = "/bin/sh",
					  .arguments = arguments,
					  .directory = "/",
					  .fds = { -1, out, out } };

	return traced_launch(&command, ret);
}

static const struct line {
	const char *program, *arguments, *says;
} lines[] = {
	{ "/bin/echo", "one 'two  three' \"$((4 * 5))\" \\>", "one two  three 20 >\n" },
	{ "echo", "/proc/self/stat[u]s", "/proc/self/status\n" },
	{ "/bin/cat", "< /proc/self/comm", "cat\n" },
	{ "cat", "/no/such/file 2>/dev/null", "" },
	{ "/bin/pwd", "", "/\n" },
};

START_TEST(a_shell_reads_the_arguments)
{
	const struct line *l = &lines[_i];
	AUTO_TARGET *t = NULL;
	char said[256] = "";
	int out[2];

	ck_assert_int_eq(pipe2(out, O_CLOEXEC), 0);
	ck_assert_no_error(launch_by_shell(l->program, l->arguments, out[1], &t));
	close(out[1]);
	ck_assert_uint_eq(t->threads.len, 1);
	run_until(t, STOP_EXITED, NULL);
	ck_assert_int_ge(read(out[0], said, sizeof(said) - 1), 0);
	ck_assert_str_eq(said, l->says);
}
END_TEST

static const struct failure {
	const char *program, *arguments;
	enum error_code code;
	const char *message;
} failures[] = {
	{ "/no/such/program", "", ERROR_NOT_FOUND,
	  "running /no/such/program: the shell /bin/sh does not find it" },
	{ "no-such-program", "x", ERROR_NOT_FOUND, "running no-such-program: the shell" },
	{ "/proc/version", "", ERROR_NOT_PERMITTED, "the shell /bin/sh cannot execute it" },
	{ "true", "'", ERROR_USAGE, "look at its arguments, '" },
	{ "true", "< /no/such/file", ERROR_USAGE, "look at its arguments, < /no" },
	{ "it's", "", ERROR_NOT_FOUND, "running it's: the shell" },
};

START_TEST(what_a_shell_cannot_run_is_told)
{
	const struct failure *f = &failures[_i];
	struct target *t = NULL;
	AUTO_CLOSE int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	ck_assert_error(launch_by_shell(f->program, f->arguments, null, &t), f->code, f->message);
	ck_assert_ptr_null(t);
	check_none_left(NULL);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("traced");

	live_case(s, "the process", 60, it_is_not_called_as_ompdb_and_holds_nothing_of_it,
		  signals_that_are_meant_for_ompdb_do_not_end_it,
		  a_program_inherits_what_ompdb_inherited);
	live_case(s, "waiting", 60, stopping_ends_a_wait, a_signal_for_ompdb_ends_a_wait);
	live_case(s, "the end of ompdb", 60, a_process_in_state_T_stays_there_when_ompdb_dies);
	live_case(s, "its end", 60, a_launched_program_is_killed_with_it_and_that_is_said);
	if (debug_registers_work())
		live_case(s, "what is left", 60, debug_registers_that_are_left_are_cleared,
			  debug_registers_are_cleared_in_state_T);
	live_table(s, what_became_of_a_busy_program_is_told_as_it_is, 60,
		   debug_registers_work() ? COUNT(hot) : 1);
	live_table(s, an_attached_program_goes_on_without_it_and_without_traps, 60, 2);
	live_table(s, a_shell_reads_the_arguments, 60, COUNT(lines));
	live_table(s, what_a_shell_cannot_run_is_told, 60, COUNT(failures));
	return unit_run(s);
}
