/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Json_worksharing: the loops that threads are in, as one JSON object, of type "loops".
 */
#ifndef DEBUGGER_OUTPUT_JSON_WORKSHARING_H
#define DEBUGGER_OUTPUT_JSON_WORKSHARING_H

#include "debugger/output/json.h"
#include "debugger/output/view.h"
#include "debugger/values/worksharing.h"

void json_worksharing(struct buf *out, const struct view *v, const struct worksharing *w);
/* Its array "loops" alone. */
void json_worksharing_loops(struct json *j, const struct view *v, const struct worksharing *w);

#endif
