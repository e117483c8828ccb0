/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Format_barrier: who of each team has arrived at a barrier, and who has not:
 *
 *   parallel region 0, team of 4: 3 have arrived at a barrier
 *     0.[0-2] have arrived at a.c:54
 *     0.3 has not: waits for critical 'ledger'
 */
#ifndef DEBUGGER_OUTPUT_FORMAT_BARRIER_H
#define DEBUGGER_OUTPUT_FORMAT_BARRIER_H

#include "debugger/output/json.h"
#include "debugger/stitch.h"

/* Teams of more than one thread; false: there are none. */
bool format_barrier(struct buf *out, const struct picture *p);
/* The members of an object. */
void json_barrier(struct json *j, const struct picture *p);

#endif
