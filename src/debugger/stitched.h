/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Stitched: the call stacks as the source code reads. Made by stitch().
 *
 * Frames and strings are borrowed from the stacks and the picture that they are made of.
 */
#ifndef DEBUGGER_STITCHED_H
#define DEBUGGER_STITCHED_H

#include "debugger/stack.h"
#include "ompd/picture/picture.h"

/* What stands between a frame and the next one out. */
enum border_kind {
	BORDER_NONE,
	BORDER_PARALLEL, /* the frames further in are a parallel region's; further out is its
			    creator */
	BORDER_TASK, /* ...an explicit task's; further out is what this thread left to execute it */
	BORDER_TEAMS,
	BORDER_TARGET,
	BORDER_CALLBACK, /* the runtime called the program for another reason: a reduction, a copy
			  */
	NUM_BORDERS,
};

struct border {
	enum border_kind kind;
	int region;              /* of PARALLEL and TEAMS; -1: unknown                      */
	int task;                /* of TASK; -1: unknown                                    */
	int creator;             /* of TASK: thread that created it; -1: unknown            */
	struct place place;      /* of the construct                                        */
	enum fact_source source; /* how region or task were found                           */
};

struct stitched_frame {
	const struct stack_frame
		*frame;        /* borrowed; NULL: tail-called away, only "function" is known */
	const char *function;  /* borrowed; what to show: the user's function, also for outlined
				  code; NULL: unknown */
	const char *construct; /* "parallel", "task", "for", ... for outlined code; else NULL     */
	const char *file;      /* borrowed; NULL: unknown                                    */
	int line;              /* 0: unknown                                                 */
	enum code_kind kind;   /* runtime and system: shown only with "all frames", unless called by
				  the user */
	bool hidden; /* the runtime's inner workings, or start-up of threads and process   */
	pid_t lwp;   /* of the thread whose stack it stands in                     */
	struct border border; /* between this frame and the next one out                    */
};

struct stitched_stack {
	int thread;                        /* index in the picture and in the stacks          */
	VEC(struct stitched_frame) frames; /* innermost first                                */
	const char *end; /* borrowed; why it does not get to main(); NULL: it does */
};

struct stitched {
	VEC(struct stitched_stack) stacks; /* in the order of threads                        */
	VEC(char *) names;                 /* owned; of functions                            */
};

#endif
