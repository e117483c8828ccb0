/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Vtables: the tables of virtual functions that an object of C++ and its parts lead to.
 */
#ifndef DEBUGGER_VTABLES_H
#define DEBUGGER_VTABLES_H

#include "debugger/values/value.h"

/* Of an object, or of a part of one that begins where no other does. */
struct vtable {
	const struct type *class; /* borrowed from a store */
	taddr at, object;
	VEC(taddr) functions; /* up to the end of the table, or to what is no function */
};
struct vtable_list {
	struct vtable *items; /* owned, and what they hold */
	size_t len, cap;
};
void vtable_list_fini(struct vtable_list *l);
#define AUTO_VTABLE_LIST AUTO(vtable_list_fini) struct vtable_list

/* Of an object in memory, or of what a pointer points to; none: it has no virtual functions.
 * USAGE: it is no object. NO_ADDRESS: it cannot be read. */
MUST_CHECK struct error *vtables_of(const struct scope *s, const struct value *v,
				    struct vtable_list *ret);

#endif
