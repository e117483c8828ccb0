/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Arguments: what stands behind a command's name, as words; and $arg0, $arg1, $argc in the lines of
 * a command that the user has defined.
 */
#ifndef DEBUGGER_CLI_ARGUMENTS_H
#define DEBUGGER_CLI_ARGUMENTS_H

#include "base/buf.h"

struct arguments {
	char **items; /* owned, and what they point to */
	size_t len, cap;
};
void arguments_fini(struct arguments *a);
#define AUTO_ARGUMENTS AUTO(arguments_fini) struct arguments

/*
 * Words with blanks between them. Quotes ('..', "..") and backslashes keep blanks in a word. keep:
 * they stay in the words, as the commands that get them will want them; else they go. USAGE: a
 * quote that does not end.
 */
MUST_CHECK struct error *arguments_parse(const char *text, bool keep, struct arguments *ret);

/* A line with what $argc, $arg0, $arg1 ... and $arg* stand for. Those that there are not stay. */
void arguments_expand(const struct arguments *a, const char *line, struct buf *ret);

/* Adds a path; "~/" at its beginning is $HOME. */
void arguments_add_path(struct buf *out, const char *path);

/* Adds text with the escapes of C replaced. A backslash at the end of it goes. */
void arguments_add_unescaped(struct buf *out, const char *text);

#endif
