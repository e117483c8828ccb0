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
 *
 * It is written piece by piece:
 *
 *   format_stack_begin(&out, v, style);
 *   while (format_tree_next(tree, &out))
 *           write out away if it is long
 *   format_stack_end(&out, v, style);
 */
#ifndef DEBUGGER_OUTPUT_FORMAT_TREE_H
#define DEBUGGER_OUTPUT_FORMAT_TREE_H

#include "debugger/merge.h"
#include "debugger/output/style.h"
#include "debugger/output/view.h"

struct format_tree;

/* Borrows all three. */
MUST_CHECK struct error *format_tree_new(const struct view *v, const struct merge_node *root,
					 const struct style *style, struct format_tree **ret);
void format_tree_free(struct format_tree *t);

/* Adds the next branch. false: there was none left, nothing is added. */
bool format_tree_next(struct format_tree *t, struct buf *out);

static inline void format_tree_cleanup(struct format_tree **t)
{
	format_tree_free(*t);
}
#define AUTO_FORMAT_TREE AUTO(format_tree_cleanup) struct format_tree

#endif
