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
	bool several;                  /* a macro in it has several definitions, under "#if"  */
};

/* The header of a statement: "i = 0; i < n; i++" of for (...), "a > b" of if (...). */
struct condition {
	int line;
	bool doubtful; /* under an "#if": it need not be compiled */
	char *text;    /* owned; what stands in its brackets */
};

struct constructs {
	VEC(struct construct) items; /* from the inside out                              */
	/* What decides whether the line is come to, from the outside in: of the statements around
	   it within its region or task, and of those before it by which some leave. */
	VEC(struct condition) conditions;
	VEC(char *) threadprivate; /* owned; of the whole text up to there            */
	bool fortran;
};

void constructs_fini(struct constructs *c);
#define AUTO_CONSTRUCTS AUTO(constructs_fini) struct constructs
void construct_fini(struct construct *c);

/* Takes c: it belongs into ret, if it is around the line, or is gone. */
MUST_CHECK struct error *enclosing_close(struct construct *c, int line, struct constructs *ret);

/* Takes its text, which is NULL if memory is out. */
MUST_CHECK struct error *enclosing_add_condition(struct constructs *c,
						 const struct condition *condition);
/* Those from one of them up to another one are gone. */
void enclosing_drop_conditions(struct constructs *c, size_t from, size_t to);

/* The names of a threadprivate directive. */
MUST_CHECK struct error *enclosing_note(const struct directive *d, struct constructs *ret);

MUST_CHECK struct error *enclosing_find_c(const char *text, size_t len, int line,
					  struct constructs *ret);
MUST_CHECK struct error *enclosing_find_fortran(const char *text, size_t len, bool fixed, int line,
						struct constructs *ret);

#endif
