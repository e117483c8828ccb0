/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Work_source: which worksharing construct of the source is around a line, each line read once.
 */
#ifndef DEBUGGER_WORK_SOURCE_H
#define DEBUGGER_WORK_SOURCE_H

#include "debugger/values/source_around.h"

/* The constructs around a line of a file. */
struct work_source {
	const char *file; /* borrowed */
	int line;
	struct constructs around;
};

struct work_sources {
	struct work_source **items; /* owned, as each of them is */
	size_t len, cap;
};

/*
 * The worksharing loop, sections or taskloop around a line, which lives as long as l; NULL: there
 * is none in its region. unwanted: parts of directives that are none here: DIRECTIVE_TASK where the
 * code is no task's. *ret_section: the line of the section in it, as far as that has a directive.
 * *failed: memory is out.
 */
const struct construct *work_source_find(struct work_sources *l, struct session *s,
					 const struct source_frame *at, unsigned int unwanted,
					 int *ret_section, bool *failed);
void work_sources_fini(struct work_sources *l);

#endif
