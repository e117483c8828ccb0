/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Clauses: what an OpenMP directive says about variables: text in, rows out.
 */
#ifndef OMPD_CLAUSES_H
#define OMPD_CLAUSES_H

#include "base/buf.h"

/* What becomes of a variable in a construct. A variable may have several: a bit for each. */
enum sharing {
	SHARING_SHARED,
	SHARING_PRIVATE,
	SHARING_FIRSTPRIVATE,
	SHARING_LASTPRIVATE,
	SHARING_REDUCTION,
	SHARING_LINEAR,
	SHARING_THREADPRIVATE,
	SHARING_COPYIN,
	SHARING_COPYPRIVATE,
	SHARING_UNIFORM,
	SHARING_MAPPED,
	NUM_SHARINGS,
};
extern const char *const sharing_names[NUM_SHARINGS]; /* "shared" */

/* What a directive consists of, a bit each. */
enum directive_part {
	DIRECTIVE_PARALLEL = 1,
	DIRECTIVE_TEAMS = 2,
	DIRECTIVE_TASK = 4, /* task, taskloop                                          */
	DIRECTIVE_TARGET = 8,
	DIRECTIVE_LOOPS = 16, /* for, do, distribute, taskloop, loop: of loops           */
	DIRECTIVE_SIMD = 32,
	DIRECTIVE_LOOP = 64, /* the loop construct                                      */
	DIRECTIVE_WORKSHARE = 128,
	DIRECTIVE_DECLARE = 256, /* declare simd: of the function behind it               */
	DIRECTIVE_THREADPRIVATE = 512,
	DIRECTIVE_END = 1024,
	DIRECTIVE_ALONE = 2048, /* it is of no statement: barrier                      */
	DIRECTIVE_SECTIONS = 4096,
	DIRECTIVE_DISTRIBUTE = 8192,
};

struct clause_row {
	enum sharing sharing;
	char *name;     /* owned; without subscripts; "/blk/": a common block of Fortran */
	char *modifier; /* owned; "+" of a reduction, "tofrom" of a map; NULL: none      */
	bool section;   /* of an array in C, or an element of one                        */
	bool inside;    /* which begins behind its first element                         */
};

struct directive {
	char *name; /* owned; "parallel for simd"; "" */
	unsigned int parts;
	unsigned int loops;    /* that it is of; 0: of none                                */
	unsigned int collapse; /* of them, that become one; 0: a number that cannot be told */
	char *schedule;        /* owned; as written: "dynamic, 4"; NULL: there is none       */
	char *dist_schedule;   /* the same of "distribute"                                   */
	bool ordered;
	unsigned int sharing; /* default(...), a bit; 0: there is none               */
	bool is_none;         /* default(none)                                         */
	VEC(struct clause_row) rows;
};

/*
 * The directive that follows "omp", without line ends, macros expanded. What makes no sense is left
 * out. Errors only for lack of memory.
 */
MUST_CHECK struct error *directive_parse(const char *text, size_t len, struct directive *ret);
void directive_fini(struct directive *d);

/*
 * The bits of what its clauses say of a name; 0: nothing. *ret_modifier: borrowed; of the
 * reduction; NULL: none.
 */
unsigned int directive_sharing(const struct directive *d, const char *name, bool fortran,
			       const char **ret_modifier);

#endif
