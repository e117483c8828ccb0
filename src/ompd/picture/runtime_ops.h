/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Runtime_ops: one kind of OpenMP runtime: how it is recognised, what its entries do, how it is
 * asked, and what its memory tells beyond what OMPD does.
 *
 * All that differs between runtimes is here. Code that is not in a runtime's own folder asks the
 * ops of the runtime at hand, and never which one it is.
 */
#ifndef OMPD_RUNTIME_OPS_H
#define OMPD_RUNTIME_OPS_H

#include <stdbool.h>

#include "ompd/picture/loop.h"
#include "ompd/picture/runtime_event.h"
#include "ompd/picture/wait_kind.h"
#include "target/flow/flow_call.h"

/* Why the runtime calls user code. */
enum span_call {
	SPAN_WAITS,    /* it does not: the innermost span, in which the thread is       */
	SPAN_PARALLEL, /* implicit task of a region                                     */
	SPAN_TASK,     /* explicit task                                                 */
	SPAN_TEAMS,    /* initial task of a league's team                               */
	SPAN_TARGET,   /* target region, on the host                                    */
	SPAN_CALLBACK, /* anything else: reductions, copies                             */
};

/* Where a thread leaves its task to execute another one. */
enum task_point {
	POINT_BARRIER,  /* a barrier or another place where it executes any task      */
	POINT_TASKWAIT, /* from here on: tasks that the one it leaves has created     */
	POINT_TASKGROUP,
	POINT_CREATION, /* the new task is executed at once                           */
};

/* What omp_get_thread_num(), omp_get_level() and omp_get_num_threads() say to a thread; and the
 * address of what the runtime has for its team, 0: none. */
/* ASKED: threads that its next region is to have, where a call before that tells; 0: no call has.
 */
enum own_number { OWN_THREAD, OWN_LEVEL, OWN_TEAM_SIZE, OWN_TEAM, OWN_ASKED };

/* What is known of where a runtime's threads have those. */
enum own_state {
	OWN_KNOWN,
	OWN_NOT_YET, /* it has not begun: no thread is in a region of its */
	OWN_UNKNOWN,
};

/* What one entry does, or all those whose names begin with the same text. */
struct runtime_entry {
	const char *start;   /* of the name; NULL ends a table. The first row that fits counts */
	enum wait_kind kind; /* what a thread waits for in it, or what "effect" is about    */
	enum flow_effect effect; /* on a lock or critical construct                         */
	unsigned int object;     /* argument that is the lock, from 1 on; 0: none                */
	unsigned int function;   /* argument that is the construct's function, from 1 on; 0: none */
	enum span_call calls; /* as what it calls user code; SPAN_WAITS: the name does not tell */
	enum task_point point;
	bool internal;         /* exported, but programs do not call it                     */
	const char *construct; /* "parallel for", of SPAN_PARALLEL; NULL: "parallel" */
};

/*
 * An entry that calls code of the program, now or later, and how its arguments tell which.
 * Arguments count from 1 on; 0: there is none.
 */
struct user_call {
	const char *name; /* "GOMP_parallel*": all that begin so; NULL ends a table. The first row
			     that fits counts                                                  */
	enum span_call calls; /* WAITS: it calls none, unlike others whose names begin so */
	uint8_t function; /* the code                                                          */
	uint8_t data;     /* what that is passed; tasks get copies of it                       */
	uint8_t copier;   /* a function that copies it; may be 0 at run time: bytes are copied */
	uint8_t task;     /* the runtime's struct of a task, which "function" is a member of   */
	uint8_t routine;  /* where in that, bytes                                              */
	uint8_t part;     /* likewise: of which part the task is at (int), if it has several   */
	uint8_t passed;   /* which argument of the code is "data" or "task"                    */
	bool original;    /* "task" itself is executed; else copies of it                      */
};

struct buf;
struct ompd_address_space_context;
struct openmp;
struct openmp_source;
struct picture_region;
struct picture_task;
struct span;
struct call_sites;
struct target;
struct thread;
struct walk;

/*
 * Lists end with NULL, and may be NULL but for signs and entries. Functions may be NULL where that
 * is said; then there is nothing to do.
 */
enum lock_state { LOCK_UNKNOWN, LOCK_FREE, LOCK_HELD };

struct runtime_ops {
	const char *name; /* "libgomp" */

	/* ---- code ---- */
	const char *const *signs;      /* names: what defines one of them is this runtime       */
	const char *const *companions; /* names: what defines one is code that belongs to it    */
	const char *const *linked;     /* how names of its functions begin, where it is a part of
					  the program; NULL: it is not recognised there         */
	const struct runtime_entry *const *entries;
	const char *const *detaching; /* what a program calls that makes detachable tasks       */
	const char *const *idles;     /* what only lets time pass; NULL: nothing               */
	const char *const *tools;     /* what a program has whose functions it tells of events */
	const struct loop_call *const *loop_calls; /* of worksharing loops                */
	const struct event_row *const *events;     /* tables that end with a row of zeroes        */
	const struct user_call *const *user_calls; /* for steps                           */
	const char *const *task_waits; /* by which a task begins to wait for others        */
	const char *last_words; /* how what it writes begins before it calls abort(); NULL: never */
	bool has_helpers;    /* it may have a team of its own, which is none of the program's   */
	bool calls_back;     /* while it waits, it calls functions of its own by pointers       */
	bool stale_members;  /* a worker that has not begun: one of an earlier team may be named */
	bool workers_direct; /* the first function of its threads calls those of regions        */

	/* ---- its OMPD session: see client/openmp.h ---- */
	bool version_of_compiler;       /* its version is that of the compiler: "GCC 12"          */
	const char *const *unread_icvs; /* how names of ICVs begin that are not to be read   */

