/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Format_sharing: which variables threads share:
 *
 *   "parallel for" of line 12, in which line 14 of app.c is
 *   NAME  SHARING  WHERE                          BECAUSE
 *   tmp   shared   one address in 4 threads       no clause names it in "parallel for" of line 12
 */
#ifndef DEBUGGER_OUTPUT_FORMAT_SHARING_H
#define DEBUGGER_OUTPUT_FORMAT_SHARING_H

#include "debugger/control/sharing_rows.h"
#include "debugger/output/json.h"
#include "debugger/output/style.h"

/* each: a line for each address, too. */
void format_sharing(struct buf *out, const struct sharings *s, bool each,
		    const struct style *style);

/* The members of an object. */
void json_sharing_members(struct json *j, const struct sharings *s);

#endif
