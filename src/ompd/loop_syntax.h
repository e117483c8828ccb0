/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Loop_syntax: how far a statement goes in the text of a source file, and what the header of a loop
 * says: as much of C, C++ and Fortran as that takes.
 */
#ifndef OMPD_LOOP_SYNTAX_H
#define OMPD_LOOP_SYNTAX_H

#include "base/source.h"

/* for (variable = begin; variable RELATION end; variable += step); do variable = begin, end, step
 */
struct loop_header {
	char *variable, *begin, *end, *step; /* owned; step may be "-1", "-(s)"           */
	bool includes_end;                   /* <=, >=, do                                */
	int line;
};

/* A directive in a text. */
struct loop_lines {
	const struct buf *text;
	const char *start, *behind; /* it, and the line behind it                         */
	int line, lines;            /* its number, and how many it has                      */
};

/* p is at a bracket: the place behind the one that closes it; NULL: there is none. */
const char *loop_syntax_balanced(const char *p);

/* An expression of a header assigns nothing and calls nothing. */
bool loop_syntax_is_harmless(const char *text);

/*
 * The line in which the statement behind a directive ends; 0: that cannot be told. Fills at most
 * "most" headers of nested loops; sections have none.
 */
int loop_syntax_c(const struct loop_lines *at, bool sections, struct loop_header *ret, size_t most,
		  size_t *ret_len);
int loop_syntax_fortran(const struct loop_lines *at, bool sections, struct loop_header *ret,
			size_t most, size_t *ret_len);

#endif
