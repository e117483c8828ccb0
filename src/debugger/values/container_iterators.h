/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Container_iterators: where iterators of containers are: what *it means, read from memory;
 * and how they are had and compared.
 */
#ifndef DEBUGGER_CONTAINER_ITERATORS_H
#define DEBUGGER_CONTAINER_ITERATORS_H

#include "debugger/values/value.h"

/* The element that an iterator is at. *ret_known false: that is none, or where it is cannot be
 * told, and there is no error. NO_ADDRESS: it is behind the last element; where nothing tells that
 * one leads to whatever is there, as in the program. */
MUST_CHECK struct error *container_iterator_target(const struct scope *s, const struct value *v,
						   struct value *ret, bool *ret_known);

/* What a reference to a bit refers to: of std::vector<bool> and std::bitset. false: it is none. */
bool container_bit_target(const struct scope *s, const struct value *v, struct value *ret);

/* object.begin(), object.rend() and so on, of a container. *ret_known false: it is none of those.
 */
MUST_CHECK struct error *container_iterator_of(const struct scope *s, const struct value *object,
					       const char *name, struct value *ret,
					       bool *ret_known);

/* a == b, a - b of two iterators, a + b and a - b with a number. The same. */
MUST_CHECK struct error *container_iterator_operate(const struct scope *s, const char *op,
						    const struct value *a, const struct value *b,
						    struct value *ret, bool *ret_known);

#endif
