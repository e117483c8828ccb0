/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * History_file: what has been typed in earlier sessions: a text file, one line each, the oldest
 * first, that its owner alone can read.
 *
 * Each line is appended when it is typed: sessions beside each other lose nothing, nor does one
 * that is killed. The file is cut when it is loaded and has become twice as long as wanted.
 */
#ifndef DEBUGGER_CLI_HISTORY_FILE_H
#define DEBUGGER_CLI_HISTORY_FILE_H

#include "base/buf.h"

enum { HISTORY_LINES_DEFAULT = 1000, HISTORY_LINES_MAX = 100000 };

struct history_file {
	int fd; /* owned; for appending; 0: none */
};
void history_file_fini(struct history_file *f);

/* "$XDG_STATE_HOME/ompdb/history", "~/.local/state/ompdb/history"; false: there is no home. */
bool history_file_default(struct buf *ret);

/*
 * Opens it, made with its folders if it does not exist, and calls "found" for each of its last
 * lines. A file of another user is refused.
 */
MUST_CHECK struct error *history_file_load(struct history_file *f, const char *path, size_t most,
					   void (*found)(void *context, const char *line),
					   void *context);

/* Best effort: a disk that is full does not disturb a session. */
void history_file_add(struct history_file *f, const char *line);

#endif
