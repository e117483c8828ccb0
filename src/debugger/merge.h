/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Merge: many stitched stacks as one tree, from main() inwards, with the set of threads that went
 * each way.
 *
 * A border is a node of its own, further out than the frame it belongs to: threads that stand at
 * different lines of a region share it. Frames that read the same (function, construct, file, line)
 * are one node, and so are borders (kind, region, creator, place). Hidden frames are left out
 * unless asked for; their borders stay. Callees are in the order in which the threads come to them,
 * which is that of their first threads.
 */
#ifndef DEBUGGER_MERGE_H
#define DEBUGGER_MERGE_H

#include "debugger/stitched.h"

struct merge_node {
	const struct stitched_frame *frame; /* borrowed from the first stack; the root's is NULL */
	bool border;                        /* this is the frame's border, not the frame     */
	VEC(int) threads;                   /* all that come through here, rising             */
	VEC(const struct stitched_frame *) frames; /* of each of them, borrowed; if asked for */
	VEC(int) here;                    /* those whose stack ends (innermost) here, rising  */
	VEC(struct merge_node *) callees; /* owned                                         */
	struct merge_node *next;          /* private: all nodes of the tree                */
	struct merge_node *parent, *same_hash; /* private */
};

/* hidden: keeps hidden frames; frames: fills those of nodes, much memory. Linear in the number of
 * frames. Errors only for lack of memory. */
MUST_CHECK struct error *merge_stacks(const struct stitched *s, bool hidden, bool frames,
				      struct merge_node **ret);
void merge_free(struct merge_node *root);

CLEANUP(merge, struct merge_node)
#define AUTO_MERGE AUTO(merge_cleanup) struct merge_node

/* Whether two frames, or their borders, read the same. */
bool merge_same(const struct stitched_frame *a, const struct stitched_frame *b, bool border);

/*
 * Adds a set of threads as people write it: "0.[0-3,7] 1.0", teams in order; threads without a team
 * or number by their LWP: "thread 4711", "threads 4711-4713 4720". Ranges are of three or more.
 */
void merge_add_thread_set(struct buf *out, const struct picture *p, const int *threads, size_t len);

/* Who holds what a thread waits for: "0.2"; "one of 0.[0-2]" where only that is known. */
void merge_add_holder(struct buf *out, const struct picture *p, const struct picture_wait *w);

#endif
