/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Json: results of the engine as JSON (RFC 8259) for programs: one object on one line.
 *
 * Strings are escaped as in text first (\xNN for what is no UTF-8 or could harm a terminal), then
 * as JSON wants it. Addresses are strings, "0x" and hexadecimal digits, since many readers keep
 * numbers as doubles. "v" grows when a member changes its meaning or goes away; new members may
 * appear at any time.
 *
 * Long results are made piece by piece: begin, every item in turn, end. There is no tree of
 * objects behind: building one takes longer than unwinding the stacks.
 */
#ifndef DEBUGGER_OUTPUT_JSON_H
#define DEBUGGER_OUTPUT_JSON_H

#include "debugger/stack.h"

/*
 * {"v":1,"type":"stack","target":{"pid":N|null,"core":PATH|null,"exe":PATH},"threads":[
 *   {"lwp":N,"name":S,"frames":[
 *     {"pc":"0x..","cfa":"0x..","function":S|null,"offset":N,"file":S|null,"line":N|null,
 *      "module":S,"inline":BOOL}],
 *    "end":S|null}],
 *  "notes":[S]}
 * "module" is "" where no file is mapped; the members of a frame are those of struct stack_frame.
 */
void json_stacks_begin(struct buf *out, const struct stacks *s);
void json_stacks_thread(struct buf *out, const struct stacks *s, size_t index);
void json_stacks_end(struct buf *out, const struct stacks *s);

#endif
