/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Starting programs under a target. */
#include "inferior.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* The rest of the line that begins with a word. */
static void check_said(const struct inferior *i, const char *line)
{
	ck_assert_msg(strstr(buf_text(&i->said), line) != NULL, "no '%s' in what it said:\n%s",
		      line, buf_text(&i->said));
}

START_TEST(the_program_gets_its_arguments_and_runs_to_its_end)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = inferior_launch(&i, ARGS("live_args", "one", "", "two three"));
	struct told told = { 0 };

	run_until_ready(t, &i, &told);
	check_said(&i, "argument one\nargument \nargument two three\nvariable is not set\n");
	check_said(&i, "SIGCHLD free\n");
	run_to_end(t, &i, &told);
	ck_assert_uint_eq(told.of[STOP_EXITED], 1);
}
END_TEST

START_TEST(it_is_stopped_before_its_first_instruction)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = inferior_launch(&i, ARGS("live_args"));
	taddr entry;
	uint64_t pc, base;

	ck_assert_int_eq(t->threads.len, 1);
	ck_assert_int_eq(t->threads.items[0]->state, THREAD_STOPPED);
	ck_assert_int_eq(t->threads.items[0]->lwp, t->pid);
	ck_assert_no_error(target_get_uint(t, t->threads.items[0], t->arch->pc, &pc));
	/* The dynamic linker's, whose entry point its ELF header names (AT_BASE). */
	ck_assert_no_error(target_auxv(t, 7, &base));
	ck_assert_no_error(target_read_uint(t, base + 24, 8, &entry));
	ck_assert_uint_eq(pc, base + entry);
	AUTO_FREE char *real = realpath(i.path, NULL);
	ck_assert_str_eq(t->exe, real);
}
END_TEST

/* What live_args says of itself, started with a command whose argv and stdout are set here. */
static void launch_with(struct launch_command command, struct inferior *i)
{
	AUTO_TARGET *t = NULL;
	int in[2], out[2];
	const char *argv[] = { NULL, NULL };
	char path[PATH_MAX];

	*i = (struct inferior){ .in = -1, .out = -1 };
	ck_assert_int_eq(pipe2(in, O_CLOEXEC), 0);
	ck_assert_int_eq(pipe2(out, O_CLOEXEC | O_NONBLOCK), 0);
	snprintf(path, sizeof(path), "%s/live_args",
		 getenv("TESTPROGS") ? getenv("TESTPROGS") : ".");
	i->path = realpath(path, NULL);
	argv[0] = i->path;
	command.argv = argv;
	command.fds[0] = in[0];
	command.fds[1] = out[1];
	i->in = in[1];
	i->out = out[0];
	ck_assert_no_error(launch_target(&command, &t));
	i->pid = t->pid;
	close(in[0]);
	close(out[1]);
	run_until_ready(t, i, NULL);
	run_to_end(t, i, NULL);
}

START_TEST(environment_folder_and_group_are_as_told)
{
	static const char *const env[] = { "LIVE_ARGS=a value", NULL };
	AUTO_INFERIOR i;
	struct launch_command command = { .env = env, .directory = "/proc", .fds = { -1, -1, -1 } };

	launch_with(command, &i);
	check_said(&i, "variable a value\n");
	check_said(&i, "home is not set\n");
	check_said(&i, "folder /proc\n");
	check_said(&i, "group its own\n");
}
END_TEST

START_TEST(its_files_are_those_told_and_no_others)
{
	int err[2];
	char text[64] = "";
	AUTO_INFERIOR i;

	ck_assert_int_eq(pipe2(err, O_CLOEXEC), 0);
	struct launch_command command = { .fds = { -1, -1, err[1] } };
	/* Nothing else that is open here may be passed on, whoever opened it. */
	ck_assert_int_eq(close_range(3, ~0U, CLOSE_RANGE_CLOEXEC), 0);
	launch_with(command, &i);
	check_said(&i, "files 3\n");
	ck_assert_int_gt(read(err[0], text, sizeof(text) - 1), 0);
	ck_assert_str_eq(text, "to stderr\n");
}
END_TEST

START_TEST(its_files_may_change_places)
{
	static const char script[] = "echo to stdout; echo to stderr >&2";
	const char *argv[] = { "sh", "-c", script, NULL };
	struct launch_command command = { .argv = argv, .fds = { -1, 2, 1 } };
	AUTO_TARGET *t = NULL;
	int out[2], err[2];
	char text[64] = "";

	ck_assert_int_eq(pipe2(out, O_CLOEXEC), 0);
	ck_assert_int_eq(pipe2(err, O_CLOEXEC), 0);
	int keep = fcntl(1, F_DUPFD_CLOEXEC, 3);
	ck_assert(dup2(out[1], 1) == 1 && dup2(err[1], 2) == 2);
	ck_assert_no_error(launch_target(&command, &t));
	dup2(keep, 1);
	run_until(t, STOP_EXITED, NULL);
	ck_assert_int_gt(read(err[0], text, sizeof(text) - 1), 0);
	ck_assert_str_eq(text, "to stdout\n");
}
END_TEST

