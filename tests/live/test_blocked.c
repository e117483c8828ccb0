/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The system calls that threads of live programs, and of their cores, are in. */
#include "inferior.h"

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "target/code/blocked.h"
#include "target/core/core.h"

static struct blocked get(struct target *t, struct thread *th)
{
	AUTO_MODULES *modules = NULL;

	ck_assert_no_error(module_list_read(t, &modules));
	struct unwinder *unwinder = unwinder_new(modules, NULL);
	struct call_sites *sites = call_sites_new(t, unwinder);
	ck_assert(unwinder && sites);
	struct blocked b = blocked_get(t, sites, th);
	call_sites_free(sites);
	unwinder_free(unwinder);
	return b;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* "futex poll read": what the threads are in, in the order of the alphabet. */
static void add_calls(struct target *t, struct buf *ret)
{
	const char *names[64];
	size_t n = 0;

	vec_for_each (th, &t->threads) {
		struct blocked b = get(t, *th);
		ck_assert_uint_lt(n, COUNT(names));
		ck_assert(!b.in_call || b.name != NULL);
		names[n++] = b.in_call ? b.name : "none";
	}
	qsort(names, n, sizeof(*names), by_text);
	for (size_t i = 0; i < n; i++)
		buf_addf(ret, "%s%s", i ? " " : "", names[i]);
}

static struct blocked find_call(struct target *t, const char *name, int fd)
{
	vec_for_each (th, &t->threads) {
		struct blocked b = get(t, *th);
		if (b.in_call && !strcmp(b.name, name) && (fd < 0 || blocked_on_fd(&b) == fd))
			return b;
	}
	ck_abort_msg("no thread is in %s", name);
	return (struct blocked){ 0 };
}

/* What the threads of blocked_calls are in. The C library has nanosleep() and wait() call others.
 */
static void check_calls(struct target *t, taddr semaphore)
{
	AUTO_BUF calls = { 0 };
	taddr addr = 0;

	add_calls(t, &calls);
	ck_assert_str_eq(buf_text(&calls), "clock_nanosleep futex poll read read wait4");

	struct blocked futex = find_call(t, "futex", -1), poll = find_call(t, "poll", -1),
		       reads = find_call(t, "read", 0), sleep = find_call(t, "clock_nanosleep", -1),
		       waits = find_call(t, "wait4", -1);
	ck_assert(blocked_on_futex(t, &futex, &addr));
	ck_assert_uint_eq(addr, semaphore);
	ck_assert_int_eq(blocked_on_fd(&futex), -1);
	ck_assert_int_eq(blocked_on_fd(&poll), -1);
	ck_assert_uint_eq(poll.args[1], 1);
	ck_assert_uint_eq((int)poll.args[2], 3600 * 1000);
	ck_assert_uint_eq(reads.args[2], 1);
	ck_assert_int_eq(blocked_on_fd(&sleep), -1);
	ck_assert_int_eq((int)waits.args[0], -1);
	ck_assert(!blocked_on_futex(t, &reads, &addr));
	ck_assert(!blocked_on_futex(t, &poll, &addr));
}

START_TEST(calls_of_a_live_program_and_again)
{
	AUTO_INFERIOR i;

	ck_assert(inferior_start(&i, ARGS("blocked_calls")));
	taddr semaphore = inferior_symbol(&i, "never");
	/* From the second time on the kernel has made some of them restart_syscall. */
	for (int n = 0; n < 3; n++) {
		inferior_await_sleep(&i);
		AUTO_TARGET *t = inferior_attach(&i);
		check_calls(t, semaphore);
		ck_assert_no_error(target_detach(t));
	}
	inferior_finish(&i);
}
END_TEST

/* A folder to be in, where cores of any size may be written. */
static void enter_folder(char *folder)
{
	const struct rlimit most = { RLIM_INFINITY, RLIM_INFINITY };

	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert_int_eq(chdir(folder), 0);
	if (setrlimit(RLIMIT_CORE, &most) < 0)
		fprintf(stderr, "cores are limited on this machine\n");
}

/* Opens "core" or "core.PID" here, if there is one. */
static struct target *open_core(pid_t pid)
{
	struct target *t = NULL;
	char name[64];

	snprintf(name, sizeof(name), "core.%d", pid);
	const char *path = core_is_file("core") ? "core" : name;
	if (core_is_file(path)) {
		ck_assert_no_error(core_open(path, NULL, &t));
		ck_assert_int_eq(unlink(path), 0);
	} else {
		fprintf(stderr, "no core file has been written\n");
	}
	return t;
}

START_TEST(calls_of_a_core_that_the_kernel_wrote)
{
	char folder[] = "/tmp/ompdb-blocked-XXXXXX";
	AUTO_INFERIOR i;
	int status;

	enter_folder(folder);
	ck_assert(inferior_start(&i, ARGS("blocked_calls")));
	taddr semaphore = inferior_symbol(&i, "never");
	inferior_await_sleep(&i);
	ck_assert_int_eq(kill(i.pid, SIGABRT), 0);
	ck_assert_int_eq(waitpid(i.pid, &status, 0), i.pid);
	ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
	AUTO_TARGET *t = open_core(i.pid);
	if (t)
		check_calls(t, semaphore);
	ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

START_TEST(calls_of_a_core_that_gdb_wrote)
{
	char folder[] = "/tmp/ompdb-blocked-XXXXXX", command[100];
	AUTO_INFERIOR i;

	enter_folder(folder);
	ck_assert(inferior_start(&i, ARGS("blocked_calls")));
	taddr semaphore = inferior_symbol(&i, "never");
	inferior_await_sleep(&i);
	snprintf(command, sizeof(command), "gcore -o core %d >gdb.log 2>&1 </dev/null", i.pid);
	int status = system(command);
	unlink("gdb.log");
	AUTO_TARGET *t = status ? NULL : open_core(i.pid);
	if (t)
		check_calls(t, semaphore);
	ck_assert_int_eq(rmdir(folder), 0);
	inferior_finish(&i);
}
END_TEST

START_TEST(a_thread_that_runs_is_in_no_call)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = inferior_launch(&i, ARGS("blocked_calls"));
	struct told told = { 0 };

	/* Before its first instruction, and when it has just come from a call that is over. */
	struct blocked b = get(t, t->threads.items[0]);
	ck_assert(!b.in_call && !b.name);
	ck_assert_int_eq(blocked_on_fd(&b), -1);
	taddr addr;
	ck_assert(!blocked_on_futex(t, &b, &addr));
	struct event event = run_until(t, STOP_CLONE, &told);
	b = get(t, event.thread);
	ck_assert(!b.in_call);
	run_until_ready(t, &i, &told);
	run_to_end(t, &i, &told);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("blocked");

	live_case(s, "blocked_get", 2 * PATIENCE_S, calls_of_a_live_program_and_again,
		  calls_of_a_core_that_the_kernel_wrote, calls_of_a_core_that_gdb_wrote,
		  a_thread_that_runs_is_in_no_call);
	return unit_run(s);
}
