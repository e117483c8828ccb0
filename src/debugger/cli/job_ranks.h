/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Job_ranks: the ranks under a prompt, each with its engine, and what they have said.
 *
 *   STANDS ──order──▶ WORKS ──mark──▶ RUNS ──DONE──▶ STANDS
 *                       ├───ASKS──▶ ASKS ──reply──▶ WORKS
 *                       └───DONE, or DONE of RUNS, without a program──▶ ENDED
 *
 * An engine that ends without having been told to, in whatever state: ENDED.
 */
#ifndef DEBUGGER_CLI_JOB_RANKS_H
#define DEBUGGER_CLI_JOB_RANKS_H

#include "debugger/cli/job_engine.h"
#include "debugger/cli/job_message.h"
#include "target/process/procfs.h"

enum rank_state {
	RANK_STANDS, /* its engine waits for an order                          */
	RANK_WORKS,  /* its engine carries one out, and the program stands     */
	RANK_RUNS,   /* the same, and the program has been let go meanwhile    */
	RANK_ASKS,   /* the order goes on when its question has been answered  */
	RANK_ENDED,  /* it has no engine any more                              */
};

/* What has come from an engine from one event to the next: the program goes on, or it is done. */
struct rank_piece {
	struct buf text, complaint; /* owned; of standard output and standard error     */
	struct error *failed;       /* owned; how the order has failed                   */
	char *thread; /* owned; the program has stopped, by this thread; NULL: no stop */
	bool done;    /* it is the order's last                                      */
	bool lost;    /* it is about the engine's own end                            */
};

struct job_rank {
	int number; /* the rank              */
	pid_t pid;  /* of its program        */
	struct job_engine engine;
	enum rank_state state;
	bool focused;   /* commands go there                                               */
	bool addressed; /* it has got the last order                                     */
	VEC(struct rank_piece) pieces; /* owned; that have not been shown                     */
	struct rank_piece open;        /* owned; that is still coming                            */
	char *question;                /* owned; of RANK_ASKS                             */
	struct buf answer;             /* owned; of the last order                             */
	bool answered;                 /* that has not failed                                   */
	bool ran;                      /* the program has been let go since the last order        */
	struct lwp_list lwps; /* owned; of its program, at the last look                  */
	char *end;            /* owned; how it has ended: "has ended with status 0"       */
	bool gone;            /* that is an end of its program                              */
};

struct job_ranks {
	VEC(struct job_rank *) items; /* owned, and what they point to; by their numbers */
	struct job_numbers numbers;   /* that have been given                            */
	struct job_lines told;        /* owned; that all were: later ones execute it, too */
	int status, child_status;     /* the greatest of those of the last orders; -1    */
	bool quits;                   /* a command has ended an engine                   */
};
void job_ranks_fini(struct job_ranks *all);

/* Starts the engine of one that is not there yet, or not any more, and has it attach. false in
 * *ret_new: it is there. */
MUST_CHECK struct error *job_ranks_add(struct job_ranks *all, struct cli *c, int number, pid_t pid,
				       bool *ret_new);
/* NULL: there is none. */
struct job_rank *job_ranks_find(const struct job_ranks *all, int number);

/* Sends an order to a rank that stands. */
void job_ranks_order(struct job_ranks *all, struct job_rank *r, const struct job_order *o);
void job_ranks_reply(struct job_rank *r, bool yes);
/* What the user wants to end. */
void job_ranks_interrupt(struct job_rank *r);

/* Whether its engine has something to do. */
bool job_rank_is_busy(const struct job_rank *r);

/* Takes what has come from an engine, without waiting for more. true: something has. */
bool job_ranks_receive(struct job_ranks *all, struct job_rank *r);

/* What has come so far is a piece, if there is anything. */
void job_rank_cut(struct job_rank *r);
/* Takes the first piece away. */
void job_rank_drop(struct job_rank *r);

#endif
