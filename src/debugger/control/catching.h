/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Catching: catchpoints of events of OpenMP: "catch omp task-create if $omp_thread == 2".
 *
 * Each is a wish (probes.h). event_hits.h says what becomes of its events.
 */
#ifndef DEBUGGER_CATCHING_H
#define DEBUGGER_CATCHING_H

#include "debugger/control/control.h"

struct catching {
	event_set events;
	char *words;     /* "task-create barrier-enter", as the user wrote them; taken           */
	char *condition; /* taken; NULL: none */
	bool temporary, counts;
};

/* Why none of these events can be had in the process that there is; NULL: one can, or OpenMP has
 * not been loaded yet. */
MUST_CHECK struct error *catching_check(struct control *c, event_set events);
/* Says, once and after OpenMP has been loaded, which constructs do not show the event that is
 * caught. */
MUST_CHECK struct error *catching_tell(struct control *c, struct breakpoint *b);
/* A new catchpoint. Whatever is taken is taken on failure, too. */
MUST_CHECK struct error *catching_add(struct control *c, struct catching *what,
				      struct breakpoint **ret);
/* One was changed, or is to go: before it does. */
MUST_CHECK struct error *catching_update(struct control *c, struct breakpoint *b);
MUST_CHECK struct error *catching_remove(struct control *c, struct breakpoint *b);

/*
 * What one has counted so far, in order; what it counted last, if the process is gone. Nothing, if
 * it does not count.
 */
MUST_CHECK struct error *catching_count(struct control *c, struct breakpoint *b);

/* The dynamic linker is about to be believed: what it may have unmapped is named, where something
 * was counted, as long as that is known. */
MUST_CHECK struct error *catching_name(struct control *c);

/* Of what has been counted since the program was last let go, by thread, the latest first. */
struct catching_history {
	const struct counted_events **items; /* owned; what they point to is the catchpoints'    */
	size_t len, cap;
};
MUST_CHECK struct error *catching_history(struct control *c, struct catching_history *ret);

#endif
