/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Argument: what a function of the program is given: values as its parameters want them, by the
 * rules of C and C++; those of Fortran are in argument_fortran.h.
 */
#ifndef DEBUGGER_ARGUMENT_H
#define DEBUGGER_ARGUMENT_H

#include "debugger/values/abi.h"
#include "debugger/values/copying.h"

/* An object whose address is passed instead of its value: of a copy, for the time of the call. */
struct argument_copy {
	struct value from;
	struct copying how; /* before and after the call; "at" has the same bytes already */
	taddr at;
};
struct argument_copies {
	struct argument_copy *items; /* owned */
	size_t len, cap;
};

/* Where arguments go; borrows all. */
struct passing {
	const struct scope *scope;
	struct abi_call *call;
	struct argument_copies *copies;
	taddr *kept; /* what has to lie in memory is written below, and this moves down */
};

/* Puts bytes into memory; *ret: where. */
MUST_CHECK struct error *argument_keep(const struct passing *p, const void *bytes, uint64_t size,
				       taddr *ret);
MUST_CHECK struct error *argument_keep_value(const struct passing *p, const struct value *v,
					     taddr *ret);

/* Whether two types are one, whatever they are called. */
bool argument_is_same(const struct type *a, const struct type *b);

/* to: the parameter's type; NULL: it has none. USAGE: the value cannot be converted to it. */
MUST_CHECK struct error *argument_pass(const struct passing *p, const struct value *from,
				       const struct type *to);

#endif
