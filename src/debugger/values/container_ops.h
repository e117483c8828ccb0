/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Container_ops: what expressions ask of containers of the C++ standard library: v.size(), v[2],
 * m["key"], *up, get<0>(t). Answered from memory: nothing in the program is called, so they are
 * there on cores, and where the compiler made no such function. Elements that lie in memory are
 * values at their places there: they can be assigned to, watched, and have addresses.
 *
 * It rests on what containers.h reads, and knows nothing of any library's layout.
 */
#ifndef DEBUGGER_CONTAINER_OPS_H
#define DEBUGGER_CONTAINER_OPS_H

#include "debugger/values/containers.h"

/*
 * object.name(args); "[]", "*" and "->", which comes to a pointer or to what is meant, are names,
 * too. An object of a class that inherits a container, and has no such function of its own, is one.
 * *ret_known false: it is no container, or has no such operation; there is no error then.
 * NOT_FOUND, USAGE: there is no such element, it is empty, or damaged.
 */
MUST_CHECK struct error *container_operate(const struct scope *s, const struct value *object,
					   const char *name, const struct value *args, size_t n,
					   struct value *ret, bool *ret_known);

/* v[first..last]: an array of them; of what does not lie in a row a copy. */
MUST_CHECK struct error *container_slice(const struct scope *s, const struct value *object,
					 const struct number *first, const struct number *last,
					 struct value *ret, bool *ret_known);

/* get<name>(object): a number, or else it is of that type. */
MUST_CHECK struct error *container_get_part(const struct scope *s, const struct value *object,
					    const char *number, const struct type *type,
					    struct value *ret, bool *ret_known);

/* What it is as a condition: a pointer that is not null, an optional that has a value. */
MUST_CHECK struct error *container_truth(const struct scope *s, const struct value *object,
					 bool *ret, bool *ret_known);

#endif
