/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Parked: what holds a thread at this moment, as registers tell: a system call, the address that
 * it sleeps for in futex(2), or the one that it polls in a loop of the runtime's.
 */
#ifndef OMPD_PARKED_H
#define OMPD_PARKED_H

#include "ompd/picture/runtime.h"
#include "target/code/blocked.h"

struct parked {
	struct blocked blocked;
	taddr address; /* that it waits for; 0: none, or not known    */
	bool polling;  /* in a loop, awake                            */
};

void parked_read(struct call_sites *calls, struct thread *th, const struct runtime_list *runtimes,
		 struct parked *ret);

#endif
