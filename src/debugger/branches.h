/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Branches: the tree of merged stacks in the order in which people read it, from main() inwards.
 *
 * A branch is the frames from where threads come together to where they part. Threads that stay
 * where others go on are branches without frames: one for all about whom the same is said.
 * Branches of one parent are in the order of their first threads.
 */
#ifndef DEBUGGER_BRANCHES_H
#define DEBUGGER_BRANCHES_H

#include "debugger/merge.h"

struct branch_threads {
	const int *items; /* borrowed from what the branches are made of; rising, one at least */
	size_t len;
};

struct branch_groups {
	struct branch_threads *items; /* owned */
	size_t len, cap;
};

struct branch {
	int depth;                     /* 0: it begins where stacks begin                  */
	bool more;                     /* its parent has branches that come later          */
	const struct merge_node *from; /* borrowed; its outermost frame; NULL: none        */
	const struct merge_node *to;   /* borrowed; its innermost one                      */
	struct branch_threads threads; /* that come here                                   */
	bool together;                 /* all of them end here, and the same is said of them */
	size_t first_end, ends;        /* of depth 0: which of branches->ends are about it */
};

struct branches {
	VEC(struct branch) list;
	struct branch_groups ends; /* for each reason why stacks do not get to main() */
	VEC(int *) numbers;        /* owned; private                                  */
};

/* Says what a thread does, in words. frameless: it stands alone, without any frame. */
typedef void branch_say(struct buf *out, const void *context, int thread, bool frameless);

/* Borrows the tree and the stacks that it is made of. Errors only for lack of memory. */
MUST_CHECK struct error *branches_make(const struct merge_node *root, const struct stitched *s,
				       branch_say *say, const void *context, struct branches *ret);
void branches_fini(struct branches *b);

#endif
