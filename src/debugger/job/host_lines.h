/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Host_lines: what is told from one host to another, as short numbered lines, since launchers put
 * something before lines, and mix those of several hosts:
 *
 *   node7: %ompdb1 node7 1 2 9c3f00d2a1b4e581 {"v":1,"version":"0.9","gr%
 *   node7: %ompdb1 node7 2 2 9c3f00d2a1b4e581 oups":[]}%
 *
 * The host's name for itself, the line's number, how many there are, a check of the whole text
 * (base/hash.h), a part of the text between a blank and the last "%".
 */
#ifndef DEBUGGER_JOB_HOST_LINES_H
#define DEBUGGER_JOB_HOST_LINES_H

#include "base/buf.h"

/* text: one line without control characters. */
void host_lines_add(struct buf *out, const char *host, const char *text);

struct host_text {
	char *host;        /* owned; fit for a terminal                             */
	struct buf text;   /* whole                                                 */
	const char *lacks; /* what is wrong with it; NULL: nothing                */
};

struct host_texts {
	struct host_text *items; /* in the order in which they began */
	size_t len, cap;
};
void host_texts_fini(struct host_texts *t);

/* Reads what has come, from any number of hosts; other lines are passed over. Errors only for lack
 * of memory. */
MUST_CHECK struct error *host_lines_read(const char *lines, size_t len, struct host_texts *ret);

#endif
