/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Blocked: the system call that a stopped thread is in.
 *
 * A thread interrupted in a system call stands behind its instruction, with the number still in
 * the register that keeps it for restarting (x86-64: orig_rax; -1 outside of calls), the arguments
 * in theirs, and as result one that tells the kernel to restart it: with any other result the call
 * is over. The same holds for threads in cores. When a call with a time limit has been interrupted,
 * the kernel goes on with it as restart_syscall; the code before pc, or the stack, tells which call
 * it was.
 */
#ifndef TARGET_BLOCKED_H
#define TARGET_BLOCKED_H

#include "target/code/call_site.h"

struct blocked {
	bool in_call;
	long number;      /* SYS_*                                     */
	const char *name; /* "read"; NULL: a call that ompdb does not know */
	uint64_t args[6];
};

/*
 * Registers that cannot be had leave in_call false. s: NULL: calls that have been restarted are not
 * told apart.
 */
struct blocked blocked_get(struct target *t, struct call_sites *s, struct thread *th);

/*
 * The call that a stopped thread has just come back from, and behind which it has executed nothing
 * yet; in_call: there is one.
 */
struct blocked blocked_left(struct target *t, struct call_sites *s, struct thread *th);

/* It waits in futex(2) (FUTEX_WAIT, WAIT_BITSET, LOCK_PI...; also futex_waitv's first): for *ret.
 */
bool blocked_on_futex(struct target *t, const struct blocked *b, taddr *ret);

/* It wakes in futex(2) all that sleep there, be they ever so many: *ret is where they wait. */
bool blocked_wakes_all(const struct blocked *b, taddr *ret);

/* The bits of the word that it waits for in futex(2) that are not as they were when it began to. */
uint32_t blocked_changes(struct target *t, const struct blocked *b);

/* There are any: it is about to be woken, or has been. */
static inline bool blocked_is_over(struct target *t, const struct blocked *b)
{
	return blocked_changes(t, b) != 0;
}

/* The call has a limit of time, after which it returns by itself. */
bool blocked_has_limit(const struct blocked *b);

/*
 * The file descriptor that the call waits for; -1: it waits for none, or for several. Of
 * read, write, accept, recv*, send*, connect, ioctl, flock, fsync and their kin.
 */
int blocked_on_fd(const struct blocked *b);

#endif
