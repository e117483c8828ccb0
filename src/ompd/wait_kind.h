/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Wait_kind: what a thread can wait for.
 */
#ifndef OMPD_WAIT_KIND_H
#define OMPD_WAIT_KIND_H

enum wait_kind {
	WAIT_NONE,    /* runs, or is about to: user code                        */
	WAIT_IDLE,    /* in the pool                                            */
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
	WAIT_RUNTIME,    /* elsewhere in the runtime: busy, or not known           */
	WAIT_MUTEX,      /* of pthreads, outside OpenMP; name: the function        */
	WAIT_CONDITION,
	WAIT_SYSCALL, /* outside OpenMP; name: of the call                      */
	WAIT_MPI,     /* name: of the function                                  */
	WAIT_UNKNOWN, /* could not be looked at                                 */
	NUM_WAIT_KINDS,
};

#endif
