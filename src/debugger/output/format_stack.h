/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Format_stack: stitched stacks for people, thread by thread, innermost frame first.
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
 * Begin and end are those of the merged tree (format_tree.h), too.
 */
#ifndef DEBUGGER_OUTPUT_FORMAT_STACK_H
#define DEBUGGER_OUTPUT_FORMAT_STACK_H

#include "debugger/output/style.h"
#include "debugger/output/view.h"

void format_stack_begin(struct buf *out, const struct view *v, const struct style *style);
void format_stack_thread(struct buf *out, const struct view *v, size_t index,
			 const struct style *style);
void format_stack_end(struct buf *out, const struct view *v, const struct style *style);

#endif
