/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Breakpoint: what the user wants the program to stop for: breakpoints, watchpoints, catchpoints.
 *
 * They outlive the process: a breakpoint is what was written, and its locations are where that is
 * in the program as it is mapped now. Each location is a point of the target (point.h) while there
 * is one. One without locations is pending: until a module with such a place is loaded.
 */
#ifndef DEBUGGER_BREAKPOINT_H
#define DEBUGGER_BREAKPOINT_H

#include "debugger/control/arrivals.h"
#include "debugger/control/linespec.h"
#include "debugger/values/compile.h"
#include "debugger/values/value.h"
#include "ompd/picture/runtime_event.h"

enum breakpoint_kind {
	BREAK_CODE,
	BREAK_PRINT,  /* dprintf: prints "format" and goes on     */
	BREAK_CHANGE, /* watch                                    */
	BREAK_READ,   /* rwatch                                   */
	BREAK_ACCESS, /* awatch                                   */
	BREAK_CATCH,
};

enum catch_kind {
	CATCH_FORK,
	CATCH_VFORK,
	CATCH_EXEC,
	CATCH_SIGNAL,
	CATCH_SYSCALL,
	CATCH_LOAD,
	CATCH_UNLOAD,
	CATCH_THROW,
	CATCH_CATCH,
	CATCH_RETHROW,
	CATCH_OMP, /* events of OpenMP: catching.h */
	NUM_CATCHES,
};
extern const char *const catch_names[NUM_CATCHES]; /* "fork" */

/* What becomes of it when it has stopped the program. */
enum breakpoint_fate { FATE_KEEP, FATE_DISABLE, FATE_DELETE };

struct breakpoint_location {
	unsigned int point; /* 0: not in the target                                       */
	taddr addr;
	size_t size;           /* of data */
	size_t copy;           /* of data: which of the watchpoint's copies it is a part of      */
	char *shown;           /* owned; of the function, as function_text.h; NULL: unknown    */
	char *function, *file; /* owned; linkage name, full path; NULL: unknown            */
	int line;
	bool enabled;
	bool resolver; /* of a function that is not chosen yet: no point of the breakpoint's
			  (ifuncs.h) */
	char *invalid; /* owned; why the condition means nothing there: nobody is stopped; NULL */
	uint64_t counted; /* hits of the point that the breakpoint has counted, too        */
};

/* What a watchpoint watches: the one there is, or that of each thread of a team. */
struct watched_copy {
	struct value seen;        /* what it was last                                         */
	pid_t lwp;                /* whose it is; 0: nobody's in particular                   */
	taddr frame;              /* CFA of the frame it means something in; 0: in any        */
	unsigned int scope_point; /* where that frame returns to; 0: none                   */
	bool of_region; /* that is behind the region that the frame has begun: in its data */
	bool over;      /* that frame has returned                                         */
};

/* Events of OpenMP that were counted: of one construct and thread. */
struct counted_events {
	enum runtime_event event;
	taddr at;              /* in the code of the program; 0: unknown                     */
	bool gone;             /* that has been unmapped since                               */
	char *function, *file; /* owned; of the construct; NULL: unknown                   */
	char *module; /* owned; path of the file that has the code; NULL: one of those is known */
	int line;
	int thread; /* its number; 0: nobody has heard of it                         */
	pid_t lwp;
	uint64_t count;
	int64_t last; /* when it came last: CLOCK_MONOTONIC, us                     */
};
struct counted_list {
	struct counted_events *items; /* owned, and what they own */
	size_t len, cap;
};
void counted_events_fini(struct counted_events *n);
void counted_list_fini(struct counted_list *l);

