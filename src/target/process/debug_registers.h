/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Debug_registers: the four addresses at which an x86 processor stops by itself (Intel SDM volume
 * 3, 19.2), the same ones in all threads, but for those that are one thread's own: of what each
 * thread has a copy of, each can watch its own, however many there are.
 *
 * Each thread has registers of its own, and a new one has none set (Linux, copy_thread() in
 * arch/x86): so what each has is noted by the number of the setting, and mended before it goes on.
 * They outlive the tracer: they are cleared in a thread before it is detached. An exec clears them.
 */
#ifndef TARGET_DEBUG_REGISTERS_H
#define TARGET_DEBUG_REGISTERS_H

#include <sys/types.h>

#include "base/buf.h"
#include "target/cpu/arch.h"

enum { DEBUG_REGISTERS = 4 };

enum debug_kind {
	DEBUG_EXECUTE = 0, /* before the instruction; size 1 */
	DEBUG_WRITE = 1,   /* behind it                      */
	DEBUG_ACCESS = 3,
};

struct debug_register {
	taddr addr;
	size_t size; /* 1, 2, 4 or 8 */
	enum debug_kind kind;
	pid_t lwp;           /* whose it is; 0: all threads'     */
	unsigned int slot;   /* which of the four; private       */
	unsigned int wanted; /* by so many; private              */
};

struct debug_registers {
	struct debug_register *items; /* owned; that are wanted */
	size_t len, cap;
	unsigned int setting; /* changes with them; 0: there has never been any */
};
void debug_registers_fini(struct debug_registers *d);

/*
 * Whether threads stop by them: a virtual machine may take what is written to them and never stop
 * (seen under KVM's PVM). A child that writes where it is told to stop is the proof, once a
 * process. true, too: that cannot be found out.
 */
bool debug_registers_work(void);

/* Wants one. UNSUPPORTED: all are taken. */
MUST_CHECK struct error *debug_registers_add(struct debug_registers *d,
					     const struct debug_register *r);
/* Wants one less that was added so. */
void debug_registers_drop(struct debug_registers *d, const struct debug_register *r);

/* Whether a thread has any. */
bool debug_registers_any(const struct debug_registers *d, pid_t lwp);

/* What a thread has in one of the four; NULL: nothing. Borrowed until any is added or dropped. */
const struct debug_register *debug_registers_at(const struct debug_registers *d, pid_t lwp,
						unsigned int slot);

/*
 * Gives a stopped thread what is wanted, unless it has it: *has is the setting that it has. OS,
 * GONE: ptrace(2) refuses.
 */
MUST_CHECK struct error *debug_registers_load(const struct debug_registers *d, pid_t lwp,
					      unsigned int *has);
/* Clears those of a stopped thread, if it has any. */
MUST_CHECK struct error *debug_registers_clear(pid_t lwp, unsigned int *has);

/* Which have stopped a thread, a bit each; forgets it. */
MUST_CHECK struct error *debug_registers_fired(pid_t lwp, unsigned int *ret);

#endif
