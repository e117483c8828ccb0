/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Fortran_decisions: what decides in Fortran whether a line is come to: headers of the loops, "if"
 * and "select case" around it, and of those before it by which some leave.
 */
#ifndef OMPD_FORTRAN_DECISIONS_H
#define OMPD_FORTRAN_DECISIONS_H

#include "ompd/enclosing_parts.h"

/* A statement up to its end. */
struct fortran_decision {
	bool loop; /* else "if", "select case" */
	bool leaves;
	size_t mark; /* of the conditions before it */
};

struct fortran_decisions {
	VEC(struct fortran_decision) items; /* owned; those that have not ended */
	struct constructs *ret;             /* borrowed */
	int wanted;                         /* line    */
};
void fortran_decisions_fini(struct fortran_decisions *d);

/* A statement of a line, without label and name, that is no "do". Errors: lack of memory. */
MUST_CHECK struct error *fortran_decisions_read(struct fortran_decisions *d, const char *p,
						int line);

/* A loop: what follows "do" and its label; its end. */
MUST_CHECK struct error *fortran_decisions_add_loop(struct fortran_decisions *d, const char *p,
						    int line);
void fortran_decisions_end_loop(struct fortran_decisions *d, int line);

/* The end of a program unit. */
void fortran_decisions_end(struct fortran_decisions *d, int line);

/* The line is in a construct, to which those before that mark do not belong. */
void fortran_decisions_enter(struct fortran_decisions *d, size_t mark);

#endif
