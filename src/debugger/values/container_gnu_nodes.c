/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What libstdc++ keeps in nodes that lead to each other: lists, trees and hash tables. */
#include <inttypes.h>
#include <string.h>

#include "debugger/values/container_parts.h"

enum { STEPS_MAX = 1 << 22 };
static const uint64_t length_max = (uint64_t)1 << 47;

/* Of a chain of nodes, each of which begins with the address of the next one, and has its element
 * behind so many bytes. */
static bool read_chain(struct container_reading *r, taddr node, taddr end, uint64_t behind,
		       const struct type *type, uint64_t size)
{
	uint64_t at = container_align(behind, type);

	for (uint64_t i = 0; node != end; i++) {
		if (i == size || i == STEPS_MAX)
			return container_damaged(r,
						 "its chain is longer than it says, or a circle");
		if (i == r->most && size == UINT64_MAX)
			break;
		if (i < r->most)
			container_add(r, type, node + at);
		if (!container_word(r, node, &node))
			return container_damaged(r, "its chain leads to where nothing can be read");
		if (i + 1 >= r->most && size != UINT64_MAX)
			break;
	}
	return true;
}

static bool read_list(struct container_reading *r)
{
	const struct type *type = container_argument(r->type, 0);
	struct value head;
	uint64_t first, n = UINT64_MAX;

	if (!type || !container_get(r, r->v, "_M_impl._M_node", &head) ||
	    head.place != VALUE_MEMORY || !container_number(r, &head, "_M_next", &first))
		return false;
	if (container_number(r, &head, "_M_storage|_M_size", &n) && n > length_max)
		n = UINT64_MAX;
	buf_addf(&r->ret->head, "std::__cxx11::list");
	r->ret->form = CONTAINER_NUMBERED;
	if (first == head.addr) {
		buf_clear(&r->ret->head);
		buf_adds(&r->ret->head, "empty std::__cxx11::list");
		r->ret->form = CONTAINER_EMPTY;
		r->ret->sized = true;
		return true;
	}
	return read_chain(r, first, head.addr, 16, type, UINT64_MAX);
}

static bool read_forward_list(struct container_reading *r)
{
	const struct type *type = container_argument(r->type, 0);
	uint64_t first;

	if (!type || !container_number(r, r->v, "_M_impl._M_head._M_next", &first))
		return false;
	r->ret->form = first ? CONTAINER_NUMBERED : CONTAINER_EMPTY;
	r->ret->sized = !first;
	buf_addf(&r->ret->head, "%sstd::forward_list", first ? "" : "empty ");
	return read_chain(r, first, 0, 8, type, UINT64_MAX);
}

/* Key and value, or the key alone, of an element. */
struct pair_types {
	const struct type *key, *value; /* value NULL: there is the key alone */
};

static bool types_of(struct container_reading *r, struct pair_types *ret)
{
	bool map = strstr(r->name, "map") != NULL;

	ret->key = container_argument(r->type, 0);
	ret->value = map ? container_argument(r->type, 1) : NULL;
	return ret->key && (!map || ret->value);
}

static uint64_t align_pair(uint64_t at, const struct pair_types *t)
{
	uint64_t a = container_align(at, t->key), b = t->value ? container_align(at, t->value) : a;

	return a > b ? a : b;
}

static void add_pair(struct container_reading *r, const struct pair_types *t, taddr at)
{
	container_add(r, t->key, at);
	if (t->value)
		container_add(r, t->value, at + container_align(type_size(t->key), t->value));
}

static void head_of_elements(struct container_reading *r, const struct pair_types *t, uint64_t n)
{
	buf_addf(&r->ret->head, "std::%s with %" PRIu64 " element%s", r->name, n,
		 n == 1 ? "" : "s");
	r->ret->form = t->value ? CONTAINER_MAP : CONTAINER_NUMBERED;
	r->ret->size = n;
	r->ret->sized = true;
}

struct tree_node {
	uint64_t parent, left, right;
};

static bool read_node(struct container_reading *r, taddr at, struct tree_node *ret)
{
	return container_word(r, at + 8, &ret->parent) && container_word(r, at + 16, &ret->left) &&
	       container_word(r, at + 24, &ret->right);
}

/* The next node in order. false: it cannot be read, or there are too many steps. */
static bool next_node(struct container_reading *r, taddr *at, size_t *steps)
{
	struct tree_node n;
	taddr from = *at;

	if (!read_node(r, from, &n))
		return false;
	if (n.right) {
		for (*at = n.right; read_node(r, *at, &n); *at = n.left) {
			if (!n.left)
				return true;
			if (++*steps > STEPS_MAX)
				return false;
		}
		return false;
	}
	for (*at = n.parent; read_node(r, *at, &n); *at = n.parent) {
		if (n.right != from)
			return true;
		from = *at;
		if (++*steps > STEPS_MAX)
			return false;
	}
	return false;
}

static bool read_tree(struct container_reading *r)
{
	struct pair_types types;
	struct value header;
	uint64_t n, at;
	size_t steps = 0;

	if (!types_of(r, &types) || !container_get(r, r->v, "_M_t._M_impl._M_header", &header) ||
	    header.place != VALUE_MEMORY || !container_number(r, &header, "_M_left", &at) ||
	    !container_number(r, r->v, "_M_t._M_impl._M_node_count", &n))
		return false;
	if (n > length_max)
		return container_damaged(r, "its number of elements makes no sense");
	head_of_elements(r, &types, n);
	for (uint64_t i = 0; i < n && i < r->most; i++) {
		if (at == header.addr)
			return container_damaged(r, "it has fewer elements than it says");
		add_pair(r, &types, at + align_pair(32, &types));
		if (i + 1 < n && i + 1 < r->most && !next_node(r, &at, &steps))
			return container_damaged(r, "its tree leads to where nothing can be read");
	}
	return true;
}

static bool read_hash(struct container_reading *r)
{
	struct pair_types types;
	uint64_t n, at;

	if (!types_of(r, &types) ||
	    !container_number(r, r->v, "_M_h._M_before_begin._M_nxt", &at) ||
	    !container_number(r, r->v, "_M_h._M_element_count", &n))
		return false;
	if (n > length_max)
		return container_damaged(r, "its number of elements makes no sense");
	head_of_elements(r, &types, n);
	for (uint64_t i = 0; i < n && i < r->most; i++) {
		if (!at)
			return container_damaged(r, "it has fewer elements than it says");
		add_pair(r, &types, at + align_pair(8, &types));
		if (!container_word(r, at, &at))
			return container_damaged(r, "its chain leads to where nothing can be read");
	}
	return true;
}

const struct container_row container_gnu_node_rows[] = {
	{ "list", read_list },
	{ "forward_list", read_forward_list },
	{ "map", read_tree },
	{ "multimap", read_tree },
	{ "set", read_tree },
	{ "multiset", read_tree },
	{ "unordered_map", read_hash },
	{ "unordered_multimap", read_hash },
	{ "unordered_set", read_hash },
	{ "unordered_multiset", read_hash },
	{ NULL, NULL },
};
