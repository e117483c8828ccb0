/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Enclosing_parts: constructs of a source text, and what the readers of C and of Fortran share.
 */
#ifndef OMPD_ENCLOSING_PARTS_H
#define OMPD_ENCLOSING_PARTS_H

#include "ompd/clauses.h"
#include "ompd/loop_header.h"

struct construct {
	struct directive directive;
	int line, end;                 /* of the directive, and the last one of what it is of  */
	VEC(struct loop_header) loops; /* that it is of, from the outside in                 */
	VEC(char *) sequential;        /* owned; variables of other loops in it, in Fortran   */
	bool from_macro;               /* the directive is what a macro of the file says     */
};

struct constructs {
	VEC(struct construct) items; /* from the inside out                              */
	VEC(char *) threadprivate;   /* owned; of the whole text up to there            */
	bool fortran;
};

void constructs_fini(struct constructs *c);
#define AUTO_CONSTRUCTS AUTO(constructs_fini) struct constructs
void construct_fini(struct construct *c);

/* Takes c: it belongs into ret, if it is around the line, or is gone. */
MUST_CHECK struct error *enclosing_close(struct construct *c, int line, struct constructs *ret);

/* The names of a threadprivate directive. */
MUST_CHECK struct error *enclosing_note(const struct directive *d, struct constructs *ret);

MUST_CHECK struct error *enclosing_find_c(const char *text, size_t len, int line,
					  struct constructs *ret);
MUST_CHECK struct error *enclosing_find_fortran(const char *text, size_t len, bool fixed, int line,
						struct constructs *ret);

#endif
