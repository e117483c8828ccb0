/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Rank_list: which ranks a user means: "3", "0-2,7".
 */
#ifndef DEBUGGER_CLI_RANK_LIST_H
#define DEBUGGER_CLI_RANK_LIST_H

#include "base/buf.h"

/* USAGE: a text is no such list. */
MUST_CHECK struct error *rank_list_check(const char *text);
/* Whether a rank is in a list that is one. */
bool rank_list_has(const char *list, int rank);

/*
 * Takes " rank LIST" or " ranks LIST" out of a line, if it stands before any " if ". The list,
 * which is the caller's; NULL: there is none, or *ret_nomem.
 */
char *rank_list_take(char *line, bool *ret_nomem);

#endif
