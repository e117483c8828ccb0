/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Json_value: values and parts that all JSON is made of; see json.h.
 */
#ifndef DEBUGGER_OUTPUT_JSON_VALUE_H
#define DEBUGGER_OUTPUT_JSON_VALUE_H

#include <inttypes.h>

#include "debugger/stack.h"

/* "text", escaped for terminals and for JSON; NULL: null. */
void json_value_string(struct buf *out, const char *s);
/* The number if it is > 0, or >= 0; else null. */
void json_value_positive(struct buf *out, intmax_t n);
void json_value_natural(struct buf *out, intmax_t n);
/* "0x.."; 0: null. */
void json_value_address(struct buf *out, taddr address);
/* true or false, behind what goes before it. */
void json_value_bool(struct buf *out, const char *before, bool value);

/* {"pid":N|null,"core":PATH|null,"exe":PATH} */
void json_value_target(struct buf *out, const struct stacks *s);

#endif
