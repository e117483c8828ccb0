/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Parked: where a thread stands at this moment, as its registers tell: in a system call, asleep for
 * an address in futex(2), in a loop of the runtime's that polls an address, or in one of the
 * program's that only looks at memory.
 */
#ifndef OMPD_PARKED_H
#define OMPD_PARKED_H

#include "ompd/picture/runtime.h"
#include "target/code/blocked.h"

struct parked {
	struct blocked blocked;
	struct blocked left; /* which it has just come back from, in the runtime */
	taddr address; /* that it waits for, or has waited in "left"; 0: none, or not known    */
	bool polling;  /* in a loop, awake                            */
	bool pauses;   /* in a loop in which the runtime waits, awake, whatever that looks at */
	bool let_go;   /* what it polls has changed, which it has not seen yet */
	taddr watches; /* the program's instruction that looks, in such a loop; 0: none */
};

void parked_read(struct call_sites *calls, struct thread *th, const struct runtime_list *runtimes,
		 struct parked *ret);

#endif
