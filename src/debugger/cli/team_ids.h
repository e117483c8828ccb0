/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Team_ids: threads by their names in OpenMP, "12.3": T and N of thread N in the team of region T.
 *
 * With one inferior, "T.N" is such a name wherever there is a region T; then gdb's "I.N", of an
 * inferior, means nothing but "N". With several it is gdb's, but for commands of "omp".
 */
#ifndef DEBUGGER_CLI_TEAM_IDS_H
#define DEBUGGER_CLI_TEAM_IDS_H

#include "debugger/cli/cli.h"
#include "debugger/control/forks.h"

/* Threads "first" to "last" of a team; first -1: all that there are. */
struct team_range {
	long team, first, last;
};

/* Their numbers in the selected inferior, in ret, which is the caller's also after an error.
 * NOT_FOUND: there are none. */
MUST_CHECK struct error *team_ids_find(struct cli *c, const struct team_range *r, struct ints *ret);
/* There is a region of that id, and but one inferior. */
bool team_ids_is_team(struct cli *c, long team);
/* Of the selected thread. USAGE: it is in no region. */
MUST_CHECK struct error *team_ids_current(struct cli *c, long *ret);

/* For completion: each thread that has such a name, and "T.*" of each team. */
void team_ids_for_each(struct cli *c, void (*found)(void *context, const char *name),
		       void *context);

#endif
