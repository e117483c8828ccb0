/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Lines: where lines of commands come from: the keyboard, a file, the body of a command that the
 * user has defined. Sources lie upon each other: what a command reads comes from the innermost.
 */
#ifndef DEBUGGER_CLI_LINES_H
#define DEBUGGER_CLI_LINES_H

#include "base/buf.h"

enum { LINES_DEPTH_MAX = 100 }; /* sources upon each other */

struct line_source {
	/*
	 * Puts the next line, without its newline, into ret, which it empties first. prompt: for
	 * who types. *ret_more is false at the end, and also true with an error.
	 */
	struct error *(*next)(struct line_source *s, const char *prompt, struct buf *ret,
			      bool *ret_more);
	const char *name; /* borrowed; of the file, for messages; NULL: has none       */
	int line;         /* number of the last line read                              */
	bool typed;       /* somebody types: a block is asked for with a prompt        */
	struct line_source *outer;
};

struct lines {
	struct line_source *innermost;
	unsigned int depth;
};

/* USAGE: too many upon each other, as when a file sources itself. */
MUST_CHECK struct error *lines_push(struct lines *l, struct line_source *s);
void lines_pop(struct lines *l);

/* Lines of a text. A backslash at the end of a line makes one line of it and the next. */
struct text_source {
	struct line_source source;
	const char *at; /* borrowed */
};
void text_source_init(struct text_source *t, const char *text, const char *name);

#endif
