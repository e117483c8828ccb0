/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Course: the frame, the line and the code that a plan goes by, and what is the same as those.
 */
#ifndef DEBUGGER_COURSE_H
#define DEBUGGER_COURSE_H

#include "debugger/control/where.h"

/* It runs through that code next; instruction by instruction, if there is none. */
void course_through(struct plan *p, struct code_range way);
/* Its range is the row where the thread stands. */
void course_through_row(struct plan *p, const struct where *w);
/* Through inlined code that so many blocks are around: up to the end of it, or of its row. */
void course_through_inlined(struct plan *p, const struct where *w, size_t depth);

/* It goes by the frame where the thread stands, so many blocks deep; by the line of the row. */
void course_by_frame(struct plan *p, const struct where *w, size_t depth);
void course_by_line(struct plan *p, const struct where *w);
/* By another line. Where memory is out it goes by none, and stops early. */
void course_set_line(struct plan *p, const char *file, int line);
/* By frame, line and row, from the midst of the row on. */
void course_by(struct plan *p, const struct where *w);

bool course_is_line(const struct plan *p, const char *file, int line);
/* In the plan's frame, or in calls that were inlined into it. */
bool course_is_within(const struct plan *p, const struct where *w);
/* In another piece of the inlined call that is the plan's frame, which is not called anew there. */
void course_stay_within(const struct plan *p, struct where *w);

/*
 * In the function of the construct's code, out of what clang has inlined there and what is the
 * construct to the user: in the midst of a row, in code without a line of its own. It has not left
 * that.
 */
bool course_keeps(const struct plan *p, const struct plan_context *c, const struct where *w);

#endif
