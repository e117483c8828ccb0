/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Displays: expressions whose values are shown after each stop.
 */
#ifndef DEBUGGER_CLI_DISPLAYS_H
#define DEBUGGER_CLI_DISPLAYS_H

#include "debugger/cli/data.h"

/* "/3xw", as it was typed; nothing for a format without letter and size. */
void displays_add_format(struct buf *out, const struct data_format *f);
/* "/x -team name" */
void displays_add_text(struct buf *out, const struct data_display *d);

/* NOT_FOUND: it means nothing here, nothing is shown. Why it has no value is shown in its place. */
MUST_CHECK struct error *displays_show_one(struct cli *c, const struct data_display *d);

/* All that are enabled: after each stop. */
void displays_show(struct cli *c);

#endif
