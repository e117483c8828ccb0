/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Json_omp: the picture as JSON, in the form that ompdb(1) has under JSON; see json.h for strings
 * and numbers.
 */
#ifndef DEBUGGER_OUTPUT_JSON_OMP_H
#define DEBUGGER_OUTPUT_JSON_OMP_H

#include "base/buf.h"
#include "debugger/chosen.h"
#include "debugger/output/view.h"

void json_omp(struct buf *out, const struct view *v, const struct chosen *c);

#endif