START_TEST(its_addresses_are_the_same_each_time)
{
	AUTO_INFERIOR first, second;

	launch_with((struct launch_command){ .fds = { -1, -1, -1 } }, &first);
	launch_with((struct launch_command){ .fds = { -1, -1, -1 } }, &second);
	ck_assert_str_eq(strstr(buf_text(&first.said), "places"),
			 strstr(buf_text(&second.said), "places"));
}
END_TEST

START_TEST(its_addresses_stay_random_if_told)
{
	AUTO_INFERIOR first, second;
	AUTO_BUF setting = { 0 };

	ck_assert_no_error(buf_add_file(&setting, "/proc/sys/kernel/randomize_va_space", 16));
	if (atoi(buf_text(&setting)) < 2)
		return;
	launch_with((struct launch_command){ .fds = { -1, -1, -1 }, .keep_aslr = true }, &first);
	launch_with((struct launch_command){ .fds = { -1, -1, -1 }, .keep_aslr = true }, &second);
	ck_assert_str_ne(strstr(buf_text(&first.said), "places"),
			 strstr(buf_text(&second.said), "places"));
}
END_TEST

START_TEST(a_program_is_searched_in_PATH)
{
	AUTO_TARGET *t = NULL;
	const char *argv[] = { "true", NULL };
	struct launch_command command = { .argv = argv, .fds = { -1, -1, -1 } };

	ck_assert_no_error(launch_target(&command, &t));
	struct event event = run_until(t, STOP_EXITED, NULL);
	ck_assert_int_eq(event.stop.value, 0);
}
END_TEST

START_TEST(a_target_freed_before_it_ran_leaves_no_process)
{
	AUTO_INFERIOR i;
	struct target *t = inferior_launch(&i, ARGS("live_args"));

	target_free(t);
	ck_assert_int_eq(kill(i.pid, 0), -1);
	check_none_left(NULL);
}
END_TEST

/* ---- what cannot be started ------------------------------------------------------------- */

static char folder[] = "/tmp/ompdb-launch-XXXXXX";

static void in_new_folder(void)
{
	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert_int_eq(chdir(folder), 0);
}

static void remove_folder(void)
{
	unlink("plain");
	unlink("empty");
	unlink("lost");
	ck_assert_int_eq(rmdir(folder), 0);
}

static void write_file(const char *name, const char *text, mode_t mode)
{
	AUTO_CLOSE int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, mode);

	ck_assert_int_eq(write(fd, text, strlen(text)), strlen(text));
}

static const struct refused {
	const char *program, *directory;
	enum error_code code;
	const char *message;
} refused[] = {
	{ "./missing", NULL, ERROR_NOT_FOUND, "running ./missing: " },
	{ "no-such-program", NULL, ERROR_NOT_FOUND, "running no-such-program: " },
	{ "./plain", NULL, ERROR_NOT_PERMITTED, "running ./plain: it cannot be executed" },
	{ ".", NULL, ERROR_NOT_PERMITTED, "running .: it cannot be executed" },
	{ "./lost", NULL, ERROR_NOT_FOUND, "running ./lost: it cannot be executed" },
	{ "true", "./missing", ERROR_NOT_FOUND, "changing to folder ./missing" },
	{ "true", "./plain", ERROR_OS, "changing to folder ./plain: Not a directory" },
};

START_TEST(what_cannot_run_is_told)
{
	const struct refused *r = &refused[_i];
	const char *argv[] = { r->program, NULL };
	struct launch_command command = { .argv = argv,
					  .directory = r->directory,
					  .fds = { -1, -1, -1 } };
	struct target *t = NULL;

	/* A folder in it that may not be searched would decide how the search fails. */
	setenv("PATH", "/usr/bin:/bin", 1);
	in_new_folder();
	write_file("plain", "text\n", 0644);
	write_file("lost", "#!/no/such/interpreter\n", 0755);
	ck_assert_error(launch_target(&command, &t), r->code, r->message);
	ck_assert_ptr_null(t);
	check_none_left(t);
	remove_folder();
}
END_TEST

