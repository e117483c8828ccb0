/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Snapshot: all that ompdb finds out about a target at one stop: raw stacks, the OpenMP picture,
 * and the stitched stacks made of both.
 *
 *   snapshot_rehearse()                 the process runs
 *   target_visit(): snapshot_take()     it stood still: what its registers and memory mean
 *   snapshot_name()                     files: functions, lines
 */
#ifndef DEBUGGER_SNAPSHOT_H
#define DEBUGGER_SNAPSHOT_H

#include "debugger/stitch.h"

struct snapshot;

struct snapshot_options {
	size_t max_frames; /* of one thread, not counting inlined calls         */
	bool raw;          /* the raw stacks alone                              */
	bool no_stacks;    /* the picture alone: stitches nothing               */
	bool icvs;
	bool loops; /* that threads are in                               */
	bool holds; /* what threads hold, be it that nobody waits for it */
	bool locks; /* that runtimes keep by number */
	struct error *(*more)(void *context, struct session *s, struct snapshot *from);
	void *context;   /* of "more", which may be NULL: what else is to be found out while
			    memory can be read; again if the snapshot is taken anew   */
	bool judged;     /* whether who spins can go on                        */
	bool footprints; /* of threads that spin, for comparing looks         */
	const struct dependences_wish *depends; /* borrowed; for predecessors; NULL: none   */
	bool few_names;          /* of threads that have no number: each name is a file to read */
	struct conform *conform; /* borrowed; an OMPD library to be checked; NULL: none      */
};

struct snapshot {
	struct stacks *stacks;    /* owned                                       */
	struct picture picture;   /* owned; empty if raw                         */
	struct stitched stitched; /* owned; from snapshot_name() on, if there are to be any */
	bool stitches, few_names;
};

/*
 * For a target that still runs: finds out what takes time, such as what its runtimes are, and has a
 * look at the memory that a snapshot needs, so that it is taken at the stop. What it cannot find
 * out the snapshot does. Errors as below.
 */
MUST_CHECK struct error *snapshot_rehearse(struct session *s,
					   const struct snapshot_options *options);

/*
 * For a target that runs, and will not be looked at: finds out what looks at others that execute
 * the same program need of its files (session.h, model). Errors as below.
 */
MUST_CHECK struct error *snapshot_prepare(struct session *s);

/*
 * The target must be stopped. Borrows the session, until its next snapshot is taken. Errors only
 * for lack of memory or of modules.
 */
MUST_CHECK struct error *snapshot_take(struct session *s, const struct snapshot_options *options,
				       struct snapshot **ret);
MUST_CHECK struct error *snapshot_name(struct snapshot *s);
void snapshot_free(struct snapshot *s);
CLEANUP(snapshot, struct snapshot)
#define AUTO_SNAPSHOT AUTO(snapshot_cleanup) struct snapshot

#endif
