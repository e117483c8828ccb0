/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Format_stack: stacks for people, thread by thread, innermost frame first.
 *
 * process 4242 (/srv/u/app), 5 threads
 * libgomp of GCC 12 (layout of GCC 12)
 *
 * thread 0.1 (LWP 4243 "app"), worker
 *   => waits at barrier (3 of 4 arrived)
 *   #0  compute          at app.c:50
 *   #1  work [parallel]  at app.c:45
 *   -- parallel region 0, team of 4, level 1, at app.c:41 --
 *   #2  main             at app.c:80
 *
 * Raw stacks have addresses instead of all that OpenMP knows:
 *
 * thread 4242 "app"
 *   #0  0x7f3a1c0c81a7  do_wait+0x57         in libgomp.so.1.0.0
 *   #1  inlined         helper               at app.c:12
 *   #2  0x5581a2b31180  main._omp_fn.0+0x31  at app.c:41
 */
#ifndef DEBUGGER_OUTPUT_FORMAT_STACK_H
#define DEBUGGER_OUTPUT_FORMAT_STACK_H

#include "debugger/output/style.h"
#include "debugger/output/view.h"

void format_stacks(struct buf *out, const struct view *v, const struct style *style);

/* The lines above the first thread. */
void format_stack_head(struct buf *out, const struct view *v, const struct style *style);

#endif