/* From here on ptrace(2) is refused to this process, as in some containers. */
static void forbid_ptrace(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1 /* EPERM */),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { COUNT(filter), filter };

	ck_assert_int_eq(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
	ck_assert_int_eq(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
}

/* In a process that ends at once: sanitizers look for leaks by ptrace(2), too. */
static void launch_without_ptrace(void)
{
	const char *argv[] = { "true", NULL };
	struct launch_command command = { .argv = argv, .fds = { -1, -1, -1 } };
	struct target *t = NULL;

	forbid_ptrace();
	struct error *err = launch_target(&command, &t);
	bool told = error_is(err, ERROR_NOT_PERMITTED) &&
		    strstr(error_message(err), "running true: the kernel does not permit");
	if (!told)
		fprintf(stderr, "%s\n", err ? error_message(err) : "it runs");
	_exit(told && waitpid(-1, NULL, WNOHANG) == -1 ? 0 : 1);
}

START_TEST(ptrace_being_forbidden_is_told)
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		launch_without_ptrace();
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
}
END_TEST

START_TEST(a_program_for_32_bits_is_refused)
{
	char path[PATH_MAX];
	const char *argv[] = { path, NULL };
	struct launch_command command = { .argv = argv, .fds = { -1, -1, -1 } };
	struct target *t = NULL;
	AUTO_INFERIOR i;

	if (!inferior_start(&i, ARGS("tiny32")))
		return;
	inferior_finish(&i);
	snprintf(path, sizeof(path), "%s/tiny32", getenv("TESTPROGS") ? getenv("TESTPROGS") : ".");
	ck_assert_error(launch_target(&command, &t), ERROR_UNSUPPORTED, "i386");
	check_none_left(t);
}
END_TEST

/* ---- the death of the tracer ------------------------------------------------------------ */

/* Ready for reading when the process ends. */
static int open_pidfd(pid_t pid)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);

	ck_assert_int_ge(fd, 0);
	return fd;
}

/* A process of its own that holds a target until it is killed; *ret_pid: the target's. */
static pid_t fork_tracer(void (*hold)(int report, void *context), void *context, pid_t *ret_pid)
{
	int report[2];

	ck_assert_int_eq(pipe2(report, O_CLOEXEC), 0);
	pid_t tracer = fork();
	if (tracer == 0) {
		hold(report[1], context);
		for (;;)
			pause();
	}
	ck_assert_int_eq(read(report[0], ret_pid, sizeof(*ret_pid)), sizeof(*ret_pid));
	close(report[0]);
	close(report[1]);
	return tracer;
}

static void kill_tracer(pid_t tracer)
{
	ck_assert_int_eq(kill(tracer, SIGKILL), 0);
	ck_assert_int_eq(waitpid(tracer, NULL, 0), tracer);
}

static void hold_launched(int report, void *stopped)
{
	/* No die_with_parent() in it: what kills it must be the kernel, as the tracer dies. */
	const char *argv[] = { "sleep", "1000", NULL };
	struct launch_command command = { .argv = argv, .fds = { -1, -1, -1 } };
	struct target *t;

	ck_assert_no_error(launch_target(&command, &t));
	if (!stopped)
		ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
	ck_assert_int_eq(write(report, &t->pid, sizeof(t->pid)), sizeof(t->pid));
}

START_TEST(a_launched_program_dies_with_its_tracer)
{
	pid_t pid;
	/* Stopped or running. */
	pid_t tracer = fork_tracer(hold_launched, _i ? &pid : NULL, &pid);
	struct pollfd end = { .fd = open_pidfd(pid), .events = POLLIN };

	kill_tracer(tracer);
	ck_assert_int_eq(poll(&end, 1, PATIENCE_S * 1000), 1);
}
END_TEST

static void hold_attached(int report, void *context)
{
	const struct inferior *i = context;

	inferior_attach(i);
	ck_assert_int_eq(write(report, &i->pid, sizeof(i->pid)), sizeof(i->pid));
}

START_TEST(an_attached_program_survives_its_tracer)
{
	AUTO_INFERIOR i;
	pid_t pid;

	ck_assert(inferior_start(&i, ARGS("live_count", "4")));
	pid_t tracer = fork_tracer(hold_attached, &i, &pid);
	inferior_await_state(pid, 0, "t");
	kill_tracer(tracer);
	inferior_check_untouched(&i, "S");
	inferior_finish(&i);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("launch");

	live_case(s, "launch", 60, the_program_gets_its_arguments_and_runs_to_its_end,
		  it_is_stopped_before_its_first_instruction,
		  environment_folder_and_group_are_as_told, its_files_are_those_told_and_no_others,
		  its_files_may_change_places, its_addresses_are_the_same_each_time,
		  its_addresses_stay_random_if_told, a_program_is_searched_in_PATH,
		  a_target_freed_before_it_ran_leaves_no_process, ptrace_being_forbidden_is_told,
		  a_program_for_32_bits_is_refused);
	live_table(s, what_cannot_run_is_told, 60, COUNT(refused));
	live_case(s, "death of the tracer", 60, an_attached_program_survives_its_tracer);
	live_table(s, a_launched_program_dies_with_its_tracer, 60, 2);
	return unit_run(s);
}
