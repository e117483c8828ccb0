/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Rank_env: what the environment of a process says of its place in a job: starters of parallel
 * programs tell each process its rank in a variable of their own.
 */
#ifndef DEBUGGER_JOB_RANK_ENV_H
#define DEBUGGER_JOB_RANK_ENV_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* How starters of one kind say it. */
struct rank_row {
	const char *rank;    /* the variable with the rank, from 0 on               */
	const char *size;    /* how many ranks there are; NULL: it does not say     */
	const char *local;   /* how many of them on this host; NULL                 */
	const char *jobs[2]; /* what tells jobs apart; NULL: only whom they are from */
	const char *hosts; /* the list of all hosts, as hosts_read_list() reads them; NULL       */
	const char *host;  /* what this one is called there; NULL                                */
};

struct rank_env {
	const struct rank_row *row; /* NULL: it is no rank    */
	int rank, size, local;      /* size, local 0: not known */
	struct buf job; /* what tells its job from others, made of the variables; "": nothing */
	struct buf hosts, host; /* the list of hosts, this one's name in it; "": it does not say */
};
void rank_env_fini(struct rank_env *e);

/*
 * Reads an environment as the kernel shows it (proc_pid_environ(5)): "NAME=VALUE", a NUL behind
 * each. Of several rows that apply the first counts, which is the innermost starter's: those that
 * run in an allocation of a batch system leave its variables in place. Numbers that are none: no
 * rank. false: out of memory.
 */
bool rank_env_read(const char *environment, size_t len, struct rank_env *ret);

/* Of a rank: a number by which other ranks of its job are known, on any host: the kind of starter,
 * what tells the job from others, its size. */
uint64_t rank_env_key(const struct rank_env *e);

/* Whether row a is of a starter further in than row b. */
bool rank_row_is_inner(const struct rank_row *a, const struct rank_row *b);

#endif
