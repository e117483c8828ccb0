/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Frames: the stack of one stopped thread, unwound as far as it has been asked for, with inlined
 * calls as frames of their own. Valid until the target runs;
 * unwound anew when somebody has written to it.
 *
 * Where a thread has stopped at the first instruction of an inlined call, it has not been called
 * yet: such calls are hidden ("hidden" innermost levels), until a step enters them.
 *
 * Functions that a tail call has left are frames, too, where it is certain which ones these are
 * (call_sites.h). They are no raw frames.
 */
#ifndef DEBUGGER_FRAMES_H
#define DEBUGGER_FRAMES_H

#include "debugger/control/creators.h"
#include "debugger/control/stop_report.h"
#include "debugger/values/scope.h"

struct frame {
	size_t raw, level; /* scope.h */
	taddr pc, cfa;
	taddr entry;          /* of the function or inlined call; 0: unknown                   */
	const char *function; /* linkage name, borrowed from the symbol table; NULL: unknown  */
	const char *file;     /* full path, borrowed likewise; NULL: no lines                */
	int line;
	bool exact, inlined, signal;
	bool made; /* by the debugger: what a function returns to that the user has called */
	bool left; /* by a tail call: raw is that of the function which that has led to  */
};

struct frames {
	struct session *session; /* borrowed */
	struct thread *thread;   /* borrowed; NULL: nobody */
	unsigned long changes;   /* of the target, when that was */
	struct unwind_stack raw; /* owned */
	bool complete;           /* the whole stack */
	size_t hidden;
	bool past_main;          /* frames of who has called main() are shown, too              */
	bool linker_names;       /* code of a construct is shown by the compiler's name for it  */
	VEC(struct frame) items; /* from the innermost one that is shown */
	size_t named;            /* raw frames that items are made of    */
	uint64_t registers[SCOPE_REGISTERS_MAX]; /* of the frame of the last frames_scope() */
	struct frames *around; /* owned; of who made the region of the frame at "within"; or NULL */
	struct creator creator;   /* of the same                                             */
	struct task_given *given; /* owned; to its task, task_values.c; NULL: not asked    */
	size_t within, around_level;
};
void frames_fini(struct frames *f);

/* Begins anew with a thread; hides so many inlined levels. */
void frames_select(struct frames *f, struct session *s, struct thread *th, size_t hidden);

/* The n-th frame from the inside; NULL in *ret: the stack has fewer. Borrowed until the next call.
 */
MUST_CHECK struct error *frames_get(struct frames *f, size_t n, const struct frame **ret);

/* The raw frame; NULL in *ret: there are fewer. */
MUST_CHECK struct error *frames_raw(struct frames *f, size_t n, const struct unwind_frame **ret);

/*
 * The index of a frame, from *index on. Where that is not found, *ret is false and *index as it
 * was.
 */
MUST_CHECK struct error *frames_find(struct frames *f, const struct frame_key *key, size_t *index,
				     bool *ret);

/* It is main(), or Fortran's main program: behind it nothing is the user's. */
bool frames_is_main(const struct frames *f, const struct frame *frame);

/* Why the stack ends before the thread's start; NULL: it does not, or not all is unwound yet. */
const char *frames_end(const struct frames *f);

/* The scope of the n-th frame; its registers stay until the next call. NOT_FOUND: no such frame. */
MUST_CHECK struct error *frames_scope(struct frames *f, size_t n, struct scope *ret);

/*
 * What a stop line shows of a frame. Code of an OpenMP construct belongs to the function that it
 * was written in, wherever a frame is shown, but on raw stacks (linker_names).
 */
MUST_CHECK struct error *frames_place(const struct frames *f, const struct frame *frame,
				      struct report_place *ret);

/* How many inlined calls begin exactly at pc: those have not been called yet. */
size_t frames_calls_at(struct session *s, taddr pc);

#endif
