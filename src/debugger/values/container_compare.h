/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Container_compare: how a container and another value compare, as its class in C++ compares them.
 */
#ifndef DEBUGGER_CONTAINER_COMPARE_H
#define DEBUGGER_CONTAINER_COMPARE_H

#include "debugger/values/containers.h"
#include "debugger/values/expr_tree.h"

/* The characters of a string, of an array of them, or of what a pointer to them points to. */
struct container_string {
	struct buf bytes; /* owned                       */
	uint64_t width;   /* of one of them, in bytes    */
};
static inline void container_string_fini(struct container_string *c)
{
	buf_fini(&c->bytes);
}
/* *ret_are: v has some; else there is no error, and nothing in *ret. */
MUST_CHECK struct error *container_string_of(const struct scope *s, const struct value *v,
					     struct container_string *ret, bool *ret_are);

/* The pointer to the name that type information has, in libstdc++ or libc++. */
MUST_CHECK struct error *container_type_name(const struct scope *s, const struct value *info,
					     struct value *ret);

/* Below 0, 0 or above 0. USAGE: these are not compared, or one is damaged. */
MUST_CHECK struct error *container_compare(const struct scope *s, const struct value *a,
					   const struct value *b, int *ret);

/* a == b, a < b and so on, where one of them is a container. *ret_known false: none is. */
MUST_CHECK struct error *container_compared(const struct scope *s, enum expr_op op,
					    const struct value *a, const struct value *b, bool *ret,
					    bool *ret_known);

#endif
