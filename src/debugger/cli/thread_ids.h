/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Thread_ids: which threads a user means: "all", "1-3 5", "2.1" of another inferior.
 */
#ifndef DEBUGGER_CLI_THREAD_IDS_H
#define DEBUGGER_CLI_THREAD_IDS_H

#include "debugger/cli/cli.h"

/*
 * The threads of the selected inferior that text begins with, in that order ("all": from the last
 * one on, as gdb). Those that there are not are warned of and left out. ret: owned by the caller,
 * also after an error. *ret_rest: what stands behind them.
 */
MUST_CHECK struct error *thread_ids_parse(struct cli *c, const char *text, struct ints *ret,
					  const char **ret_rest);

/* One: "3", "2.1", which selects inferior 2. USAGE: it is neither. */
MUST_CHECK struct error *thread_ids_select(struct cli *c, const char *text);

#endif
