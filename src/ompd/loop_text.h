/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Loop_text: the worksharing loop, sections or taskloop around a line, as the source has it: its
 * directive and the headers of its loops, of C, C++ and Fortran.
 *
 * The text is read as it is written, without a preprocessor: what does not look like a loop is
 * none.
 */
#ifndef OMPD_LOOP_TEXT_H
#define OMPD_LOOP_TEXT_H

#include "ompd/loop_syntax.h"

enum loop_text_kind { LOOP_TEXT_FOR, LOOP_TEXT_SECTIONS, LOOP_TEXT_TASKLOOP };

enum { LOOP_TEXT_LEVELS = 4 };

struct loop_text {
	enum loop_text_kind kind;
	int line;       /* of the directive                                               */
	int end;        /* line of the last character of the construct                     */
	char *name;     /* owned; "parallel for"                                          */
	char *schedule; /* owned; as written: "dynamic, 4"; NULL: there is none            */
	bool ordered, nowait;
	unsigned int collapse; /* 1: it does not; 0: a number that cannot be told          */
	struct loop_header levels[LOOP_TEXT_LEVELS];
	size_t nlevels; /* headers that could be read, from the outside in             */
};

/* false: no such construct is around that line, or it cannot be read; or memory is out. */
bool loop_text_around(struct source_cache *sources, const char *file, int line,
		      struct loop_text *ret);
void loop_text_fini(struct loop_text *t);

#endif
