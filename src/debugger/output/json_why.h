/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Json_why: the verdict as JSON, in the form that ompdb(1) has under JSON; see json.h for strings
 * and numbers.
 */
#ifndef DEBUGGER_OUTPUT_JSON_WHY_H
#define DEBUGGER_OUTPUT_JSON_WHY_H

#include "debugger/output/view.h"
#include "debugger/why/why_groups.h"

/* The verdict is that of the groups. */
void json_why(struct buf *out, const struct view *v, const struct why_groups *g,
	      const struct progress *progress);

#endif
