/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Callbacks: the client's side of OMPD: memory, symbols and threads for an OMPD library.
 *
 * An address space context of ours stands for one runtime in the target, so that each copy of a
 * runtime has its own symbols. A thread context is the index of a thread, plus one.
 */
#ifndef OMPD_CALLBACKS_H
#define OMPD_CALLBACKS_H

#include "ompd/client/ompd_abi.h"
#include "ompd/picture/pthreads.h"
#include "ompd/picture/runtime.h"

/* Borrows everything but "own"; must outlive the handles of the library. */
struct ompd_address_space_context {
	struct target *target;
	const struct runtime_list *runtimes;
	const struct runtime *runtime;
	const struct pthreads *pthreads;
	void *own; /* of the runtime's ops, which free it */
};

extern const ompd_callbacks_t callbacks_table;

#endif