	/* Loads a library, and sets the session's status at least. Errors only for lack of memory.
	 */
	struct error *(*begin)(struct openmp *o, const struct openmp_source *source);
	/*
	 * Brings what begin() has put into context.own up to date at a later stop; false: it does
	 * not fit any longer, begin anew. May be NULL: nothing of it is about one stop.
	 */
	bool (*begin_stop)(struct ompd_address_space_context *context);
	/* Frees what begin() has put into context.own. May be NULL. */
	void (*end)(struct ompd_address_space_context *context);
	/* The library may be asked about the thread. May be NULL: it always may. */
	bool (*may_ask)(const struct ompd_address_space_context *context, const struct thread *th);
	/* What the library gave for a thread is a thread of the runtime. May be NULL: it always is.
	 */
	bool (*is_known)(void *thread_handle);
	/* Answers for symbols, and for reads of memory that is none of the target's. May be NULL.
	 */
	bool (*find_symbol)(const struct ompd_address_space_context *context, const char *name,
			    const struct thread *th, taddr *ret);
	bool (*read)(const struct ompd_address_space_context *context, taddr from, size_t len,
		     void *ret);

	/*
	 * Adds to ret what leaves a thread's number on the stack, as a part of a condition (target/
	 * process/condition.h): for a thread that the runtime has never seen what it would say to
	 * it. May be NULL: UNKNOWN.
	 */
	enum own_state (*own_number)(const struct openmp *o, enum own_number which,
				     struct buf *ret);

	/* ---- what its memory tells, brought into the picture ---- */
	/* is_idle() and add_tasks() are asked if a library answers, and may be NULL else. */
	/* A thread of its own, in no user code, waits in the pool. Its handle is in w->handles. */
	bool (*is_idle)(struct walk *w, int thread);
	/* Add to what OMPD has told. May be NULL. */
	void (*read_region)(void *handle, struct picture_region *ret);
	void (*read_task)(void *handle, struct picture_task *ret);
	/* Adds the tasks that no thread executes, and sets lists_tasks. */
	void (*add_tasks)(struct walk *w, int runtime);
	/* Adds addresses to the regions and tasks of a thread that is looked at alone. May be NULL.
	 */
	void (*add_handles)(struct walk *w, int runtime);
	/*
	 * Adds the tasks that one will wait for which that task is about to make, or it itself,
	 * with these dependences (walk_add_predecessor()). false: not all could be read. May be
	 * NULL.
	 */
	bool (*add_predecessors)(struct walk *w, int task, const struct dependence *all,
				 size_t len);
	/*
	 * The task that a thread left in that span to execute the given one; -1: not known. May be
	 * NULL.
	 */
	int (*suspended)(struct walk *w, int thread, int task, const struct span *span);
	/* Improves the wait of a thread, which has what the entry tells. May be NULL. */
	void (*refine_wait)(struct walk *w, int thread, const struct span *span);
	/*
	 * Whether a thread whose wait is known, with its object, has not begun to wait or has what
	 * it waits for. May be NULL.
	 */
	bool (*is_over)(struct walk *w, int thread, const struct span *span);
	/* Sets "over" of those that wait at barriers, when all waits are known. May be NULL. */
	void (*refine_barriers)(struct walk *w, int runtime);
	/* The kind of a barrier, by the call that returns to that address. May be NULL. */
	enum wait_kind (*barrier_kind)(struct target *t, struct call_sites *calls, const char *api,
				       taddr return_address);
	/*
	 * The thread that holds what a thread waits for, or whose turn it is; -1: not known. May be
	 * NULL.
	 */
	int (*holder)(struct walk *w, int thread, const struct span *span);
	/*
	 * Adds to the facts of a loop that a thread is in, in the region that lies just around
	 * "inner" (-1: in its innermost region), what the runtime's memory says. What does not fit
	 * is not used. May be NULL.
	 */
	void (*read_loop)(struct walk *w, int thread, int inner, struct loop_facts *ret);
	/*
	 * The iterations that an explicit task has, if it is one of a taskloop's, which the source
	 * tells. May be NULL.
	 */
	void (*read_taskloop)(struct walk *w, const struct picture_task *task,
			      struct loop_facts *ret);
	/* What a runtime's number for a schedule means. May be NULL. */
	struct schedule (*schedule)(uint64_t number);
	/* What the word says that a lock in the program's memory begins with. May be NULL. */
	enum lock_state (*lock_state)(uint32_t word);
	/* Adds the locks that the runtime keeps by number, as far as they are known. May be NULL.
	 */
	void (*add_locks)(struct walk *w, int runtime);
	/* The runtime's own lock, one for all that wait for the same; 0: not known. May be NULL. */
	taddr (*inner_lock)(struct walk *w, int thread, const struct span *span);
};

/* What the runtime's function of that name does; NULL: it is none of its entries, or NULL. */
const struct runtime_entry *runtime_entry(const struct runtime_ops *ops, const char *name);

/* What the runtime's function of that name does in loops; NULL: nothing, or NULL. */
const struct loop_call *runtime_loop_call(const struct runtime_ops *ops, const char *name);

/* How the runtime's function of that name calls the program's code; NULL: it does not, or NULL. */
const struct user_call *runtime_user_call(const struct runtime_ops *ops, const char *name);

/* What a thread waits for in it; RUNTIME: not known. */
enum wait_kind runtime_entry_wait(const struct runtime_entry *e);

/* A name begins with one of the list; NULL: an empty list. */
bool runtime_starts_with(const char *const *list, const char *name);

#endif
