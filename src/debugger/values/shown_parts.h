/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Shown_parts: what the files that make up shown.h share.
 */
#ifndef DEBUGGER_SHOWN_PARTS_H
#define DEBUGGER_SHOWN_PARTS_H

#include "debugger/values/value.h"

struct shown;
struct shown_limits;

/* A base that is virtual is shown where it is met first. */
struct seen_base {
	const struct type *type;
	taddr addr;
};
struct seen_bases {
	struct seen_base *items; /* owned */
	size_t len, cap;
};
/* What is being made. */
struct making {
	const struct scope *s;
	const struct shown_limits *limits;
	size_t depth, nesting; /* nesting counts anonymous structures, too */
	size_t *left;          /* how many items there may be yet, in all */
	struct seen_bases *bases;
};

static inline struct making shown_inside(const struct making *m)
{
	struct making inner = *m;

	inner.depth++;
	inner.nesting++;
	return inner;
}

/* A part, or err: then it is missing, as is what cannot be read. */
struct error *shown_make_part(const struct making *m, struct error *err, struct value *part,
			      const struct type *type, struct shown *ret);

/* What a class of the standard library holds. *ret_is: it is one. */
struct error *shown_container(const struct making *m, const struct value *v, struct shown *ret,
			      bool *ret_is);

/* An array of Fortran whose bounds are known. */
struct error *shown_fortran_array(const struct making *m, const struct value *v, struct shown *ret);

#endif
