/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Wait_kind: what a thread can wait for.
 *
 * A new kind is a row here, a row in wait_kind.c, and its words in debugger/wait_words.c.
 */
#ifndef OMPD_WAIT_KIND_H
#define OMPD_WAIT_KIND_H

#include <stdbool.h>

enum wait_kind {
	WAIT_NONE,    /* runs, or is about to: user code                        */
	WAIT_IDLE,    /* in the pool                                            */
	WAIT_DUE,     /* there still, though a team has it: not woken yet       */
	WAIT_BARRIER, /* a barrier, not known which kind                        */
	WAIT_EXPLICIT_BARRIER,
	WAIT_REGION_END,
	WAIT_WORKSHARE_END, /* of for, sections, single, ...                        */
	WAIT_TASKWAIT,
	WAIT_TASKGROUP,
	WAIT_DEPENDENCE,
	WAIT_CRITICAL,
	WAIT_LOCK,
	WAIT_NEST_LOCK,
	WAIT_ORDERED,
	WAIT_ATOMIC,
	WAIT_SINGLE, /* for the thread that executes it                        */
	WAIT_COPYPRIVATE,
	WAIT_DOACROSS,
	WAIT_TEAMS,      /* end of a league                                        */
	WAIT_TASK_EVENT, /* a detachable task's event                              */
	WAIT_PASSING,    /* a barrier that is over, or that does not count it yet      */
	WAIT_TEAM_START, /* for the workers of the team that it is about to begin  */
	WAIT_RUNTIME,    /* elsewhere in the runtime: busy, or not known           */
	WAIT_MUTEX,      /* of pthreads, outside OpenMP; name: the function        */
	WAIT_CONDITION,
	WAIT_JOIN,    /* the end of a thread that is known; name: the function  */
	WAIT_SYSCALL, /* outside OpenMP; name: of the call                      */
	WAIT_MPI,     /* name: of the function                                  */
	WAIT_MEMORY,  /* a loop of the program's that only looks at memory      */
	WAIT_CRASHED, /* a signal has ended it; name: of that (crash.h)     */
	WAIT_UNKNOWN, /* could not be looked at                                 */
	NUM_WAIT_KINDS,
};

/* Whom a thread waits for. */
enum wait_whom {
	FOR_NOT_KNOWN,
	FOR_NOBODY,   /* it computes, or has crashed                  */
	FOR_TEAM,     /* all threads of its team, at a barrier        */
	FOR_CHILDREN, /* tasks that its own task has created          */
	FOR_HOLDER,   /* the thread that holds a lock                 */
	FOR_TURN,     /* the thread whose turn it is, at ordered      */
	FOR_ENDING,   /* the thread that it joins                     */
	FOR_EVENT,    /* whoever fulfils the event of a detached task */
	FOR_LEAGUE,   /* all teams of its league                      */
	FOR_SIGNAL,   /* another thread that must wake it             */
	FOR_WRITER,   /* another thread that must change what it reads */
	FOR_WORLD,    /* something outside of the process, or time    */
	FOR_RUNTIME,  /* the runtime is about to go on                */
	FOR_WORK,     /* a new region: it is in the pool              */
	NUM_WAIT_WHOM,
};

struct wait_traits {
	const char *name; /* for tables and JSON: "explicit barrier" */
	enum wait_whom whom;
	bool is_barrier;   /* with a count of those who have arrived                         */
	bool is_workshare; /* at the end of a worksharing construct                          */
	bool is_lock;      /* calls in the user's code take it and give it back              */
	bool is_outside;   /* not of OpenMP                                                  */
};

/* Those of a kind; never NULL. */
const struct wait_traits *wait_kind_traits(enum wait_kind kind);

static inline enum wait_whom wait_kind_whom(enum wait_kind kind)
{
	return wait_kind_traits(kind)->whom;
}

/* The thread waits for somebody or something that is known, and is needed itself. */
bool wait_kind_is_wait(enum wait_kind kind);

#endif
