/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Format_races: accesses that nothing ordered, both places of each pair:
 *
 *   total
 *     0.1 writes at a.c:31 in add
 *     0.0 reads  at a.c:30 in add, and 3 more such pairs
 */
#ifndef DEBUGGER_OUTPUT_FORMAT_RACES_H
#define DEBUGGER_OUTPUT_FORMAT_RACES_H

#include "debugger/control/team_races.h"
#include "debugger/output/json.h"

void format_races(struct buf *out, const struct races *r, const struct race_pairs *pairs);
/* The members of an object. */
void json_races(struct json *j, const struct races *r, const struct race_pairs *pairs);

#endif
