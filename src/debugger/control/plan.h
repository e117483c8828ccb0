/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Plan: what a thread is to reach when it goes on: the next line, its caller, a place.
 *
 * A plan is data: what the thread shall do next (its move), the points that it waits for, and how
 * the frame that it goes by is known: by CFA, so that a deeper call of a recursion is another one.
 * Whatever happens to the thread is given to step_answer(), which says whether that was all.
 *
 *   step, next   a range of code is stepped through: that of a row of the line table. Behind it:
 *                a call is run through up to its return, or entered behind its prologue; where a
 *                statement of another line begins is the end; in the midst of a row, as after a
 *                return, the plan goes by that row and the frame there from then on
 *   finish       runs to the return address of a frame
 *   until        is next that does not go back; until PLACE, advance: run to a place
 *
 * What leaves frames without returning is watched meanwhile (escape.h): a frame that an exception
 * or longjmp() has left is not waited for.
 */
#ifndef DEBUGGER_PLAN_H
#define DEBUGGER_PLAN_H

#include "debugger/control/construct_lines.h"
#include "debugger/control/frames.h"
#include "ompd/picture/runtime_ops.h"
#include "target/symbols/places.h"

enum plan_kind {
	PLAN_NONE,
	PLAN_STEP,
	PLAN_NEXT,
	PLAN_STEPI,
	PLAN_NEXTI,
	PLAN_FINISH,
	PLAN_FINISH_INLINE, /* out of an inlined call: there is nothing to return from */
	PLAN_UNTIL,         /* another line, not back      */
	PLAN_REACH,         /* until, advance: a place      */
	PLAN_CALL,          /* a function that the user calls returns: called.h */
};

enum plan_move { MOVE_RUN, MOVE_STEP, MOVE_RANGE };

struct code_range {
	taddr start, end;
};

enum point_role {
	ROLE_RETURN,    /* the step goes on where a call has returned               */
	ROLE_BODY,      /* a function is entered: behind its prologue               */
	ROLE_GOAL,      /* this is what the plan is to reach                        */
	ROLE_LEFT,      /* until PLACE: the frame has returned before               */
	ROLE_CATCH,     /* an exception handler begins in that frame, or further out */
	ROLE_JUMP,      /* longjmp() and its kin                                    */
	ROLE_LANDING,   /* in the handler                                           */
	ROLE_JUMPED,    /* where longjmp() leads to                                 */
	ROLE_OUT,       /* an inlined call is left: inline_exits.h                  */
	ROLE_TERMINATE, /* an exception that nobody catches ends the program      */
	/* Constructs: construct_step.h, task_step.h. */
	ROLE_ENTRY,      /* the code of the construct begins                          */
	ROLE_BEHIND,     /* the program's code goes on behind it                      */
	ROLE_COPY,       /* the runtime is about to copy what a task's code is passed */
	ROLE_COPIER,     /* a function of the program is, in its place                */
	ROLE_MADE,       /* the runtime's function that makes tasks has returned      */
	ROLE_REGION_END, /* the region is over in which a task was made               */
	ROLE_WAITS,      /* whoever has made a task may begin to wait for it          */
};

struct plan_point {
	unsigned int id; /* of the target's point */
	enum point_role role;
	taddr addr, sp_above;
	bool keyed; /* it has a condition, or is not of the plan's thread */
};

/* A point that a plan wants. */
struct plan_wish {
	enum point_role role;
	taddr addr, sp_above;
	pid_t lwp;                   /* whose; 0: everybody's     */
	const struct buf *condition; /* borrowed; NULL: none */
};

enum { TASK_KEYS = 32 };

/* The construct that a plan begins at, enters or leaves. */
struct plan_construct {
	char *file; /* owned; where the step begins, and line */
	int line;
	struct construct_lines lines;
	taddr around;      /* the function that has that line: its entry; 0: unknown     */
	bool at_directive; /* it begins there: it is to enter it, if it is a step        */
	bool asks;         /* the runtime has been called since: it has come to the construct */
	bool enters;       /* its code has begun, and none of its statements yet         */
	bool seeks_task;   /* code of a task is waited for, whoever executes it          */
	bool again;        /* it is the next part of an untied one                         */
	bool resumed;      /* that has begun, and the step had been in the task before   */
	const struct user_call *call;
	taddr function;        /* that it was called with                             */
	taddr keys[TASK_KEYS]; /* what tells the task from others of the same code  */
	size_t nkeys;
	taddr creator; /* finish -creator: the task, as the runtime knows it                */
	enum construct_told told;
	char by[THREAD_NAME_MAX], now[THREAD_NAME_MAX]; /* threads: "0.3"          */
};

