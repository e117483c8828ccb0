/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Completion: what the Tab key makes of a line that is half written.
 */
#ifndef DEBUGGER_CLI_COMPLETION_H
#define DEBUGGER_CLI_COMPLETION_H

#include "debugger/cli/cli.h"

struct completion {
	char **items; /* owned, and what they point to: what the last word may become, sorted */
	size_t len, cap;
	size_t start; /* where that word begins in the line                              */
	bool cut;     /* there would be more                                             */
	bool open;    /* more is to follow behind it, as behind a folder: no blank       */
};
void completion_fini(struct completion *l);
#define AUTO_COMPLETION AUTO(completion_fini) struct completion

/* What the end of the line may become, at most "set max-completions" of it. ret starts zeroed. */
void completion_find(struct cli *c, const char *line, struct completion *ret);

#endif
