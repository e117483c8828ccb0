/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Format_merged_value: what one variable is in the threads that have it:
 *
 *     same = 7
 *     number = 0.[0-2]: 5  0.3: 7
 *     i = 3..17 (8 threads)
 *     begin = 0..70 by 10 (8 threads)
 */
#ifndef DEBUGGER_OUTPUT_FORMAT_MERGED_VALUE_H
#define DEBUGGER_OUTPUT_FORMAT_MERGED_VALUE_H

#include "debugger/output/format_team.h"

struct merged_value {
	const char *name; /* borrowed */
	struct team_values values;
	size_t threads, missing; /* that have been added; without a value */
};
void merged_value_fini(struct merged_value *m);

/* Threads that have the same value; lack of memory is noted in out. */
void merged_value_add(struct buf *out, struct merged_value *m, const struct shown *value,
		      const int *threads, size_t nthreads);

/* threads: that could have it; if some have none, it is told who has. */
void format_merged_value(struct buf *out, const struct merged_value *m, const struct picture *p,
			 size_t threads);

#endif
