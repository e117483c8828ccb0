/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Thread_ids: which threads a user means: "all", "1-3 5", "2.1" of another inferior, "2.*"; in
 * OpenMP "12.3", "12.*", "team": see team_ids.h.
 */
#ifndef DEBUGGER_CLI_THREAD_IDS_H
#define DEBUGGER_CLI_THREAD_IDS_H

#include "debugger/cli/cli.h"
#include "debugger/control/forks.h"

/* A thread, for as long as there is one: commands may end it. */
struct thread_id {
	int inferior, number;
};

struct thread_ids {
	struct thread_id *items; /* owned */
	size_t len, cap;
};

/*
 * The threads that text begins with, in that order ("all": from the last one on, as gdb); those
 * without a number of their inferior are of the selected one. Those that there are not are warned
 * of and left out. ret: owned by the caller, also after an error. *ret_rest: what stands behind.
 */
MUST_CHECK struct error *thread_ids_parse(struct cli *c, const char *text, struct thread_ids *ret,
					  const char **ret_rest);

/* Those of the team of region T. NOT_FOUND: there is none. */
MUST_CHECK struct error *thread_ids_of_team(struct cli *c, long team, struct thread_ids *ret);

/* NULL: it has ended. ret: its process. */
struct numbered_thread *thread_ids_find(struct cli *c, const struct thread_id *id,
					struct debuggee *ret);

/* "3"; "2.3" where there is more than one inferior. */
void thread_ids_add(const struct cli *c, struct buf *out, const struct thread_id *id);

/* Selects one, and its inferior. USAGE, NOT_FOUND: it has ended. */
MUST_CHECK struct error *thread_ids_select(struct cli *c, const struct thread_id *id);

/*
 * One: "3", "2.1". team: with a point it is a name in OpenMP, whatever inferiors there are.
 * USAGE: it is neither.
 */
MUST_CHECK struct error *thread_ids_parse_one(struct cli *c, const char *text, bool team,
					      struct thread_id *ret);

#endif
