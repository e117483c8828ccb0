/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Placing: breakpoints, watchpoints and catchpoints are made, changed, and put in place again when
 * the program has changed.
 */
#ifndef DEBUGGER_PLACING_H
#define DEBUGGER_PLACING_H

#include "debugger/control/control.h"

struct placing {
	enum breakpoint_kind kind; /* BREAK_CODE or BREAK_PRINT */
	bool temporary, hard;
	bool may_be_pending; /* else NOT_FOUND makes none */
	const char *format;  /* of a BREAK_PRINT          */
};

/* *ret is borrowed. *ret_line as linespec_resolve(). */
MUST_CHECK struct error *placing_break(struct control *c, const char *text,
				       const struct placing *how, struct breakpoint **ret,
				       int *ret_line);
/* kind: BREAK_CHANGE, READ, ACCESS. text: EXPRESSION [thread N] [if CONDITION]. */
MUST_CHECK struct error *placing_watch(struct control *c, const char *text,
				       enum breakpoint_kind kind, struct breakpoint **ret);
/* "which", which is taken, and the first word behind the kind, NULL: none: what goes with it. */
MUST_CHECK struct error *placing_catch(struct control *c, enum catch_kind kind, bool temporary,
				       struct ints *which, const char *word,
				       struct breakpoint **ret);
MUST_CHECK struct error *placing_remove(struct control *c, struct breakpoint *b);
/* After a change of its members: the target gets to know. */
MUST_CHECK struct error *placing_update(struct control *c, struct breakpoint *b);
/* condition NULL: none. USAGE: it makes no sense there; nothing is changed. */
MUST_CHECK struct error *placing_condition(struct control *c, struct breakpoint *b,
					   const char *condition);
/* All of them: the modules of the program are others than before. */
MUST_CHECK struct error *placing_renew(struct control *c);
/* The process, or the core file, is no more: what is left is the program. */
MUST_CHECK struct error *placing_end(struct control *c);
/* Those that neither the user's policies nor catchpoints want told. */
uint64_t placing_quiet_signals(const struct control *c);
/* Counts what the target has counted. */
void placing_count(struct control *c);

#endif
