/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Libgomp_loops: what programs that GCC has compiled call in worksharing loops, and what libgomp
 * keeps of those: a work share, which knows what is left, and not what each thread has.
 */
#ifndef OMPD_LIBGOMP_LOOPS_H
#define OMPD_LIBGOMP_LOOPS_H

#include "ompd/client/walk_state.h"

extern const struct loop_call libgomp_loop_calls[];

/* See runtime_ops.h. */
void libgomp_loops_read(struct walk *w, int thread, int inner, struct loop_facts *ret);
void libgomp_loops_read_task(struct walk *w, const struct picture_task *task,
			     struct loop_facts *ret);

#endif
