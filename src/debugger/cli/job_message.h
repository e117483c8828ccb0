/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Job_message: what goes between the prompt of a job and the engine of a rank, as messages
 * (target/tracer/message.h) over a socket. What commands print goes through pipes beside it: all
 * that was printed before a message is in them when the message comes. JOB_MARK_RUNS in the first
 * of them means that the rank's program goes on from there.
 *
 *   order ──────────────▶
 *          ◀────────────── ASKS     a question (job_reply ─▶)
 *          ◀────────────── DONE     the order's end; the engine waits for the next one
 *          ◀────────────── LOST     between orders: the rank's tracer has ended
 */
#ifndef DEBUGGER_CLI_JOB_MESSAGE_H
#define DEBUGGER_CLI_JOB_MESSAGE_H

#include "debugger/cli/completion.h"
#include "target/tracer/message.h"

enum job_kind {
	JOB_ATTACH,   /* to its rank                                                         */
	JOB_EXECUTE,  /* "text": lines, the first of which is a command                      */
	JOB_VALUE,    /* "text": what stands behind "print -ranks"; answer: struct job_value */
	JOB_COMPLETE, /* "text": a line; answer: job_answer_words()                          */
	JOB_PLACE,    /* answer: where its selected thread stands, a text                    */
	JOB_REPORT,   /* "text": "why"; answer: what it waits for, a report (job/report.h)   */
	JOB_REPLY,
	JOB_ASKS,
	JOB_DONE,
	JOB_LOST,
};

#define JOB_MARK_RUNS '\035'

/* What is known of numbers that are given once in the whole job. */
struct job_numbers {
	int breakpoint;  /* the last one        */
	uint64_t values; /* how many there are  */
};

struct job_order {
	enum job_kind kind;
	const char *text; /* borrowed */
	const char *last; /* borrowed; what stood behind the command that an empty line repeats */
	bool repeats;     /* this is such a line                                               */
	struct job_numbers numbers; /* of all ranks */
};

/* How an order has ended. */
struct job_done {
	struct error *failed; /* owned; NULL: it has not failed                           */
	bool live;            /* there is a process that is traced                        */
	bool quits;           /* a command has ended the engine                           */
	int status;           /* as struct cli has it                                     */
	int child_status;     /* of the program that has ended; -1: none has              */
	struct job_numbers numbers;
	char *thread; /* owned; who has stopped the program: "0.1"; NULL: nobody               */
	struct buf answer; /* owned; as the order's kind says                             */
};
void job_done_fini(struct job_done *d);

/* false: nobody is at the other end any more, or out of memory. */
bool job_send_order(int fd, const struct job_order *o);
bool job_send_reply(int fd, bool yes);
bool job_send_question(int fd, const char *text);
bool job_send_lost(int fd, const struct error *err);
bool job_send_done(int fd, const struct job_done *d);

/* What a message says; texts are borrowed from it until it is received anew. false: it makes no
 * sense. */
bool job_read_order(const struct message *m, struct job_order *ret);
bool job_read_reply(const struct message *m);
const char *job_read_question(const struct message *m);
MUST_CHECK struct error *job_read_lost(const struct message *m);
bool job_read_done(const struct message *m, struct job_done *ret);

/* A value in one rank. */
struct job_value {
	bool is_number;
	long double number;
	char *text; /* owned; as print shows it */
};
void job_answer_value(struct buf *answer, const struct job_value *v);
bool job_read_value(const struct buf *answer, struct job_value *ret);

/* What the end of a line may become. */
void job_answer_words(struct buf *answer, const struct completion *words);
bool job_read_words(const struct buf *answer, struct completion *ret);

#endif