struct plan {
	enum plan_kind kind;
	pid_t lwp;
	unsigned long count; /* so many times more, this one included */
	enum plan_move move;
	struct code_range range; /* of the row that is stepped through                          */
	struct code_range way;   /* MOVE_RANGE: what is run through next: it, or inlined code   */
	/* The frame that it goes by, and the line where that is. */
	taddr cfa, function; /* of the function around it: its entry; 0: unknown             */
	taddr block;         /* the entry of the innermost call that is shown, inlined or not */
	size_t depth;        /* blocks from the outermost to that one                        */
	char *file;  /* owned: it may outlive the session, where a fork's child is followed  */
	int line;    /* 0: any other is another one */
	taddr limit; /* the stack pointer in that frame, while it is waited for: what leaves the
			frames below leads there or above                                */
	taddr first_function; /* at the beginning                                           */
	bool same_frame;      /* it has ended in the frame that it goes by: the line is enough */
	taddr finished_pc;    /* finish: in the function that returns                             */
	size_t hidden;        /* of the frames where it ends: frames.h               */
	bool enters_handler;  /* it begins with a signal whose handler is entered               */
	bool escaped; /* it ended where an exception or longjmp() led                      */
	bool stays;   /* until PLACE: reached in the frame at cfa alone, as a recursion has more */
	unsigned int inlined; /* stops in the midst of inlined calls that are gone through */
	unsigned int looks;   /* CALL: at its thread, while that runs                      */
	uint64_t footprint;   /* CALL: of what it spun in at the last of them; 0: in nothing */
	struct plan_construct construct;
	VEC(struct plan_point) points;
};

/* What plans need of their surroundings. */
struct plan_context {
	struct session *session;  /* borrowed */
	struct frames *frames;    /* borrowed; of the plan's thread, as it stands now     */
	unsigned int *next_point; /* counts: numbers of points                            */
	bool *stands;             /* all threads do: else they are stopped for new points  */
	/* Whether a function is not to be entered (skip); NULL: none is. */
	bool (*skips)(void *context, const char *function, const char *file);
	void *context;
	bool passes_tasks; /* step goes on behind constructs of tasks: set omp-step over */
	bool in_team;      /* who leaves the region is waited for by who moves its team: mover.h */
};

enum plan_answer { PLAN_GOES_ON, PLAN_DONE };

/* Adds a point of the plan's thread; one that is there already is moved. */
MUST_CHECK struct error *plan_add_point(struct plan *p, const struct plan_context *c,
					enum point_role role, taddr addr, taddr sp_above);
/* The same of any wish. */
MUST_CHECK struct error *plan_set_point(struct plan *p, const struct plan_context *c,
					const struct plan_wish *wish);
/* All threads stand from now on. */
MUST_CHECK struct error *plan_stand(const struct plan_context *c);
/* The plan goes on as that thread: takes back all points of the one before. */
MUST_CHECK struct error *plan_switch(struct plan *p, const struct plan_context *c, pid_t lwp);
/* Takes back those that a call was run through with, or a construct was to be entered. */
MUST_CHECK struct error *plan_drop_way(struct plan *p, const struct plan_context *c);
/* Takes back all points with a role. Stops the threads, if there are any. */
MUST_CHECK struct error *plan_drop_points(struct plan *p, const struct plan_context *c,
					  enum point_role role);
/*
 * Takes back, as far as there still is a target, all that the next plan of the same thread does not
 * need, too; or all, with plan_drop().
 */
void plan_end(struct plan *p, const struct plan_context *c);
void plan_drop(struct plan *p, const struct plan_context *c);
/* Another process goes on with it, as that thread: sets all its points there. */
MUST_CHECK struct error *plan_follow(struct plan *p, const struct plan_context *c, pid_t lwp);
/* The target is gone, and its points with it. */
void plan_forget(struct plan *p);

/* The one of the plan's points with that number; NULL: it is not one of those. */
const struct plan_point *plan_find_point(const struct plan *p, unsigned int id);

/* "next", "finish". */
const char *plan_name(const struct plan *p);

#endif
