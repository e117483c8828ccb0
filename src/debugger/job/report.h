/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Report: what a process that has looked at one rank tells (output/json_report.h writes it). It may
 * come from elsewhere: nothing of it is believed to be whole, short or fit for a terminal.
 */
#ifndef DEBUGGER_REPORT_H
#define DEBUGGER_REPORT_H

#include "debugger/job/mpi_call.h"
#include "debugger/job/outline.h"
#include "debugger/why/why.h"

/* A call of MPI's that a thread is in. Texts are fit for a terminal. */
struct report_call {
	char *thread; /* owned; "0.1"; "": it has no number      */
	char *name;   /* owned; "MPI_Recv"                       */
	char *where;  /* owned; "exchange at halo.c:31", or "" */
	enum mpi_kind kind;
	long peer, tag; /* MPI_NUMBER_*                            */
	long to, to_tag;
	enum mpi_comm comm;
};

/* How many of something there are: "threads", "in MPI_Recv()". */
struct report_count {
	char *what; /* owned; fit for a terminal */
	long n;     /* more than 0               */
};

/* Of "ompdb why"; of other commands nothing but notes, and stacks or counts. */
struct report {
	bool judged; /* there is a verdict */
	enum why_verdict verdict;
	enum why_confidence confidence;
	long looks;     /* that were taken, one after another; 0: unknown              */
	bool moved;     /* any thread has, from the first look to the last             */
	bool uncounted; /* that threads have left their calls of MPI's would not have been seen */
	char *summary;  /* owned; the verdict in a sentence                            */
	char *thread, *where, *reason; /* owned; of the cause: "0.1", "f at a.c:3", "computes";
					  NULL: there is none */
	bool outside; /* the cause waits for something that is not OpenMP's                  */
	VEC(struct report_call) calls;
	int decides; /* of the calls: what the rank waits for in the end; -1: no call       */
	int threads; /* that may call MPI: enum of mpi_call.h; MPI_THREADS_UNKNOWN          */
	VEC(struct report_count) counts;
	VEC(char *) notes;
};
void report_fini(struct report *r);

/*
 * Reads a report. Lines of stacks go into an outline, as those of a rank. BAD_DATA: it is none;
 * *ret and the outline may have a part of it then.
 */
MUST_CHECK struct error *report_read(const char *text, size_t len, long rank, struct report *ret,
				     struct outline *outline);

/* The same of an object that is read already, as the report of several ranks, which rise. */
struct json_t; /* of jansson */
MUST_CHECK struct error *report_read_object(const struct json_t *from, const long *ranks, size_t n,
					    struct report *ret, struct outline *outline);

/* The call that decides; NULL: there is none. */
static inline const struct report_call *report_decisive(const struct report *r)
{
	return r->decides >= 0 && (size_t)r->decides < r->calls.len ? &r->calls.items[r->decides]
								    : NULL;
}

#endif
