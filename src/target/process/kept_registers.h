/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Kept_registers: what threads are to be given back before they are let go: of those that execute
 * what the debugger has sent them to, and that would return to nowhere.
 */
#ifndef TARGET_KEPT_REGISTERS_H
#define TARGET_KEPT_REGISTERS_H

#include "target/process/target.h"

struct kept_set {
	pid_t lwp;
	enum regset set;
	uint8_t *bytes; /* owned */
	size_t len;
};
struct kept_registers {
	struct kept_set *items; /* owned */
	size_t len, cap;
};

void kept_registers_fini(struct kept_registers *k);

/* Copies them. */
MUST_CHECK struct error *kept_registers_add(struct kept_registers *k, pid_t lwp, enum regset set,
					    const void *bytes, size_t len);
/* All of that thread. */
void kept_registers_drop(struct kept_registers *k, pid_t lwp);

#endif
