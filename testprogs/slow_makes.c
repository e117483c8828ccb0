/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Makes threads that are long in the making, one after the other, until stdin ends: each gets a
 * copy of the table of open files, which is as large as it may be. There are always the maker and
 * the thread made last, which waits until the next one is there.
 */
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "testprog.h"

static struct made {
	char stack[16384] __attribute__((aligned(16)));
	int may_end;
	pid_t lives; /* cleared by the kernel when it has ended */
} made[2];

static void await(const int *word, int value)
{
	while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == value)
		syscall(SYS_futex, word, FUTEX_WAIT, value, NULL, NULL, 0);
}

/* The maker's thread-local memory is its own, too: it calls nothing that keeps anything there. */
static int waits(void *arg)
{
	struct made *self = arg;

	await(&self->may_end, 0);
	return 0;
}

static void make(struct made *m)
{
	int flags = CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_THREAD | CLONE_PARENT_SETTID |
		    CLONE_CHILD_CLEARTID;

	m->may_end = 0;
	if (clone(waits, m->stack + sizeof(m->stack), flags, m, &m->lives, NULL, &m->lives) < 0)
		FAIL("no thread");
}

static void end(struct made *m)
{
	__atomic_store_n(&m->may_end, 1, __ATOMIC_RELEASE);
	syscall(SYS_futex, &m->may_end, FUTEX_WAKE, 1, NULL, NULL, 0);
	for (pid_t lwp; (lwp = __atomic_load_n(&m->lives, __ATOMIC_ACQUIRE)) != 0;)
		await(&m->lives, lwp);
}

int main(void)
{
	struct pollfd ends = { .fd = 0, .events = POLLIN };
	struct rlimit files;

	die_with_parent();
	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
	if (dup2(2, (int)files.rlim_max - 1) < 0)
		FAIL("no file of that number");
	make(&made[1]);
	ready();
	for (int i = 0; poll(&ends, 1, 0) == 0; i = !i) {
		make(&made[i]);
		end(&made[!i]);
	}
	return 0;
}
