/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Reach: from a value to what it leads to: what it refers or points to, its elements, its members,
 * its address. Of what is asked for here nothing is an expression any longer; that is eval's part.
 */
#ifndef DEBUGGER_REACH_H
#define DEBUGGER_REACH_H

#include "debugger/values/expr.h"
#include "debugger/values/value.h"

bool reach_is_pointer(const struct value *v);

/* How far apart two elements are that a pointer points to. */
uint64_t reach_step(const struct type *pointer);

/* Where types are made. NOT_FOUND: no program is loaded. */
MUST_CHECK struct error *reach_types(const struct scope *s, struct type_store **ret);

/* References become what they refer to; arrays and functions become pointers where "decays". */
MUST_CHECK struct error *reach_settle(const struct scope *s, struct value *v, bool decays);

/* pointer[index]; a number is taken as gdb does: it points to longs. */
MUST_CHECK struct error *reach_target(const struct scope *s, const struct value *pointer,
				      uint64_t index, struct value *ret);

/* &v. e: what v was made of, for messages. */
MUST_CHECK struct error *reach_address(const struct scope *s, const struct expr *e,
				       const struct value *v, struct value *ret);

/* array[index], which settles the array. */
MUST_CHECK struct error *reach_element(const struct scope *s, struct value *array,
				       const struct number *index, struct value *ret);

/* whole.name: a member of a structure, or of what it inherits; $xmm0.v4_float. NOT_FOUND: none;
 * USAGE: several. */
MUST_CHECK struct error *reach_member(const struct scope *s, const struct value *whole,
				      const char *name, struct value *ret);
/* What would be wrong with it in any structure of that type. */
MUST_CHECK struct error *reach_check_member(const struct scope *s, const struct type *type,
					    const char *name);
/* As reach_member(); of several the first one. */
MUST_CHECK struct error *reach_first_member(const struct scope *s, const struct value *whole,
					    const char *name, struct value *ret);

/* first@n: so many of them from there on. */
MUST_CHECK struct error *reach_array(const struct scope *s, const struct value *first,
				     const struct number *n, struct value *ret);

#endif
