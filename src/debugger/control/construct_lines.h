/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Construct_lines: which lines of the source are an OpenMP construct, and of which of them steps
 * take no notice: those of the directive, lone braces, the headers of its loops.
 *
 *     first ->   #pragma omp parallel for collapse(2) \
 *                        reduction(+ : sum)
 *     code ->    for (int i = 0; i < n; i++)              header
 *                        for (int k = 0; k < n; k++) {    header
 *                                sum += a[i][k];          the first line that a step stops at
 *     end ->             }
 */
#ifndef DEBUGGER_CONSTRUCT_LINES_H
#define DEBUGGER_CONSTRUCT_LINES_H

#include "debugger/session.h"

enum { CONSTRUCT_HEADERS_MAX = 8 };

struct construct_lines {
	const char *file; /* borrowed from whoever asked; NULL: there is none           */
	int first;        /* line of the directive; 0: the source tells of no construct */
	int code, end;    /* the first line behind the directive, and the last one      */
	int headers[CONSTRUCT_HEADERS_MAX]; /* lines; of a loop whose body has its own        */
	size_t nheaders;
	bool section; /* it is one of several in the construct around it                 */
	bool shares;  /* it makes no region and no task: for, sections, single, masked...  */
};

/* The innermost construct that the line is in; first 0: none is known. */
void construct_lines_find(struct session *s, const char *file, int line,
			  struct construct_lines *ret);

/* "declare reduction": by what it says compilers set up and join copies in constructs' code. */
bool construct_lines_is_declaration(struct session *s, const char *file, int line);

/* It is a line of the directive. */
bool construct_lines_is_directive(const struct construct_lines *l, const char *file, int line);
/* The same, or a lone brace behind it; or a "section" within it. */
bool construct_lines_opens(const struct construct_lines *l, struct session *s, const char *file,
			   int line);
/* It is within, the directive included. */
bool construct_lines_has(const struct construct_lines *l, const char *file, int line);
/* It is in the construct, and no line of a statement in it. */
bool construct_lines_passes(const struct construct_lines *l, struct session *s, const char *file,
			    int line);

#endif
