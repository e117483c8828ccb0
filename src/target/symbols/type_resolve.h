/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Type_resolve: the type that an array has at the moment that there is one: its bounds and strides
 * as numbers, and where its elements are, by what type_dynamic.h says of it.
 *
 * Whatever DWARF and the program say, it ends, and what cannot be reckoned is a reason.
 */
#ifndef TARGET_TYPE_RESOLVE_H
#define TARGET_TYPE_RESOLVE_H

#include "target/symbols/type_dynamic.h"

/* What properties come to. */
struct type_reckoner {
	/*
	 * object: where the array, or what describes it, is. initial: what is on the stack at
	 * first; NULL: nothing. at_place: p says where the number is, of so many bytes; 0: what it
	 * is. NULL: done, else why it is not known.
	 */
	const char *(*reckon)(void *context, const struct type_property *p, taddr object,
			      const taddr *initial, uint64_t at_place, int64_t *ret);
	void *context;
};

struct type_resolved {
	const struct type *type; /* the one that was asked for, if "missing"                     */
	taddr addr;              /* of its elements                                              */
	const char *missing;     /* "not allocated": there is none; NULL: there is                */
};

/* A type that is not dynamic is resolved. What is made belongs to the store. */
void type_resolve(struct type_store *s, const struct type *t, taddr addr,
		  const struct type_reckoner *with, struct type_resolved *ret);

#endif
