/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Format: results of the engine as text for people.
 *
 * Everything that comes from a target is escaped here. Long results are made piece by piece, so
 * that a front end can write each away before the next: begin, every item, end.
 */
#ifndef DEBUGGER_OUTPUT_FORMAT_H
#define DEBUGGER_OUTPUT_FORMAT_H

#include "debugger/output/style.h"
#include "debugger/stack.h"

/*
 * process 4242 (/srv/u/app), 2 threads
 *
 * thread 4242 "app"
 *   #0  0x7f3a1c0c81a7  do_wait+0x57         in libgomp.so.1.0.0
 *   #1  inlined         helper               at app.c:12
 *   #2  0x5581a2b31180  main._omp_fn.0+0x31  at app.c:41
 */
void format_stacks_begin(struct buf *out, const struct stacks *s, const struct style *style);
void format_stacks_thread(struct buf *out, const struct stack_thread *t, const struct style *style);
void format_stacks_note(struct buf *out, const char *note, const struct style *style);
void format_stacks_end(struct buf *out, const struct stacks *s, const struct style *style);

#endif
