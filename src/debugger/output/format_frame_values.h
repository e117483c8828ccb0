/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Format_frame_values: the arguments and variables of frames that are shown as one line, below it:
 *
 *     same = 7
 *     number = 0.[0-2]: 5  0.3: 7
 *     i = 3..17 (8 threads)
 *     <optimized out>: j, k
 */
#ifndef DEBUGGER_OUTPUT_FORMAT_FRAME_VALUES_H
#define DEBUGGER_OUTPUT_FORMAT_FRAME_VALUES_H

#include "debugger/output/style.h"
#include "debugger/output/view.h"

/* The same frame of one thread or more: frames[i] is on the stack of threads[i]. */
struct format_same_frames {
	const struct stitched_frame *const *frames; /* borrowed */
	const int *threads;                         /* borrowed */
	size_t len;
};

/* Nothing if the view has no values. prefix stands before each line. */
void format_frame_values(struct buf *out, const struct view *v, const struct format_same_frames *of,
			 const char *prefix, const struct style *style);

#endif
