/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What libc++ lays out in a way of its own, by its headers of LLVM 14 to 19. What may be empty is
 * beside something in a __compressed_pair, where __value_ finds the first of the two; since LLVM 20
 * both are members.
 */
#include <inttypes.h>
#include <string.h>

#include "debugger/values/classes.h"
#include "debugger/values/container_parts.h"

static const uint64_t length_max = (uint64_t)1 << 47;

/* ---- strings ---------------------------------------------------------------------------- */

enum { STRING_BYTES = 24 };

/*
 * Three words, or short texts in their place. One bit says which: the lowest of all, in front of a
 * short text, or in the alternate layout the highest of all, behind it.
 */
struct string_bytes {
	uint8_t bytes[STRING_BYTES];
	bool alternate;
};

static bool is_alternate(const struct type *rep)
{
	uint64_t offset = 1;
	const struct type_member *text = classes_field(rep, "__s", &offset);

	return text && classes_field(text->type, "__data_", &offset) && !offset;
}

/* false: it is not laid out so, or cannot be read. */
static bool read_string_bytes(struct container_reading *r, struct string_bytes *ret)
{
	struct value rep;
	size_t n;

	if (container_get(r, r->v, "__r_.__value_|__rep_", &rep)) {
		ret->alternate = is_alternate(rep.type);
		return !value_bytes(r->s, &rep, 0, ret->bytes, STRING_BYTES);
	}
	/* clang has declared the class alone: the ABI's second version has the alternate layout. */
	type_members(r->type, &n);
	ret->alternate = !strncmp(r->type->name, "std::__2::", 10);
	if (n || (!ret->alternate && strncmp(r->type->name, "std::__1::", 10) != 0))
		return false;
	return !value_bytes(r->s, r->v, 0, ret->bytes, STRING_BYTES);
}

static bool read_string(struct container_reading *r)
{
	struct string_bytes s;
	uint64_t words[3];

	if (!container_characters(r) || !read_string_bytes(r, &s))
		return false;
	const size_t width = r->ret->width;
	memcpy(words, s.bytes, sizeof(words));
	const uint8_t tag = s.bytes[s.alternate ? STRING_BYTES - 1 : 0];
	bool is_long = tag & (s.alternate ? 0x80 : 1);
	uint64_t len = is_long ? words[1] : s.alternate ? tag : tag >> 1;
	uint64_t room = is_long ? s.alternate ? words[2] & ~((uint64_t)1 << 63) : words[0] & ~1ull
				: STRING_BYTES / width - 1;
	if (len > length_max || len >= room)
		return container_damaged(r, "it is longer than the room that it has");
	if (is_long)
		return container_text(r, words[s.alternate ? 0 : 2], len);
	if (r->v->place == VALUE_MEMORY)
		r->ret->at = r->v->addr + (s.alternate ? 0 : width);
	return container_text_here(r, s.bytes + (s.alternate ? 0 : width), len);
}

/* ---- rows of elements ------------------------------------------------------------------- */

static bool read_bits(struct container_reading *r)
{
	uint64_t first, n, words;

	if (!container_number(r, r->v, "__begin_", &first) ||
	    !container_number(r, r->v, "__size_", &n) ||
	    !container_number(r, r->v, "__cap_alloc_.__value_|__cap_", &words))
		return false;
	if (words > length_max || n > 64 * words)
		return container_damaged(r, "it is longer than the room that it has");
	return container_bits(r, first, n, 64 * words);
}

static bool read_valarray(struct container_reading *r)
{
	const struct type *type = container_argument(r->type, 0);
	uint64_t size = type ? type_size(type) : 0, first, last;

	if (!size || !container_number(r, r->v, "__begin_", &first) ||
	    !container_number(r, r->v, "__end_", &last))
		return false;
	if (last < first || last - first > length_max)
		return container_damaged(r, "its end lies before its beginning");
	if ((last - first) % size)
		return container_damaged(r, "it ends within an element");
	uint64_t n = (last - first) / size;
	buf_addf(&r->ret->head, "std::valarray of length %" PRIu64, n);
	container_add_row(r, type, first, n);
	return true;
}

