/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Loop_header: what the header of a loop says, of C, C++ and Fortran. What is not in the form that
 * OpenMP asks for (5.2, 4.4.1) is left out.
 */
#ifndef OMPD_LOOP_HEADER_H
#define OMPD_LOOP_HEADER_H

#include "base/buf.h"

/* for (variable = begin; variable RELATION end; variable += step), do variable = begin, end, step;
 * for (variable : ...). */
struct loop_header {
	char *variable, *begin, *end, *step; /* owned, each may be NULL; step may be "-(s)"  */
	bool includes_end;                   /* <=, >=, do                                */
	int line;
};

/*
 * The text is what stands between the parentheses, without comments; or behind "do" and its label.
 * Errors only for lack of memory.
 */
MUST_CHECK struct error *loop_header_c(const char *text, struct loop_header *ret);
MUST_CHECK struct error *loop_header_fortran(const char *text, struct loop_header *ret);
void loop_header_fini(struct loop_header *h);

/* An expression of a header assigns nothing and calls nothing. */
bool loop_header_is_harmless(const char *text);

#endif
