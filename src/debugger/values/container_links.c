/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/container_links.h"

/* As in container_nodes.c. */
enum { RING_MAX = 1 << 20, HEIGHT_MAX = 128 };

const struct container_links container_links_gnu_list = { .in_ring = true, .before = 8 };
const struct container_links container_links_llvm_list = { .in_ring = true, .before = 0 };
const struct container_links container_links_gnu_tree = {
	.has_red_end = true, .parent = 8, .left = 16, .right = 24
};
const struct container_links container_links_llvm_tree = { .parent = 16, .left = 0, .right = 8 };

/* ---- lists ------------------------------------------------------------------------------ */

/* How many nodes there are in a ring, with its end. 0: it is none. */
static uint64_t ring_length(const struct container_reading *r, taddr node)
{
	uint64_t n = 1;
	taddr at = node;

	while (container_word(r, at, &at) && at != node) {
		if (++n > RING_MAX)
			return 0;
	}
	return at == node ? n : 0;
}

/* In front of what it gives, malloc() of glibc keeps its size, with 16 bytes as a unit. */
static bool is_allocated(const struct container_reading *r, taddr node, uint64_t size)
{
	uint64_t chunk;

	return container_word(r, node - 8, &chunk) && (chunk & ~7ull) == (size + 8 + 15) / 16 * 16;
}

/*
 * Behind its two words the end has the number of elements, which an element may be, too. Of several
 * such nodes the end is the one that was not allocated for an element.
 */
static bool is_end_of_ring(const struct container_reading *r, taddr node, uint64_t size, bool *ret)
{
	const uint64_t n = ring_length(r, node);
	size_t counted = 0, apart = 0;
	bool is_counted = false, is_apart = false;
	taddr at = node;

	for (uint64_t i = 0; i < n; i++) {
		uint64_t count;
		if (container_word(r, at + 16, &count) && count == n - 1) {
			const bool alone = !is_allocated(r, at, size);
			counted++;
			apart += alone;
			is_counted |= at == node;
			is_apart |= at == node && alone;
		}
		if (!container_word(r, at, &at))
			return false;
	}
	*ret = counted == 1 ? is_counted : is_apart;
	return counted == 1 || apart == 1;
}

/* ---- trees ------------------------------------------------------------------------------ */

/* A tree's end is a node without an element: red, though it is above the root, or there is none. */
static bool is_red_end(const struct container_reading *r, const struct container_links *l,
		       taddr node)
{
	uint64_t color, parent, above = 0;

	return container_word(r, node, &color) && container_word(r, node + l->parent, &parent) &&
	       !(uint32_t)color &&
	       (!parent || (container_word(r, parent + l->parent, &above) && above == node));
}

static bool is_child(const struct container_reading *r, const struct container_links *l, taddr node,
		     uint64_t side)
{
	uint64_t child, parent = 0;

	return container_word(r, node + side, &child) &&
	       (!child || (container_word(r, child + l->parent, &parent) && parent == node));
}

/* What is around a node leads to it. The end has no parent, and no right side. */
static bool is_linked(const struct container_reading *r, const struct container_links *l,
		      taddr node)
{
	uint64_t parent, left = 0, right = 0;

	return container_word(r, node + l->parent, &parent) &&
	       container_word(r, parent + l->left, &left) &&
	       (left == node || (container_word(r, parent + l->right, &right) && right == node)) &&
	       is_child(r, l, node, l->left) && is_child(r, l, node, l->right);
}

static bool is_end_of_tree(const struct container_reading *r, const struct container_links *l,
			   taddr node)
{
	return l->has_red_end ? is_red_end(r, l, node) : !is_linked(r, l, node);
}

static bool last_below(const struct container_reading *r, const struct container_links *l,
		       taddr node, taddr *ret)
{
	for (size_t i = 0; i < HEIGHT_MAX; i++) {
		*ret = node;
		if (!container_word(r, *ret + l->right, &node))
			return false;
		if (!node)
			return true;
	}
	return false;
}

static bool before_in_tree(const struct container_reading *r, const struct container_links *l,
			   taddr node, taddr *ret)
{
	const bool is_end = is_end_of_tree(r, l, node);
	uint64_t left, at;

	if (is_end && l->has_red_end)
		return container_word(r, node + l->right, ret);
	if (!container_word(r, node + l->left, &left))
		return false;
	if (left)
		return last_below(r, l, left, ret);
	for (size_t i = 0; !is_end && i < HEIGHT_MAX; i++, node = *ret) {
		if (!container_word(r, node + l->parent, ret) ||
		    !container_word(r, *ret + l->left, &at))
			return false;
		if (at != node || is_end_of_tree(r, l, *ret))
			return true;
	}
	return false;
}

/* ---- both ------------------------------------------------------------------------------- */

bool container_links_end(const struct container_reading *r, const struct container_links *l,
			 taddr node, uint64_t size, bool *ret)
{
	if (l->in_ring)
		return is_end_of_ring(r, node, size, ret);
	*ret = is_end_of_tree(r, l, node);
	return true;
}

bool container_links_before(const struct container_reading *r, const struct container_links *l,
			    taddr node, taddr *ret)
{
	return l->in_ring ? container_word(r, node + l->before, ret)
			  : before_in_tree(r, l, node, ret);
}
