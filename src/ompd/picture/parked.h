/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Parked: where a thread stands at this moment, as its registers tell: in a system call, asleep for
 * an address in futex(2), in a loop of the runtime's that polls an address, or in one of the
 * program's that only looks at memory, and may sleep in between.
 */
#ifndef OMPD_PARKED_H
#define OMPD_PARKED_H

#include "ompd/picture/runtime.h"
#include "target/code/blocked.h"
#include "target/code/fixed_loop.h"

struct parked {
	struct blocked blocked;
	struct blocked left; /* which it has just come back from, in the runtime */
	taddr address; /* that it waits for, or has waited in "left"; 0: none, or not known    */
	bool polling;  /* in a loop, awake                            */
	bool pauses;   /* in a loop in which the runtime waits, awake, whatever that looks at */
	bool let_go;   /* what it polls has changed, which it has not seen yet */
	struct fixed_loop watches; /* such a loop, and what it looks at as far as that is known;
				      looks 0: none                                          */
	size_t watching;           /* the frame that is in it                                */
};

/* Of a thread with that stack. */
struct parked_source {
	struct unwinder *unwinder;
	struct call_sites *calls;
	const struct runtime_list *runtimes;
	struct thread *thread;
	const struct unwind_stack *raw;
};

void parked_read(const struct parked_source *from, struct parked *ret);

#endif
