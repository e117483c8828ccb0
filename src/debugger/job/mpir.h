/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Mpir: the table of ranks that a starter of MPI programs keeps for debuggers (The MPIR Process
 * Acquisition Interface, version 1.1): variables of any of its modules, found by their symbols.
 *
 * Its entries are {char *host_name; char *executable_name; int pid}: the layout is the document's,
 * as no starter has debug information of it. They are the target's: counts, lengths and numbers are
 * bounded and checked, texts are unescaped.
 */
#ifndef DEBUGGER_MPIR_H
#define DEBUGGER_MPIR_H

#include <sys/types.h>

#include "debugger/session.h"

struct mpir_rank {
	char *host; /* owned */
	pid_t pid;  /* on that host */
};

struct mpir {
	VEC(struct mpir_rank) ranks; /* in their order; empty: there is no table, or not yet */
};
void mpir_fini(struct mpir *m);

/*
 * Reads the table of a process, which is stopped for a moment. A process without one is no error.
 * BAD_DATA: the table makes no sense; else as session_open() and target_visit().
 */
MUST_CHECK struct error *mpir_read(pid_t starter, struct mpir *ret);

#endif
