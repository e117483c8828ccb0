/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Passing: where arguments of a function of the program go, and what of them has to lie in memory.
 */
#ifndef DEBUGGER_PASSING_H
#define DEBUGGER_PASSING_H

#include "debugger/values/abi.h"
#include "debugger/values/copying.h"

/* An object whose address is passed instead of its value: of a copy, for the time of the call. */
struct passing_copy {
	struct value from;
	struct copying how; /* before and after the call; "at" has the same bytes already */
	taddr at;
};
struct passing_copies {
	struct passing_copy *items; /* owned */
	size_t len, cap;
};

/* Where arguments go; borrows all. */
struct passing {
	const struct scope *scope;
	struct abi_call *call;
	struct passing_copies *copies;
	taddr *kept; /* what has to lie in memory is written below, and this moves down */
};

/* All bytes of a value; *ret is the caller's, on the heap. */
MUST_CHECK struct error *passing_bytes(const struct scope *s, const struct value *v, uint8_t **ret);

enum { PASSING_SLOT = 32 }; /* bytes: what the largest vectors are aligned to */

/* Puts bytes into memory, at a multiple of PASSING_SLOT; *ret: where. */
MUST_CHECK struct error *passing_keep(const struct passing *p, const void *bytes, uint64_t size,
				      taddr *ret);
MUST_CHECK struct error *passing_keep_value(const struct passing *p, const struct value *v,
					    taddr *ret);

/* Whether two types are one, whatever they are called. */
bool passing_is_same(const struct type *a, const struct type *b);

#endif
