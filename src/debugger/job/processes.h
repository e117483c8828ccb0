/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Processes: all that run on this host, and which of them are ranks of one job: "members".
 */
#ifndef DEBUGGER_JOB_PROCESSES_H
#define DEBUGGER_JOB_PROCESSES_H

#include "debugger/job/rank_env.h"
#include "target/process/procfs.h"

/* A process of this host, while it is asked who belongs together. */
struct process {
	struct proc_status status; /* of its leader */
	pid_t pid;
	struct rank_env env;
	bool member; /* it may be a rank of the job that is asked for */
};

struct processes {
	struct process *items; /* by their numbers */
	size_t len, cap;
};
void processes_fini(struct processes *all);
#define AUTO_PROCESSES AUTO(processes_fini) struct processes

/* What the environment of a process says; no rank where it cannot be read. false: out of memory. */
bool process_read_env(pid_t pid, struct rank_env *ret);

MUST_CHECK struct error *processes_list(struct processes *ret);

/* NULL: there is none, or there is none any longer. */
struct process *processes_find(const struct processes *all, pid_t pid);

/* Whether it is of the user, or everything is: root's. */
bool process_is_mine(const struct process *p);

/* The nearest ancestor of a rank that is none: the starter, or what has started it on this host. */
const struct process *processes_starter_of(const struct processes *all, const struct process *rank);

/* The innermost starter's row among the descendants of a process; NULL: it has started no ranks. */
const struct rank_row *processes_row_below(const struct processes *all, pid_t top);

/* Members are those that have been started below top with variables of that row. */
void processes_mark_below(struct processes *all, pid_t top, const struct rank_row *row);

/*
 * Members are the ranks of the job that p is a rank of. Returns who has started them here; NULL:
 * unknown.
 */
const struct process *processes_mark_job_of(struct processes *all, const struct process *rank);

/* The process that is a rank, of those members that have got it; first: the outermost. */
const struct process *processes_choose(const struct processes *all, const struct process *first);

#endif
