/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Deciding_lines: values that decide (values/deciding.h) of some threads, by lines of the source.
 */
#ifndef DEBUGGER_OUTPUT_DECIDING_LINES_H
#define DEBUGGER_OUTPUT_DECIDING_LINES_H

#include "debugger/output/format_merged_value.h"
#include "debugger/output/view.h"

struct deciding_line {
	const char *file; /* borrowed */
	int line;
	bool further; /* of a function that has called the one of the place */
	VEC(struct merged_value) values;
};

struct deciding_lines {
	struct deciding_line *items; /* owned; as the first thread that has them comes to them */
	size_t len, cap;
};
void deciding_lines_fini(struct deciding_lines *l);
#define AUTO_DECIDING_LINES AUTO(deciding_lines_fini) struct deciding_lines

/* Nothing if the view has none; lack of memory is noted in out. */
void deciding_lines_find(struct buf *out, const struct view *v, const int *threads, size_t nthreads,
			 struct deciding_lines *ret);

/* Those of a line, which is none of a function that called; NULL: there are none. */
const struct deciding_line *deciding_lines_at(const struct deciding_lines *l,
					      const struct place *place);

/* "i = 3, n = 0.[0-2]: 5  0.3: 7"; threads: how many could have them. */
void deciding_lines_add(struct buf *out, const struct deciding_line *line, const struct view *v,
			size_t threads);

#endif
