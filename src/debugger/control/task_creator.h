/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Task_creator: which frame has made an explicit task.
 *
 * No runtime keeps that. It keeps the task that has made it, whose frames are those of one thread
 * up to that task's own code. The frame is certainly there:
 *
 *   where the task is executed at once: it stands behind the task
 *   where the source has the task within the other task's or region's construct, and both in one
 *     function: it is the outermost frame of those, which lasts as long as that task does
 *   where it waits in the call that made a taskloop: that returns when its tasks are over
 *   where the other task has called one function that makes such tasks, once, and its source waits
 *     for them on every way to its end (awaited.h)
 *
 * Else the task is of a function that the other task called, and that may have returned and been
 * called again: its frames are told as such that it may be.
 */
#ifndef DEBUGGER_TASK_CREATOR_H
#define DEBUGGER_TASK_CREATOR_H

#include "debugger/snapshot.h"

enum { TASK_CREATOR_MAX = 16 };

struct task_creator {
	const struct stitched_frame *frames[TASK_CREATOR_MAX]; /* borrowed */
	size_t len;
	bool known; /* there is one, and it is the one: else those that it may be, if it is there */
};

/*
 * Of the task whose own code is the frame at "code" of a stitched stack, the border at "border".
 * Errors only for lack of memory.
 */
MUST_CHECK struct error *task_creator_find(struct session *from, const struct snapshot *s,
					   const struct stitched_stack *stack, size_t code,
					   size_t border, struct task_creator *ret);

/*
 * The region whose own code had the task's, where no frame of that is left: the frame that has
 * begun it is one of the function that both were written in. -1: there is none.
 */
MUST_CHECK struct error *task_creator_region(struct session *from, const struct snapshot *s,
					     const struct stitched_frame *code, int task, int *ret);

#endif
