/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Format_frames: a run of frames and borders as lines that line up.
 *
 * Where calls repeat themselves, as those of recursive functions do, they are shown once, with how
 * often they follow again; so are the frames of interpreters, in trees. The frames of raw stacks
 * have addresses, and all of them are shown.
 */
#ifndef DEBUGGER_OUTPUT_FORMAT_FRAMES_H
#define DEBUGGER_OUTPUT_FORMAT_FRAMES_H

#include "debugger/output/format_frame_values.h"
#include "debugger/output/style.h"
#include "debugger/output/view.h"

struct format_frame {
	const struct stitched_frame *frame; /* borrowed                                       */
	bool border;                        /* this line is the frame's border, not the frame */
	int number;                         /* of a frame, "#3"; -1: without                  */
};

struct format_frames {
	VEC(struct format_frame) lines;
	/* Of each line: whose values stand below it; len 0: none. Empty: nothing has values. */
	VEC(struct format_same_frames) same;
	const char *prefix; /* borrowed; of each line */
};

/* What stands in the column of functions, and in that of places: "work [parallel]", "at app.c:45".
 */
void format_frames_name(struct buf *out, const struct view *v, const struct stitched_frame *f,
			const struct style *style);
void format_frames_where(struct buf *out, const struct stitched_frame *f);

void format_frames(struct buf *out, const struct view *v, const struct format_frames *frames,
		   const struct style *style);

#endif
