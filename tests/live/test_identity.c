/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Numbers of processes that others get: on purpose, by clone3(2), within one tick of the clock. */
#include "target/process/identity.h"

#include <errno.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "inferior.h"
#include "target/process/procfs.h"

static void live_on(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;)
		pause();
}

/* A process, with that number if it is not 0. -1: this user may not choose. */
static pid_t start(pid_t number)
{
	struct clone_args args = {
		.exit_signal = SIGCHLD,
		.set_tid = number ? (uintptr_t)&number : 0,
		.set_tid_size = number ? 1 : 0,
	};
	pid_t pid = (pid_t)syscall(SYS_clone3, &args, sizeof(args));

	if (pid == 0)
		live_on();
	return pid;
}

static uint64_t start_of(pid_t pid)
{
	struct proc_stat stat;

	ck_assert_no_error(procfs_stat(pid, 0, &stat));
	return stat.start_ticks;
}

static void end(pid_t pid)
{
	ck_assert_int_gt(pid, 0); /* kill(2): -1 is everybody */
	ck_assert_int_eq(kill(pid, SIGKILL), 0);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
}

enum { TRIES = 100 };

/*
 * Calls note(), gives the number to another process, within a tick of the clock if that is to be
 * had (sanitizers take longer than a tick), and calls check().
 */
static void exchange(void (*note)(pid_t pid), void (*check)(void))
{
	for (int tries = 0;; tries++) {
		pid_t first = start(0);
		ck_assert_int_gt(first, 0);
		uint64_t began = start_of(first);
		note(first);
		end(first);
		pid_t second = start(first);
		if (second < 0 && errno != EEXIST) {
			fprintf(stderr, "numbers cannot be chosen here\n");
			return;
		}
		bool enough = second == first && (start_of(second) == began || tries >= TRIES);
		if (enough)
			check();
		if (second > 0)
			end(second);
		if (enough)
			return;
	}
}

static struct identity identity = IDENTITY_NONE;

static void note_identity(pid_t pid)
{
	identity_note(pid, &identity);
	ck_assert(identity_holds(&identity));
}

static void check_identity(void)
{
	ck_assert(!identity_holds(&identity));
}

START_TEST(another_process_is_another_one)
{
	exchange(note_identity, check_identity);
	identity_fini(&identity);
}
END_TEST

static struct target *target;

static void attach_and_detach(pid_t pid)
{
	target_free(target);
	target = NULL;
	ck_assert_no_error(live_attach(pid, &target));
	ck_assert_no_error(target_detach(target));
}

static void check_not_attached(void)
{
	ck_assert_error(target_attach(target), ERROR_NOT_FOUND, "has ended");
	ck_assert_str_eq(target_thread_name(target, target->threads.items[0]), "");
}

START_TEST(another_process_is_not_attached)
{
	exchange(attach_and_detach, check_not_attached);
	target_free(target);
}
END_TEST

START_TEST(a_zombie_keeps_its_number)
{
	pid_t pid = start(0);

	ck_assert_int_gt(pid, 0);
	identity_note(pid, &identity);
	ck_assert_int_eq(kill(pid, SIGKILL), 0);
	inferior_await_state(pid, 0, "Z");
	ck_assert(identity_holds(&identity));
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	ck_assert(!identity_holds(&identity));
	identity_fini(&identity);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("identity");

	live_case(s, "numbers", 600, another_process_is_another_one,
		  another_process_is_not_attached, a_zombie_keeps_its_number);
	return unit_run(s);
}
