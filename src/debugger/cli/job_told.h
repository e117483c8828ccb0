/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Job_told: what ranks have said, as the user reads it: equal things once, the rarest first.
 *
 *   [0,2]:                                          above what not all have said that were asked
 *   Rank 1 thread 0.1 (LWP 4711) hit Breakpoint 1, f (n=3) at a.c:7
 *   Ranks 0,2 thread 0.1 hit Breakpoint 1, f (n=3) at a.c:7
 *   Rank 1 thread 0.1:                              above a stop that does not say whose it is
 *
 * With --json nothing is put together: an object "rank" for each.
 */
#ifndef DEBUGGER_CLI_JOB_TOLD_H
#define DEBUGGER_CLI_JOB_TOLD_H

#include "debugger/cli/job_ranks.h"

/*
 * Shows all pieces that are there. exact: only what is the same to the letter is the same; else
 * LWPs, addresses and seconds make no difference. What has failed in all that were asked is
 * returned as it is; else each failure names its ranks, and the last one is returned, if no other
 * is in *ret already.
 */
void job_told_show(struct cli *c, struct job_ranks *all, bool exact, struct error **ret);

/* "rank 3", "ranks 0-3,7": those for which "which" is true. How many they are. */
size_t job_told_ranks(struct buf *out, const struct job_ranks *all,
		      bool (*which)(const struct job_rank *r));

#endif
