/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Stitch: from the raw stacks and the picture to the call stacks as the source code reads: each
 * thread's own frames, then those of the thread that created its region, at the point where it did
 * so, and so on out to main().
 *
 * stitch_frames.c adds frames and names them; stitch_borders.c says where regions and tasks begin;
 * here one thread's stack is followed into another's.
 */
#ifndef DEBUGGER_STITCH_H
#define DEBUGGER_STITCH_H

#include "debugger/stitched.h"

/* Both must be named. Errors only for lack of memory. */
MUST_CHECK struct error *stitch(const struct stacks *s, const struct picture *p,
				struct stitched *ret);

/*
 * A raw stack in the same form: as it is, without borders, nothing hidden. Takes the place of what
 * is in *ret. false: out of memory.
 */
bool stitch_raw(const struct stacks *s, int thread, struct stitched_stack *ret);

void stitch_fini(struct stitched *s);

/* The innermost frame of a thread that is user code and not hidden; NULL: none. */
const struct stitched_frame *stitch_innermost(const struct stitched *s, int thread);

#endif
