/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Hosts: other machines that have ranks of a job: their names, and by what they are reached.
 *
 * Names come from a target or from the user. They reach a command line, never a shell of ours, but
 * perhaps one of theirs: only what no shell takes for anything else is a name.
 */
#ifndef DEBUGGER_JOB_HOSTS_H
#define DEBUGGER_JOB_HOSTS_H

#include "base/buf.h"
#include "base/map.h"

struct job_host {
	char *name;      /* owned */
	char *how;       /* owned; the target by which its ranks are found there: job.h */
	VEC(long) ranks; /* that it should have, rising; empty: not known            */
	VEC(long) pids;  /* of these ranks, there; empty: not known                  */
};

struct job_hosts {
	struct job_host *items; /* in the order in which they came        */
	size_t len, cap;
	struct hash_map by_name; /* private */
};
void job_hosts_fini(struct job_hosts *h);

/* Whether it is made of letters, digits, ".", "_", ":" and "-", and does not begin with "-". */
bool host_is_name(const char *name);

/* Whether two names are of one host: either may have its domain behind it. */
bool host_is_same(const char *a, const char *b);

/* Whether it is this one; own: as gethostname(2) has it. */
bool host_is_own(const char *name, const char *own);

/* The one of that name, made if need be. NULL: out of memory. */
struct job_host *job_hosts_add(struct job_hosts *h, const char *name);

/*
 * A list as Slurm and ClusterShell have them: "login,node[1-4,07-12]". Adds its names. USAGE: it
 * makes no sense, or has more than 100,000.
 */
MUST_CHECK struct error *hosts_read_list(const char *list, struct job_hosts *ret);

#endif
