/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Json_stack: stacks as JSON, in the form that ompdb(1) has under JSON; see json.h for strings and
 * numbers.
 */
#ifndef DEBUGGER_OUTPUT_JSON_STACK_H
#define DEBUGGER_OUTPUT_JSON_STACK_H

#include "base/buf.h"
#include "debugger/output/view.h"

/* Raw ones if the view is raw. */
void json_stacks(struct buf *out, const struct view *v);

/* "border":{...} or null. */
struct border;
struct json;
void json_stack_border(struct json *j, const struct view *v, const struct border *b);

#endif
