/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Mpir_launch: a starter of MPI programs under the debugger, from its entry on: it tells of what it
 * starts by calling MPIR_Breakpoint(), its table filled (mpir.h).
 *
 * Its symbols are looked for when its libraries are mapped and before any of its code has run; a
 * script becomes the starter by executing it. In a starter with a table, MPIR_being_debugged is
 * set.
 */
#ifndef DEBUGGER_MPIR_LAUNCH_H
#define DEBUGGER_MPIR_LAUNCH_H

#include "debugger/control/control.h"
#include "debugger/job/mpir.h"

enum mpir_news_kind {
	MPIR_BEGINS,      /* it stands at its entry; "table" says whether it will tell       */
	MPIR_SPAWNED,     /* it has started "ranks", or more of them; or "bad" says why they */
			  /* cannot be read. They wait until it goes on                      */
	MPIR_ABORTS,      /* the job is being given up; "text"                               */
	MPIR_INTERRUPTED, /* it stands because the listener wanted it                        */
	MPIR_ENDS,        /* "signal" or "status"                                            */
};

struct mpir_news {
	enum mpir_news_kind kind;
	bool table;
	struct mpir ranks;
	struct error *bad; /* owned; NULL: none                                      */
	char *text;        /* owned, unescaped; NULL: it says nothing                */
	int signal;
	long status;
};
void mpir_news_fini(struct mpir_news *n);
#define AUTO_MPIR_NEWS AUTO(mpir_news_fini) struct mpir_news

/* Starts the program of a control; BEGINS or ENDS. script: it executes the starter. */
MUST_CHECK struct error *mpir_launch_begin(struct control *c, bool script, struct mpir_news *ret);
/* Goes on until there is news; whatever *ret held is freed. */
MUST_CHECK struct error *mpir_launch_go_on(struct control *c, struct mpir_news *ret);

/* It stands, and is about to be let go: it tells nobody any more. */
void mpir_launch_leave(const struct control *c);

/*
 * In a rank that stands: lets it out of MPIR_debug_gate, where it may wait for debuggers. *ret_dll:
 * the caller's; the library that could read its message queues (MPIR_dll_name); NULL: it names
 * none.
 */
MUST_CHECK struct error *mpir_launch_greet(const struct session *rank, char **ret_dll);

#endif