static bool read_deque(struct container_reading *r)
{
	const struct type *type = container_argument(r->type, 0);
	uint64_t size = type ? type_size(type) : 0, first, last, start, n, block;

	if (!size || !container_number(r, r->v, "__map_.__begin_", &first) ||
	    !container_number(r, r->v, "__map_.__end_", &last) ||
	    !container_number(r, r->v, "__start_", &start) ||
	    !container_number(r, r->v, "__size_.__value_|__size_", &n))
		return false;
	const uint64_t in_block = size < 256 ? 4096 / size : 16;
	if (last < first || (last - first) % 8 || last - first > length_max)
		return container_damaged(r, "its ends make no sense");
	if (n > length_max || start > length_max || start + n > (last - first) / 8 * in_block)
		return container_damaged(r, "it is longer than the room that it has");
	buf_addf(&r->ret->head, "std::deque with %" PRIu64 " element%s", n, n == 1 ? "" : "s");
	r->ret->size = n;
	r->ret->sized = true;
	for (uint64_t i = 0; i < n && i < r->most; i++) {
		uint64_t at = start + i;
		if (!container_word(r, first + at / in_block * 8, &block))
			return container_damaged(r, "its buffers cannot be read");
		container_add(r, type, block + at % in_block * size);
	}
	return true;
}

/* ---- single things ---------------------------------------------------------------------- */

/* An element of a tuple is a member of a base of its own, or the base of that if it is empty. */
static bool read_leaf(struct container_reading *r, const struct value *leaf, struct value *ret)
{
	size_t n;
	const struct type_member *inside = type_members(leaf->type, &n);

	if (!n)
		return false;
	struct error *err = value_member(r->s, leaf, &inside[0], ret);
	error_ignore(err);
	return !err;
}

static bool read_tuple(struct container_reading *r)
{
	struct value all, leaf, element;
	size_t n;

	if (!container_get(r, r->v, "__base_", &all))
		return false;
	const struct type_member *leaves = type_members(all.type, &n);
	container_head(r, "tuple containing");
	r->ret->form = CONTAINER_NUMBERED;
	for (size_t i = 0; i < n && r->ret->items.len < r->most; i++) {
		if (leaves[i].kind != MEMBER_BASE || !strstr(leaves[i].name, "__tuple_leaf<"))
			continue;
		struct error *err = value_member(r->s, &all, &leaves[i], &leaf);
		error_ignore(err);
		if (err || !read_leaf(r, &leaf, &element))
			return false;
		container_add_numbered(r, &element, r->ret->items.len + 1);
	}
	r->ret->size = r->ret->items.len;
	r->ret->sized = true;
	return r->ret->items.len > 0;
}

static bool read_complex(struct container_reading *r)
{
	static const struct type kinds[] = {
		{ .kind = TYPE_COMPLEX, .name = "complex float", .size = 8, .target = &type_float },
		{ .kind = TYPE_COMPLEX,
		  .name = "complex double",
		  .size = 16,
		  .target = &type_double },
		{ .kind = TYPE_COMPLEX,
		  .name = "complex long double",
		  .size = 32,
		  .target = &type_long_double },
	};
	uint64_t offset = 1;
	struct value held;

	if (!classes_field(r->type, "__re_", &offset) || offset)
		return false;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (kinds[i].size != type_size(r->type))
			continue;
		struct error *err = value_part(r->s, r->v, &kinds[i], 0, &held);
		error_ignore(err);
		if (err)
			return false;
		container_head_with(r);
		container_add_value(r, &held, NULL);
		return true;
	}
	return false;
}

const struct container_row container_llvm_rows[] = {
	{ "basic_string", read_string },
	{ "vector", read_bits },
	{ "valarray", read_valarray },
	{ "deque", read_deque },
	{ "tuple", read_tuple },
	{ "complex", read_complex },
	{ NULL, NULL },
};
