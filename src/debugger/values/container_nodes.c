/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What is kept in nodes that lead to each other: lists, trees and hash tables. Libraries differ in
 * names and in where things are in a node: each has a row.
 */
#include <inttypes.h>
#include <string.h>

#include "debugger/values/container_parts.h"

/* A tree that is balanced is never so high: it has less than 2^47 nodes. */
enum { STEPS_MAX = 1 << 22, HEIGHT_MAX = 128 };
static const uint64_t length_max = (uint64_t)1 << 47;

/* ---- elements --------------------------------------------------------------------------- */

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

/* ---- chains ----------------------------------------------------------------------------- */

/* What leads from node to node, and where that and the element are in them. */
struct chain {
	const char *first, *count;
	uint64_t next, behind; /* the element is the first thing behind so many bytes */
	const char *ring;      /* the node that it begins and ends at; NULL: it ends with none */
};
static const uint64_t uncounted = UINT64_MAX;

static bool read_chain(struct container_reading *r, const struct chain *c,
		       const struct pair_types *types, taddr node, taddr end, uint64_t count)
{
	uint64_t at = align_pair(c->behind, types), n = 0;
	taddr mark = 0;

	for (; node != end; n++) {
		/* Whoever runs in a circle comes by the last mark again: they are ever farther
		 * apart. */
		if (mark && node == mark)
			return container_damaged(r, "its chain is a circle");
		if (!(n & (n - 1)))
			mark = node;
		if (n == count || n == STEPS_MAX)
			return container_damaged(r, "its chain is longer than it says");
		if (n >= r->most)
			return true;
		add_pair(r, types, node + at);
		if (!container_word(r, node + c->next, &node))
			return container_damaged(r, "its chain leads to where nothing can be read");
	}
	if (count != uncounted && n < count)
		return container_damaged(r, "it has fewer elements than it says");
	r->ret->size = n;
	r->ret->sized = true;
	return true;
}

/* Its first node, by the row that fits. NULL: none does. */
static const struct chain *find_chain(struct container_reading *r, const struct chain *rows,
				      size_t nrows, uint64_t *ret_first)
{
	for (size_t i = 0; i < nrows; i++) {
		if (container_number(r, r->v, rows[i].first, ret_first))
			return &rows[i];
	}
	return NULL;
}
#define FIND_CHAIN(r, rows, ret_first)                                                             \
	find_chain(r, rows, sizeof(rows) / sizeof(*(rows)), ret_first)

static bool read_list(struct container_reading *r)
{
	static const struct chain chains[] = {
		{ "_M_impl._M_node._M_next", "_M_impl._M_node._M_storage|_M_impl._M_node._M_size",
		  0, 16, "_M_impl._M_node" },
		{ "__end_.__next_", "__size_alloc_.__value_|__size_", 8, 16, "__end_" },
		{ "_M_impl._M_head._M_next", "", 0, 8, NULL },
		{ "__before_begin_.__value_.__next_|__before_begin_.__next_", "", 0, 8, NULL },
	};
	struct pair_types types;
	struct value ring = { .place = VALUE_MEMORY };
	uint64_t first, count;
	const struct chain *c = FIND_CHAIN(r, chains, &first);

	if (!c || !types_of(r, &types) || (c->ring && !container_get(r, r->v, c->ring, &ring)) ||
	    ring.place != VALUE_MEMORY)
		return false;
	if (!container_number(r, r->v, c->count, &count) || count > length_max)
		count = uncounted;
	bool empty = first == ring.addr;
	buf_addf(&r->ret->head, "%sstd::%s%s", empty ? "empty " : "",
		 strstr(r->type->name, "std::__cxx11::") == r->type->name ? "__cxx11::" : "",
		 r->name);
	r->ret->form = empty ? CONTAINER_EMPTY : CONTAINER_NUMBERED;
	return read_chain(r, c, &types, first, ring.addr, count);
}

