/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Listing: a picture as rows of one kind: threads, regions, tasks, waits, locks ...
 *
 * A row says what it is of; what can be known of that are the keys (listing_keys.h), by which rows
 * are chosen, sorted, grouped and shown (listing_lines.h). A new kind is a row of the table in
 * listing.c.
 */
#ifndef DEBUGGER_LISTING_H
#define DEBUGGER_LISTING_H

#include "ompd/picture/picture.h"

enum listing_kind {
	LIST_THREADS,
	LIST_REGIONS,
	LIST_TASKS,
	LIST_WAITS,    /* threads that wait for others or for something outside           */
	LIST_LOCKS,    /* locks, critical constructs, mutexes that are held or waited for */
	LIST_BARRIERS, /* that somebody has arrived at                                    */
	LIST_STATES,   /* what threads do, and who does it                                 */
	LIST_ICVS,
	LIST_RUNTIMES,
	LIST_LOOPS, /* what threads have of worksharing loops: values/work_rows.h       */
	NUM_LISTINGS,
};

/* A number that may need all bits. */
struct listing_number {
	bool known, is_unsigned;
	uint64_t bits;
};

/* What one thread has of a worksharing loop, or of sections. */
struct listing_share {
	size_t loop, member;                       /* which one, and whose of its threads   */
	const char *construct, *directive, *state; /* borrowed; NULL: not known             */
	char *schedule, *now;                      /* owned; NULL: none, or not known       */
	struct listing_number first, last, rest, left;
};

struct listing_row {
	struct ints threads;               /* owned; who has arrived, who waits, who does that   */
	struct ints missing;               /* owned; of a barrier: who has not arrived           */
	struct ints followers;             /* owned; of a task: tasks that wait for it           */
	int thread, region, task, runtime; /* -1: none, or not known              */
	int holder;                        /* a thread; -1: none, or not known    */
	enum fact_source holder_source;
	long unfinished;                 /* of a task: its child tasks; -1: not known            */
	const struct picture_wait *wait; /* all borrowed; NULL: none                */
	const struct picture_hold *hold;
	const struct picture_icv *icv;
	const struct listing_share *share;
	const struct place *place;
	enum fact_source source;
};

struct listing {
	const struct picture *picture; /* borrowed; with its names */
	enum listing_kind kind;
	VEC(struct listing_row) rows;
};

/* In the order of the picture. Errors only for lack of memory. */
MUST_CHECK struct error *listing_make(const struct picture *p, enum listing_kind kind,
				      struct listing *ret);
void listing_fini(struct listing *l);
#define AUTO_LISTING AUTO(listing_fini) struct listing

/* "threads"; what --json calls it is "omp-threads". */
const char *listing_name(enum listing_kind kind);

/* What a thread does, in one word: "runs", "waits", "idle". */
const char *listing_state_name(const struct picture_thread *t);

#endif
