/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Roll: the threads of a target as both ends of a socket know them, so that only what changes has
 * to be told: by the tracer everything, by ompdb the caller's wishes (signal, held).
 */
#ifndef TARGET_ROLL_H
#define TARGET_ROLL_H

#include "target/process/target.h"
#include "target/tracer/message.h"

struct roll_row {
	pid_t lwp;
	enum thread_state state;
	struct stop stop;
	int signal;
	bool kernel_worker, held;
};

/* In the order of lwp_rank(). */
struct roll {
	struct roll_row *items; /* owned */
	size_t len, cap;
};

/* Adds the threads that are others than the roll says, which is then brought up to date. */
void roll_add_changes(struct roll *r, const struct target *t, struct buf *out);

/* Tells a target what the other end has added; "wishes": that was not the tracer. */
MUST_CHECK struct error *roll_take_changes(struct roll *r, struct target *t, bool wishes,
					   struct cursor *in);

#endif
