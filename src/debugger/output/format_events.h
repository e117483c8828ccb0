/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Format_events: events of OpenMP: where they come from, and how many were counted.
 */
#ifndef OUTPUT_FORMAT_EVENTS_H
#define OUTPUT_FORMAT_EVENTS_H

#include "debugger/control/breakpoint.h"
#include "debugger/output/json.h"
#include "debugger/output/style.h"

/* A row of a runtime's table; functions: how many of the runtime's it is about. */
void format_events_row(struct buf *out, const struct event_row *row, size_t functions);
void json_events_row(struct json *j, const struct event_row *row, size_t functions);

/* What a catchpoint has counted: a line for each construct and thread. */
void format_events_counts(struct buf *out, const struct breakpoint *b, const struct style *style);
void json_events_counts(struct json *j, const struct breakpoint *b);

/* The latest events of each thread, at most so many, and how long before "until" each came last. */
void format_events_history(struct buf *out, const struct counted_events *const *events, size_t n,
			   size_t most, int64_t until, const struct style *style);
void json_events_history(struct json *j, const struct counted_events *const *events, size_t n,
			 size_t most, int64_t until);

#endif
