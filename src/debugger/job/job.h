/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Job: the processes that targets of a command mean: one, or those of a parallel job.
 *
 *   4711, ./core     that one
 *   job:4711         the ranks of the job that process 4711 has started, or is a rank of
 *   name:PROGRAM     all processes of the user that run that program
 *
 * On other hosts than the one on which its name was typed (hosts.h), a job is meant by
 *
 *   ranks:0.4711,2.4713   those processes, and which ranks they are
 *   key:9c3f00d2a1b4e581  the ranks whose environment says so (rank_env.h)
 *   any:                  all ranks of the user that are there, which are to be of one job
 *   table:-               what a line of standard input says for this host: "node7 ranks:2.4713"
 *
 * Who is a rank is told by the environment (rank_env.h). Of the processes that have got one and the
 * same rank, a shell that starts the program and the program's own children among them, the rank is
 * the outermost that has an MPI or OpenMP library mapped; if none has, the last before they branch.
 */
#ifndef DEBUGGER_JOB_JOB_H
#define DEBUGGER_JOB_JOB_H

#include <sys/types.h>

#include "debugger/job/hosts.h"

struct job_member {
	int rank;     /* -1: it has none, or which is not asked */
	pid_t pid;    /* 0: a core file                         */
	char *target; /* owned; its name, for session_open()    */
};

struct job {
	VEC(struct job_member) members; /* ranks of one job in their order          */
	size_t missing; /* ranks of this host that are not there: not yet, or no more            */
	char *counted; /* owned; the target's name by which that is so; NULL: none is missing     */
	size_t elsewhere; /* ranks of the job that are on other hosts, as far as that is known    */
	struct buf found; /* how they were found, a line for each group; "": as they were given */
	struct job_hosts hosts; /* others that have ranks of it, or may have */
};
void job_fini(struct job *j);
#define AUTO_JOB AUTO(job_fini) struct job

/* Other hosts that may have ranks of the job that will be found: hosts_read_list(). */
MUST_CHECK struct error *job_give_hosts(struct job *j, const char *list);

/* Whether a process is one of the programs that start parallel jobs: mpiexec, mpirun, srun ... */
bool job_is_starter(pid_t pid);

struct mpir;

/*
 * Ranks that a starter has just told of by its table (mpir.h), and those that it has started so
 * far, by their environment. NOT_FOUND: there are none yet.
 */
MUST_CHECK struct error *job_find_told(pid_t starter, const struct mpir *table, struct job *ret);
MUST_CHECK struct error *job_find_started(pid_t starter, struct job *ret);

/* Whether a target's name stands for several. */
bool job_is_group(const char *target);

/*
 * Adds what one target means. NOT_FOUND: there is no such process, it has no ranks here, or nothing
 * runs that program. USAGE: its name makes no sense.
 */
MUST_CHECK struct error *job_find(const char *target, struct job *ret);

/* GONE: all ranks that were found are missing, and none is on another host. */
MUST_CHECK struct error *job_check_there(const struct job *j);

/* Whether a job with missing ranks has the same members, and misses as many, if it is found now. */
bool job_is_as_it_was(const struct job *j);

/* Whether members are told apart by their ranks: each has one of its own. Else by their targets. */
bool job_has_ranks(const struct job *j);

#endif
