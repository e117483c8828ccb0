/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Sharing_rules: what becomes of a variable in the constructs around a line: by their clauses, and
 * where these say nothing by the standard's rules (OpenMP 5.2, 5.1.1 and 5.1.2).
 */
#ifndef OMPD_SHARING_RULES_H
#define OMPD_SHARING_RULES_H

#include "ompd/enclosing_parts.h"

struct sharing_variable {
	const char *name;
	const char *common;   /* of Fortran: the common block that it is in; NULL: none  */
	int line;             /* where it is declared; 0: unknown, or not in that text  */
	bool is_static;       /* it lies at a fixed address                             */
	bool is_threadlocal;  /* each thread has one                                    */
	bool is_scalar;       /* no array, no structure                                 */
	bool is_by_reference; /* an argument that refers to something of the caller     */
};

enum sharing_basis {
	BASIS_NONE,   /* nothing says it                                               */
	BASIS_CLAUSE, /* the text of a directive                                        */
	BASIS_RULE,   /* the standard                                                   */
};

struct sharing_answer {
	unsigned int sharing; /* bits by enum sharing; 0: not said */
	const char *modifier; /* of a reduction; borrowed; or NULL */
	enum sharing_basis basis;
	const struct construct *construct; /* that decides; borrowed; NULL: none does */
	struct buf because;                /* owned; a clause of a sentence          */
};

/* Errors only for lack of memory. */
MUST_CHECK struct error *sharing_rules_find(const struct constructs *around,
					    const struct sharing_variable *v,
					    struct sharing_answer *ret);
void sharing_answer_fini(struct sharing_answer *a);
#define AUTO_SHARING_ANSWER AUTO(sharing_answer_fini) struct sharing_answer

#endif
