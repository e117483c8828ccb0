/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Short_name: names of functions that are too long for a line:
 *
 *   std::vector<...>::emplace_back<...>(...)
 */
#ifndef DEBUGGER_OUTPUT_SHORT_NAME_H
#define DEBUGGER_OUTPUT_SHORT_NAME_H

#include "base/buf.h"

enum { SHORT_NAME_MAX = 80 }; /* bytes: longer ones are shortened */

/*
 * Adds a name of that length at most as it is; of a longer one what stands between < and >, and
 * between parentheses, is "...". Those of "operator<" and "(anonymous namespace)" are none. A name
 * in which they do not match is added as it is.
 */
void short_name_add(struct buf *out, const char *name);

#endif
