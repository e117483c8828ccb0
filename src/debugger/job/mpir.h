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

/* Whether the process of a session, which stands, can tell debuggers of what it starts. */
bool mpir_is_starter(const struct session *s);
/* The address of a symbol of the interface, by any symbol table; 0: there is none of that name. */
taddr mpir_find(const struct session *s, const char *name);
bool mpir_read_int(const struct session *s, const char *name, int32_t *ret);
/* The table, in place of what *ret held, of a process that stands. As mpir_read(). */
MUST_CHECK struct error *mpir_read_table(const struct session *s, struct mpir *ret);

/*
 * Reads the table of a process, which is stopped for a moment. A process without one is no error.
 * BAD_DATA: the table makes no sense; else as session_open() and target_visit().
 */
MUST_CHECK struct error *mpir_read(pid_t starter, struct mpir *ret);

#endif
