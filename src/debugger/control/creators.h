/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Creators: which frame has begun the parallel region that a frame's code is of, or has made its
 * task (task_creator.h), maybe on another thread's stack: there are the variables that the code
 * sees and has not captured.
 */
#ifndef DEBUGGER_CREATORS_H
#define DEBUGGER_CREATORS_H

#include "debugger/session.h"

struct snapshot;

enum { CREATORS_NAME_MAX = 48 };

/* A frame, or an inlined call in it, as stacks of other modules have it, too. */
struct frame_key {
	taddr pc, cfa;
	size_t outer; /* levels of the same frame of the machine that are further out */
};

/* Where an explicit task has its variables: picture.h. */
struct task_data {
	taddr function, arguments, block; /* function 0: not known */
	uint64_t block_size;
	pid_t creator; /* in whose stack the frame is that has made it; 0: not known */
};

enum { CREATORS_MAYBE_MAX = 16 };

struct creator {
	pid_t lwp;           /* 0: none */
	bool is_task, known; /* it has made a task; "frame" is the one */
	struct frame_key frame;
	struct frame_key maybe[CREATORS_MAYBE_MAX]; /* not known: one of these, or it is gone */
	size_t nmaybe;
	/* It is gone, but not the frame that has begun the region whose code has the task's. */
	bool is_beyond;
	const char *why;                /* there is one, but its frame is not known; else NULL */
	char thread[CREATORS_NAME_MAX]; /* "Thread 0.0" */
	struct task_data task;          /* whose code it is, where it is a task's      */
};

/* Of code of a construct (outlined.h). Looks at all threads. Errors as of look_once(). */
MUST_CHECK struct error *creators_find(struct session *s, pid_t lwp, const struct frame_key *frame,
				       struct creator *ret);

/* Of a task of the picture; of an implicit one nothing is known. */
struct task_data creators_task_data(const struct snapshot *s, int task);

/* An explicit task, by its number in the picture. */
struct creators_task {
	struct task_data data;
	pid_t lwp; /* that executes it, or has left it for another; 0: nobody has begun */
	struct frame_key frame; /* of its function; pc 0: not found                      */
};

/* USAGE: there is none of that number, or it is an implicit one. */
MUST_CHECK struct error *creators_find_task(struct session *s, long number,
					    struct creators_task *ret);

#endif
