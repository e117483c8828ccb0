/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* why_workers SCENARIO: teams that have lost a thread, and wait for it for ever. */
#include <pthread.h>
#include <sys/wait.h>

#include "testprog_why.h"

static int used;
static pthread_t victim;
static omp_lock_t lock;

static NOINLINE void use_openmp(void)
{
#pragma omp parallel num_threads(3)
	__atomic_add_fetch(&used, 1, __ATOMIC_SEQ_CST);
	if (used != 3)
		FAIL("%d of 3 threads", used);
}

/* libomp makes new workers. libgomp expects those that only the parent process has. */
static NOINLINE void use_openmp_again(void)
{
#pragma omp parallel num_threads(3) /* MARK: region of child */
	__atomic_add_fetch(&used, 1, __ATOMIC_SEQ_CST);
	KEEP_FRAME();
}

static NOINLINE int be_the_child(void)
{
	die_with_parent();
	tell_thread("child");
	use_openmp_again(); /* MARK: child uses OpenMP */
	read_stdin(2);      /* MARK: child reads */
	KEEP_FRAME();
	return 0;
}

/* The parent's status is the child's. */
static NOINLINE void wait_for_child(pid_t child)
{
	int status = 1;

	if (waitpid(child, &status, 0) != child)
		FAIL("waitpid was interrupted");
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

static int soon; /* its workers may not have left the region yet */

static NOINLINE void forked(void)
{
	use_openmp();
	if (!soon)
		wait_until_others_sleep();
	pid_t child = fork();
	if (child == 0)
		_exit(be_the_child()); /* MARK: fork */
	wait_for_child(child);
}

/* The child goes on in a region in which it is alone. */
static NOINLINE void forked_inside(void)
{
	if (omp_get_thread_num() == 0) {
		pid_t child = fork();
		if (child != 0) {
			arrive();
			wait_for_child(child);
		}
		die_with_parent();
		tell("child");
	}
	wait_for_arrivals(1);
#pragma omp barrier /* MARK: barrier of child */
	KEEP_FRAME();
}

/* Thread 1 has it, and is not in the child. */
static NOINLINE void forked_with_lock(void)
{
	if (omp_get_thread_num() == 1) {
		omp_set_lock(&lock);
		arrive();
		pause();
		omp_unset_lock(&lock);
	} else if (omp_get_thread_num() == 0) {
		wait_for_arrivals(1);
		pid_t child = fork();
		if (child != 0)
			wait_for_child(child);
		die_with_parent();
		tell("child");
		omp_set_lock(&lock); /* MARK: lock in child */
		omp_unset_lock(&lock);
	}
	KEEP_FRAME();
}

static NOINLINE void forked_soon(void)
{
	soon = 1;
	forked();
	KEEP_FRAME();
}

static NOINLINE void leave(void)
{
	if (omp_get_thread_num() == 1)
		pthread_exit(NULL); /* MARK: exits */
	tell("waits");
	KEEP_FRAME();
}

static NOINLINE void exited_region(void)
{
	leave();
	KEEP_FRAME();
}

static NOINLINE void exited_barrier(void)
{
	leave();
#pragma omp barrier /* MARK: barrier */
	KEEP_FRAME();
}

static NOINLINE void cancelled(void)
{
	if (omp_get_thread_num() == 1) {
		victim = pthread_self();
		arrive();
		pause(); /* MARK: pauses */
	}
	wait_for_arrivals(1);
	if (omp_get_thread_num() == 0)
		pthread_cancel(victim); /* MARK: cancels */
	tell("waits");
	KEEP_FRAME();
}

static const struct scenario workers[] = {
	SCENARIO(exited_region),    SCENARIO(exited_barrier), SCENARIO(cancelled),
	SCENARIO(forked),           SCENARIO(forked_inside),  SCENARIO(forked_soon),
	SCENARIO(forked_with_lock), { NULL, NULL },
};

int main(int argc, char **argv)
{
	void (*run)(void) = scenario_of(workers, argc, argv);
	team = 3;
	omp_init_lock(&lock);
	if (run == forked || run == forked_soon)
		run();
	in_team(run); /* MARK: run */
	return 1;
}
