/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Debug_registers: the four addresses at which an x86 processor stops by itself (Intel SDM volume
 * 3, 19.2), the same ones in all threads.
 *
 * Each thread has registers of its own, and a new one has none set (Linux, copy_thread() in
 * arch/x86): so what each has is noted by the number of the setting, and mended before it goes on.
 * They outlive the tracer: they are cleared in a thread before it is detached. An exec clears them.
 */
#ifndef TARGET_DEBUG_REGISTERS_H
#define TARGET_DEBUG_REGISTERS_H

#include <sys/types.h>

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
	unsigned int wanted; /* by so many; 0: it is free */
};

struct debug_registers {
	struct debug_register items[DEBUG_REGISTERS];
	unsigned int setting; /* changes with them; 0: there has never been any */
};

/* Wants one. UNSUPPORTED: all are taken. */
MUST_CHECK struct error *debug_registers_add(struct debug_registers *d, enum debug_kind kind,
					     taddr addr, size_t size);
/* Wants one less that was added so. */
void debug_registers_drop(struct debug_registers *d, enum debug_kind kind, taddr addr, size_t size);

/* Whether any is wanted. */
bool debug_registers_any(const struct debug_registers *d);

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