struct breakpoint {
	int number;
	enum breakpoint_kind kind;
	enum breakpoint_fate fate;
	bool enabled, temporary, hard;
	struct linespec spec; /* owned; thread and condition are below                     */
	char *text;           /* owned; as info breakpoints and stop lines show it          */
	char *condition;      /* owned; NULL: none                                         */
	char *commands;       /* owned; lines; NULL: none                                  */
	char *format;         /* owned; of a dprintf: what stands behind the location      */
	int thread;           /* 0: any                                                    */
	struct omp_filter omp;
	VEC(long) regions; /* owned; ids of those that "once" has stopped in            */
	uint64_t ignore;   /* so many hits stop nobody                                  */
	uint64_t hits;
	bool early; /* more of its condition is for there when OpenMP has begun           */
	bool asks;  /* its hits are judged here, not where the program is traced   */
	bool told;  /* that it cannot be set in this process; once is enough                */
	bool noted; /* of OMP: which constructs do not show its event has been said           */
	unsigned long enable_count; /* so many stops until it is disabled; 0: no limit      */
	VEC(struct breakpoint_location) locations; /* owned                                */
	/* Data. */
	VEC(struct watched_copy) copies; /* owned                                         */
	bool reckoned; /* its value is computed here: it lies in several places            */
	bool team;     /* for each thread of a team                                        */
	bool own;      /* each copy is watched in its own thread alone, by registers of that */
	/* Catchpoints. */
	enum catch_kind catches;
	struct ints which; /* owned; signals or system calls; none: all                    */
	char *caught;      /* owned; the process, or program, that it was about last; NULL: none */
	bool any;          /* all signals, also those that debuggers use */
	char *library;     /* owned; part of its path; NULL: any                           */
	event_set events;  /* of OpenMP                                                      */
	unsigned int wish; /* of those: probes.h; 0: none                                   */
	struct buf judged; /* owned; its condition, as the tracer judges it; the wish has it */
	struct arrivals arrivals; /* owned; of barrier-all-arrived                            */
	bool counts; /* stops nobody                                                    */
	struct counted_list counted; /* owned: catching_count()                              */
	struct counted_list named;   /* owned: catching_name()                               */
	uint64_t uncounted;          /* without a row, as there were too many                */
};

void breakpoint_forget_counts(struct breakpoint *b);

struct breakpoints {
	VEC(struct breakpoint *) items; /* owned, and what they point to; by number */
	int last;
};
void breakpoints_fini(struct breakpoints *bs);

/* A new one, enabled, with the next number; it is the list's. NULL: out of memory. */
struct breakpoint *breakpoint_add(struct breakpoints *bs, enum breakpoint_kind kind);
/* Its points must have been taken back. */
void breakpoint_remove(struct breakpoints *bs, struct breakpoint *b);
/* NULL: there is none. */
struct breakpoint *breakpoint_find(const struct breakpoints *bs, int number);
/* The one that a point of the target belongs to, and the index of its location. */
struct breakpoint *breakpoint_of_point(const struct breakpoints *bs, unsigned int point,
				       size_t *ret_location);

/* Has locations as soon as there is code: a breakpoint, a dprintf, catch throw and its kin. */
bool breakpoint_has_code(const struct breakpoint *b);
bool breakpoint_is_watch(const struct breakpoint *b);
/* It ends with a frame: of the process that is there, and of no other. */
bool breakpoint_is_local(const struct breakpoint *b);
/* A place in code is not there yet: no module that is mapped has it. */
bool breakpoint_is_pending(const struct breakpoint *b);

/*
 * How many inlined calls that begin there are not entered yet when a thread stops there: those
 * further in than the function that the breakpoint is in. *ret: the outermost of them.
 */
size_t breakpoint_hidden_calls(const struct breakpoint_location *l, struct session *s,
			       struct code_block *ret);

/* All that has to hold where it is hit: the user's condition last. */
struct breakpoint_conditions {
	char thread[32], team[32];
	const char *items[4]; /* end with NULL */
};
void breakpoint_conditions(const struct breakpoint *b, struct breakpoint_conditions *ret);

/* What breakpoints need of their surroundings. */
struct breakpoint_context {
	struct linespec_context where;
	struct target *target;                      /* borrowed; NULL: nothing runs */
	unsigned int *next_point;                   /* counts: numbers of points   */
	pid_t (*lwp_of)(void *context, int thread); /* 0: no such thread lives */
	/* As compile_conditions(). */
	struct error *(*compile)(void *context, const char *const *conditions, taddr pc,
				 struct buf *ret, struct compiled *ret_how);
	void *context;
};

/*
 * Finds its locations anew. Those that are still there keep their points and whether they are
 * enabled; points of others are taken back. NOT_FOUND: there are none; it is pending.
 * *ret_line as linespec_resolve().
 */
MUST_CHECK struct error *breakpoint_resolve(struct breakpoint *b,
					    const struct breakpoint_context *c, int *ret_line);

/* Sets, changes and takes back points as the breakpoint wants it now. All threads stand. */
MUST_CHECK struct error *breakpoint_arm(struct breakpoint *b, const struct breakpoint_context *c);
/* Takes all back, and counts their hits. */
MUST_CHECK struct error *breakpoint_disarm(struct breakpoint *b, struct target *t);
/* The process is gone, and its points with it. */
void breakpoint_forget(struct breakpoint *b);

/* Counts the hits since; asks the target. */
void breakpoint_count(struct breakpoint *b, struct target *t);

/*
 * Whether its condition makes sense where it is; locations where it does not are marked. USAGE,
 * NOT_FOUND: it does nowhere, and nobody insists ("-force-condition"): what is wrong with it.
 */
MUST_CHECK struct error *breakpoint_check(struct breakpoint *b, const struct breakpoint_context *c);

#endif
