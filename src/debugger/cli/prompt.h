/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Prompt: lines that somebody types, or that a pipe brings.
 *
 * On a terminal they are edited (libedit), with history and the Tab key; elsewhere, and with
 * TERM=dumb, they are read as they come, byte by byte, so that what is behind a line is left to the
 * program that is looked at. An interrupt is the error ERROR_GONE, and the line is gone.
 */
#ifndef DEBUGGER_CLI_PROMPT_H
#define DEBUGGER_CLI_PROMPT_H

#include "debugger/cli/completion.h"

struct prompt;

/* c: borrowed; for completion. */
MUST_CHECK struct error *prompt_new(struct cli *c, struct prompt **ret);
void prompt_free(struct prompt *p);
CLEANUP(prompt, struct prompt)

/* Borrowed; its "typed" says whether somebody is there. */
struct line_source *prompt_source(struct prompt *p);

/* Whether lines are edited. */
bool prompt_edits(const struct prompt *p);

/* Something else has written to the terminal: the next prompt begins a line of its own. */
void prompt_disturbed(struct prompt *p);

/* So many lines of history are kept in a file, if path is not NULL; what is in it can be recalled.
 */
MUST_CHECK struct error *prompt_load_history(struct prompt *p, const char *path, size_t most);
/* A line that can be recalled from now on. */
void prompt_remember(struct prompt *p, const char *line);

#endif
