/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Container_elements: elements and keys of containers, for the operations of container_ops.h.
 */
#ifndef DEBUGGER_CONTAINER_ELEMENTS_H
#define DEBUGGER_CONTAINER_ELEMENTS_H

#include "debugger/values/containers.h"

/* What containers are: those of a kind have the same operations. */
enum {
	IS_TEXT = 1 << 0,
	IS_ROW = 1 << 1,
	IS_CHAIN = 1 << 2,
	IS_MAP = 1 << 3,
	IS_MULTIMAP = 1 << 4,
	IS_SET = 1 << 5,
	IS_POINTER = 1 << 6,
	IS_SHARED = 1 << 7,
	IS_WEAK = 1 << 8,
	IS_OPTIONAL = 1 << 9,
	IS_VARIANT = 1 << 10,
	IS_PARTS = 1 << 11,
	IS_BITS = 1 << 12,
	IS_ATOMIC = 1 << 13,
	IS_FUNCTION = 1 << 14,
	IS_STACK = 1 << 15,
	IS_QUEUE = 1 << 16,
	IS_HEAP = 1 << 17,
	IS_COMPLEX = 1 << 18,
	IS_ANY = 1 << 19,
	IS_TYPE_INFO = 1 << 20,
	IS_KEYED = IS_MAP | IS_MULTIMAP | IS_SET,
	IS_ADAPTOR = IS_STACK | IS_QUEUE | IS_HEAP,
	IS_COUNTED = IS_TEXT | IS_ROW | IS_CHAIN | IS_KEYED | IS_ADAPTOR,
};

struct container_kind {
	const char *name;
	unsigned int kind;
	/* Of what has keys: which template argument tells which of them are equal. */
	size_t comparison;
};

/* An operation that is under way; borrows all. */
struct operating {
	const struct scope *s;
	const struct value *object;
	const struct container_kind *kind;
	const struct value *args; /* as many as its row in container_ops.c says */
};
typedef struct error *container_operation(const struct operating *o, struct value *ret);

/* USAGE: it is damaged. */
struct error *container_fault(const struct container *c);
/* The container with so many of its items; or each of them handed to "taken", from one on. */
MUST_CHECK struct error *container_take_items(const struct operating *o, size_t most,
					      struct container *ret);
MUST_CHECK struct error *container_walk(const struct operating *o, uint64_t first,
					container_take *taken, void *context,
					struct container *ret);

/* How many, and of them the one of that number. NOT_FOUND: there are not so many. */
container_operation container_size_of, container_is_empty, container_bits_set, container_any_bit;
container_operation container_no_bit, container_all_bits;
container_operation container_element, container_front, container_back, container_data;
container_operation container_capacity;
MUST_CHECK struct error *container_at(const struct operating *o, const struct number *index,
				      struct value *ret);

/* By a key. NOT_FOUND: it has none that is equal to that. */
container_operation container_mapped, container_count_key, container_contains;

#endif
