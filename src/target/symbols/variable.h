/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Variable: what a name in a program means, as plain data: made and used by variables.h.
 */
#ifndef TARGET_VARIABLE_H
#define TARGET_VARIABLE_H

#include "target/symbols/location.h"
#include "target/symbols/type.h"

/* What a global name is looked for as. */
enum variable_sort {
	VARIABLE_DATA,
	VARIABLE_FUNCTION,
	VARIABLE_TYPE,
	VARIABLE_ENUMERATOR,
	VARIABLE_VALUE,    /* data, function or enumerator      */
	VARIABLE_DECLARED, /* data that is declared, at least   */
};

/* Whether it is a parameter of what clang has made of a construct: see passed_variable.h. */
enum variable_passing {
	VARIABLE_NOT_PASSED,
	VARIABLE_BY_VALUE,     /* or the program declares it to be a reference */
	VARIABLE_BY_REFERENCE, /* "type" is a reference to what the program has */
	VARIABLE_BY_EITHER,    /* by which hangs on the instance of a template that it is of */
};

struct variable {
	const char *name;        /* borrowed                                                 */
	const struct type *type; /* NULL: it has none, or is of a void type                  */
	struct module *module;
	const char *common; /* of Fortran: the common block it is in, borrowed; NULL: none */
	bool argument;
	bool of_other; /* found as "f::x": to be located in a frame of f, unless it is static */
	bool refers;   /* declared as a reference to its type: see task_copy.h      */
	enum variable_passing passing;
	bool inlined;            /* it belongs to a call that was inlined into its function   */
	bool internal;           /* the compiler's own: ".omp.iv", "__context", "D.1234"     */
	unsigned int depth;      /* of the block that it belongs to in its function           */
	taddr pc;                /* that it was looked up for                                */
	taddr entry;             /* of a function: where it begins                           */
	int64_t value;           /* of an enumerator                                         */
	enum variable_sort sort; /* of what was found by a global name; never VALUE     */
	uint64_t place[4], function[4], unit_bias; /* private */
};

/* That which the program declares; NULL: none. */
static inline const struct type *variable_own_type(const struct variable *v)
{
	return v->passing >= VARIABLE_BY_REFERENCE ? type_strip(v->type)->target : v->type;
}

/* They are one declaration. */
bool variable_is_same(const struct variable *a, const struct variable *b);

/* The line that it is declared in; 0: not known. */
int variable_line(const struct variable *variable);

/* Its entry tells where it is, or its value, if not everywhere. */
bool variable_is_placed(const struct variable *variable);

/* In bytes, where the source asks for one (alignas); else 0. */
uint64_t variable_alignment(const struct variable *variable);

/* A function that its compiler says is not called as others are: neither passing nor returning. */
bool variable_is_called_otherwise(const struct variable *variable);

struct variable_list {
	struct variable *items; /* owned */
	size_t len, cap;
};

#endif
