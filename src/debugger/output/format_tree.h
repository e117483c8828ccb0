/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Format_tree: merged stacks for people, from main() inwards.
 *
 * 4 threads: 0.[0-3]
 *   main  at app.c:80
 *   -- parallel region 0, team of 4, level 1, at app.c:41 --
 *   +- 3 threads: 0.[0-1,3]
 *   |  work [parallel]  at app.c:45
 *   |  => wait at barrier (3 of 4 arrived)
 *   `- thread 0.2
 *      work [parallel]  at app.c:47
 *      read_data        at app.c:12
 *      => in read(0)
 *
 * 5 threads idle in the pool: 4711-4715
 */
#ifndef DEBUGGER_OUTPUT_FORMAT_TREE_H
#define DEBUGGER_OUTPUT_FORMAT_TREE_H

#include "debugger/branches.h"
#include "debugger/output/style.h"
#include "debugger/output/view.h"

void format_tree(struct buf *out, const struct view *v, const struct branches *branches,
		 const struct style *style);

/* For branches_make(); its context is the view. */
void format_tree_say(struct buf *out, const void *view, int thread, bool frameless);

#endif
