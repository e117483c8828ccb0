/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Look: a target looked at, once, or several times while it runs in between. Afterwards it runs.
 */
#ifndef DEBUGGER_LOOK_H
#define DEBUGGER_LOOK_H

#include "debugger/progress.h"

struct look {
	struct snapshot *snapshot; /* owned; of the last stop; not named yet          */
	struct progress progress;  /* empty if there was one look, which compares nothing */
};
void look_fini(struct look *l);
#define AUTO_LOOK AUTO(look_fini) struct look

/* Stops the target if it runs, looks at it, lets it go. */
MUST_CHECK struct error *look_once(struct session *s, const struct snapshot_options *options,
				   struct look *ret);

/*
 * Looks that often, that many milliseconds apart, and some times more where threads spin; keeps the
 * last look. A core file is looked at once. GONE: the process has ended in between.
 */
MUST_CHECK struct error *look_often(struct session *s, const struct snapshot_options *options,
				    unsigned int samples, unsigned int interval, struct look *ret);

#endif
