/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Look: a target that the user named, looked at: once, or several times while it runs.
 */
#ifndef DEBUGGER_CLI_LOOK_H
#define DEBUGGER_CLI_LOOK_H

#include "debugger/progress.h"

struct look_source {
	const char *target; /* a process id, or the path of a core file       */
	const char *exe;    /* the program that a core file is of; NULL: it says itself */
	const struct snapshot_options *snapshot;
};

/* What it saw; borrows nothing but the source's strings. */
struct look {
	struct target *target;     /* owned; not stopped any more               */
	struct snapshot *snapshot; /* owned; borrows the target; not named yet  */
	struct progress
		progress; /* empty if there was one look only and no watching was asked for */
};
void look_fini(struct look *l);
#define AUTO_LOOK AUTO(look_fini) struct look

/* Stops the target, looks at it, lets it go. USAGE: what the user gave makes no sense. */
MUST_CHECK struct error *look_once(const struct look_source *source, struct look *ret);

/*
 * Looks that often, that many milliseconds apart, and some times more where threads spin; keeps the
 * last look. A core file is looked at once.
 */
MUST_CHECK struct error *look_often(const struct look_source *source, unsigned int samples,
				    unsigned int interval, struct look *ret);

#endif
