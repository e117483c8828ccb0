/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Libomp_loops: what programs that clang has compiled call in worksharing loops, and what LLVM's
 * runtime keeps of those that it gives out in chunks.
 */
#ifndef OMPD_LIBOMP_LOOPS_H
#define OMPD_LIBOMP_LOOPS_H

#include "ompd/client/walk_state.h"

extern const struct loop_call libomp_loop_calls[];

/* See runtime_ops.h. */
struct schedule libomp_loops_schedule(uint64_t number);
void libomp_loops_read(struct walk *w, int thread, int inner, struct loop_facts *ret);
void libomp_loops_read_task(struct walk *w, const struct picture_task *task,
			    struct loop_facts *ret);

#endif