static bool read_hash(struct container_reading *r)
{
	static const struct chain chains[] = {
		{ "_M_h._M_before_begin._M_nxt", "_M_h._M_element_count", 0, 8, NULL },
		{ "__table_.__p1_.__value_.__next_|__table_.__first_node_.__next_",
		  "__table_.__p2_.__value_|__table_.__size_", 0, 16, NULL },
	};
	struct pair_types types;
	uint64_t first, n;
	const struct chain *c = FIND_CHAIN(r, chains, &first);

	if (!c || !types_of(r, &types) || !container_number(r, r->v, c->count, &n))
		return false;
	if (n > length_max)
		return container_damaged(r, "its number of elements makes no sense");
	head_of_elements(r, &types, n);
	return read_chain(r, c, &types, first, 0, n);
}

/* ---- trees ------------------------------------------------------------------------------ */

/* Where it ends, begins, what counts it; and where things are in a node. */
struct tree {
	const char *end, *first, *count;
	uint64_t parent, left, right, behind;
};

/* The next node in order, or the end. false: it cannot be read, or the tree is too high. */
static bool next_node(struct container_reading *r, const struct tree *t, taddr end, taddr *at)
{
	taddr from = *at, down;
	size_t steps = 0;

	if (!container_word(r, from + t->right, &down))
		return false;
	if (down) {
		for (*at = down; container_word(r, *at + t->left, &down); *at = down) {
			if (!down)
				return true;
			if (++steps > HEIGHT_MAX)
				return false;
		}
		return false;
	}
	while (container_word(r, from + t->parent, at)) {
		if (*at == end)
			return true;
		if (!container_word(r, *at + t->right, &down))
			return false;
		if (down != from)
			return true;
		from = *at;
		if (++steps > HEIGHT_MAX)
			return false;
	}
	return false;
}

static bool read_nodes(struct container_reading *r, const struct tree *t,
		       const struct pair_types *types, taddr at, taddr end)
{
	uint64_t behind = align_pair(t->behind, types), n = r->ret->size;
	taddr mark = 0;

	for (uint64_t i = 0; i < n && i < r->most; i++) {
		if (at == end)
			return container_damaged(r, "it has fewer elements than it says");
		if (mark && at == mark) /* as in chains */
			return container_damaged(r, "its tree leads in a circle");
		if (!(i & (i - 1)))
			mark = at;
		add_pair(r, types, at + behind);
		if (i + 1 < r->most && !next_node(r, t, end, &at))
			return container_damaged(r, "its tree leads to where nothing can be read");
	}
	if (n < r->most && at != end)
		return container_damaged(r, "it has more elements than it says");
	return true;
}

static bool read_tree(struct container_reading *r)
{
	static const struct tree trees[] = {
		{ "_M_t._M_impl._M_header", "_M_t._M_impl._M_header._M_left",
		  "_M_t._M_impl._M_node_count", 8, 16, 24, 32 },
		{ "__tree_.__pair1_.__value_|__tree_.__end_node_", "__tree_.__begin_node_",
		  "__tree_.__pair3_.__value_|__tree_.__size_", 16, 0, 8, 25 },
	};
	enum { NUM_TREES = sizeof(trees) / sizeof(*trees) };
	const struct tree *t = trees;
	struct pair_types types;
	struct value end;
	uint64_t n, first;

	while (t < &trees[NUM_TREES] && !container_get(r, r->v, t->end, &end))
		t++;
	if (t == &trees[NUM_TREES] || end.place != VALUE_MEMORY || !types_of(r, &types) ||
	    !container_number(r, r->v, t->first, &first) ||
	    !container_number(r, r->v, t->count, &n))
		return false;
	if (n > length_max)
		return container_damaged(r, "its number of elements makes no sense");
	head_of_elements(r, &types, n);
	return read_nodes(r, t, &types, first, end.addr);
}

const struct container_row container_node_rows[] = {
	{ "list", read_list },
	{ "forward_list", read_list },
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
