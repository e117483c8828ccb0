/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/container_iterators.h"

#include <string.h>

#include "debugger/values/container_links.h"
#include "debugger/values/containers.h"
#include "debugger/values/reach.h"

enum { ITERATOR_MAX = 32 };

/* Iterators by the beginning of their classes' names, behind the library's own namespaces. */
static const struct iterator {
	const char *name;
	const char *path;    /* a pointer to the element, or to its node               */
	uint64_t behind;     /* the element is the first thing behind so many bytes of that */
	const char *element; /* what that is a member of, in maps of libc++             */
	bool through_node;   /* the class's argument is a pointer to the node           */
	const struct container_links *links; /* of nodes that lead to those before them */
	bool adjacent;   /* the elements lie one behind the other                   */
	const char *bit; /* the number of a bit in the word that is pointed to      */
} iterators[] = {
	{ "__normal_iterator<", "_M_current", 0, NULL, false, .adjacent = true },
	{ "_Deque_iterator<", "_M_cur", 0, NULL, false },
	{ "_List_iterator<", "_M_node", 16, NULL, false, &container_links_gnu_list },
	{ "_List_const_iterator<", "_M_node", 16, NULL, false, &container_links_gnu_list },
	{ "_Fwd_list_iterator<", "_M_node", 8, NULL, false },
	{ "_Fwd_list_const_iterator<", "_M_node", 8, NULL, false },
	{ "_Rb_tree_iterator<", "_M_node", 32, NULL, false, &container_links_gnu_tree },
	{ "_Rb_tree_const_iterator<", "_M_node", 32, NULL, false, &container_links_gnu_tree },
	{ "_Node_iterator<", "_M_cur", 8, NULL, false },
	{ "_Node_const_iterator<", "_M_cur", 8, NULL, false },
	{ "__wrap_iter<", "__i_|__i", 0, NULL, false, .adjacent = true },
	{ "__deque_iterator<", "__ptr_", 0, NULL, false },
	{ "__list_iterator<", "__ptr_", 16, NULL, false, &container_links_llvm_list },
	{ "__list_const_iterator<", "__ptr_", 16, NULL, false, &container_links_llvm_list },
	{ "__forward_list_iterator<", "__ptr_", 8, NULL, true },
	{ "__forward_list_const_iterator<", "__ptr_", 8, NULL, true },
	{ "__tree_const_iterator<", "__ptr_", 25, NULL, false, &container_links_llvm_tree },
	{ "__hash_iterator<", "__node_", 16, NULL, true },
	{ "__hash_const_iterator<", "__node_", 16, NULL, true },
	{ "__map_iterator<", "__i_.__ptr_", 25, "__cc_|__cc", false, &container_links_llvm_tree },
	{ "__map_const_iterator<", "__i_.__ptr_", 25, "__cc_|__cc", false,
	  &container_links_llvm_tree },
	{ "__hash_map_iterator<", "__i_.__node_", 16, "__cc_|__cc", true },
	{ "__hash_map_const_iterator<", "__i_.__node_", 16, "__cc_|__cc", true },
	{ "_Bit_iterator", "_M_p", 0, NULL, false, .bit = "_M_offset" },
	{ "_Bit_const_iterator", "_M_p", 0, NULL, false, .bit = "_M_offset" },
	{ "__bit_iterator<", "__seg_", 0, NULL, false, .bit = "__ctz_" },
};

/* Behind the library's own namespaces; NULL: it is none of its classes. */
static const char *own_name(const struct type *t)
{
	static const char *const scopes[] = { "std::",      "__gnu_cxx::", "__cxx11::",
					      "__detail::", "__1::",       "__2::" };
	const char *name = t->kind == TYPE_STRUCT && t->name ? t->name : "";
	enum { NUM_SCOPES = sizeof(scopes) / sizeof(*scopes) };

	for (size_t i = 0; i < NUM_SCOPES; i++) {
		if (!strncmp(name, scopes[i], strlen(scopes[i])))
			name += strlen(scopes[i]);
	}
	return name != t->name && *name ? name : NULL;
}

static const struct iterator *find_iterator(const struct type *t)
{
	const char *name = own_name(t);

	for (size_t i = 0; name && i < sizeof(iterators) / sizeof(*iterators); i++) {
		if (!strncmp(name, iterators[i].name, strlen(iterators[i].name)))
			return &iterators[i];
	}
	return NULL;
}

static bool is_reverse(const struct type *t)
{
	static const char class[] = "reverse_iterator<";
	const char *name = own_name(t);

	return name && !strncmp(name, class, sizeof(class) - 1);
}

/* What it is said to refer to: gcc leaves out arguments of some templates. */
static const struct type *reference_type(const struct type *t)
{
	size_t n;
	const struct type_naming *namings = type_namings(t, &n);

	for (size_t i = 0; i < n; i++) {
		const struct type *named = type_strip(namings[i].type);
		if (namings[i].name && !strcmp(namings[i].name, "reference") &&
		    named->kind == TYPE_REFERENCE)
			return named->target;
	}
	return NULL;
}

/* In maps of libc++ the first argument is the iterator of the tree, of which it is the first; in
 * its lists of one direction a pointer to the node, of which it is. */
static const struct type *element_type(const struct iterator *it, const struct type *t)
{
	const struct type *type = container_argument(t, 0);

	if (!type)
		return reference_type(t);
	if (it->element)
		type = container_argument(type_strip(type), 0);
	const struct type *node = type && it->through_node ? type_strip(type)->target : NULL;
	if (node)
		type = container_argument(type_strip(node), 0);
	return type;
}

static bool read_bit(const struct container_reading *r, const struct iterator *it,
		     struct value *ret)
{
	uint64_t at, word, bit;

	if (!container_number(r, r->v, it->path, &at) ||
	    !container_number(r, r->v, it->bit, &bit) || bit >= 64 || !container_word(r, at, &word))
		return false;
	*ret = value_of_int(&type_bool, word >> bit & 1);
	return true;
}

bool container_bit_target(const struct scope *s, const struct value *v, struct value *ret)
{
	static const struct {
		const char *name, *word, *bit;
		bool mask; /* the bit is not said by its number */
	} references[] = {
		{ "_Bit_reference", "_M_p", "_M_mask", true },
		{ "bitset<", "_M_wp", "_M_bpos", false }, /* ...>::reference */
		{ "__bit_reference<", "__seg_", "__mask_", true },
		{ "__bit_const_reference<", "__seg_", "__mask_", true },
	};
	const struct container_reading r = { .s = s, .v = v, .type = type_strip(v->type) };
	const char *name = v->missing ? NULL : own_name(r.type);
	uint64_t at, bit, word;

	for (size_t i = 0; name && i < sizeof(references) / sizeof(*references); i++) {
		if (strncmp(name, references[i].name, strlen(references[i].name)) != 0 ||
		    !container_number(&r, v, references[i].word, &at) ||
		    !container_number(&r, v, references[i].bit, &bit) ||
		    !container_word(&r, at, &word) || (!references[i].mask && bit >= 64))
			continue;
		*ret = value_of_int(&type_bool,
				    (word & (references[i].mask ? bit : UINT64_C(1) << bit)) != 0);
		return true;
	}
	return false;
}

/* In a deque what lies before the first element of a block is the last one of the block before. */
static bool before_in_deque(const struct container_reading *r, const struct value *it,
			    uint64_t size, taddr *at)
{
	uint64_t block, first, last = 0;

	if (!container_number(r, it, "_M_node|__m_iter_", &block))
		return false;
	const bool gnu = container_number(r, it, "_M_first", &first) &&
			 container_number(r, it, "_M_last", &last);
	const uint64_t bytes = gnu ? last - first : (size < 256 ? 4096 / size : 16) * size;
	if (!gnu && !container_word(r, block, &first))
		return false;
	if (*at == first) {
		if (!container_word(r, block - 8, at))
			return false;
		*at += bytes;
	}
	*at -= size;
	return true;
}

/* What a reverse iterator is at lies before where the one in it is. */
static bool step_back(const struct container_reading *r, const struct iterator *it,
		      const struct value *at, struct value *pointer)
{
	const struct type *t = type_strip(pointer->type);
	const uint64_t size = t->kind == TYPE_POINTER && t->target ? type_size(t->target) : 0;
	taddr to;
	struct error *err = value_address(pointer, &to);

	error_ignore(err);
	if (err || (!size && !(it && it->links)))
		return false;
	if (it && it->links) {
		if (!container_links_before(r, it->links, to, &to))
			return false;
	} else if (!it || it->adjacent) {
		to -= size;
	} else if (it->behind || !before_in_deque(r, at, size, &to)) {
		return false;
	}
	*pointer = value_of_int(pointer->type, to);
	return true;
}

/* The element in a node. */
static struct error *node_target(const struct container_reading *r, const struct iterator *it,
				 taddr node, struct value *ret, bool *ret_known)
{
	const struct type *type = element_type(it, r->type);
	bool end = false;

	*ret_known = type != NULL;
	if (!type)
		return NULL;
	const uint64_t at = container_align(it->behind, type), size = at + type_size(type);
	if (it->links)
		*ret_known = container_links_end(r, it->links, node, (size + 7) / 8 * 8, &end);
	if (*ret_known && end)
		return error_new(ERROR_NO_ADDRESS, "the iterator is behind the last element");
	struct error *err = *ret_known ? value_read(r->s, type, node + at, ret) : NULL;
	if (!err && *ret_known && it->element)
		*ret_known = container_get(r, ret, it->element, ret);
	return err;
}

struct error *container_iterator_target(const struct scope *s, const struct value *v,
					struct value *ret, bool *ret_known)
{
	struct container_reading r = { .s = s, .v = v, .type = type_strip(v->type) };
	const bool reverse = !v->missing && is_reverse(r.type);
	struct value at = *v, pointer;
	taddr node;

	*ret_known = !v->missing && (!reverse || container_get(&r, v, "current", &at));
	r.v = &at;
	r.type = type_strip(at.type);
	const struct iterator *it = *ret_known ? find_iterator(r.type) : NULL;
	if (it && it->bit && !reverse) {
		*ret_known = read_bit(&r, it, ret);
		return NULL;
	}
	pointer = at;
	*ret_known = it ? !it->bit && container_get(&r, &at, it->path, &pointer)
			: reverse && *ret_known && type_is_pointer(at.type);
	if (*ret_known && reverse)
		*ret_known = step_back(&r, it, &at, &pointer);
	if (!*ret_known)
		return NULL;
	if (!it || !it->behind)
		return reach_target(s, &pointer, 0, ret);
	struct error *err = value_address(&pointer, &node);
	return err ? err : node_target(&r, it, node, ret, ret_known);
}

/* ---- begin() and end() ------------------------------------------------------------------ */

/* Of what iterators at both ends consist. */
static const struct ends {
	const char *class, *begin;
	const char *end;     /* NULL: nothing */
	bool end_is_address; /* of that */
} all_ends[] = {
	{ "vector", "_M_impl._M_start|__begin_", "_M_impl._M_finish|__end_", false },
	{ "deque", "_M_impl._M_start", "_M_impl._M_finish", false },
	{ "list", "_M_impl._M_node._M_next|__end_.__next_", "_M_impl._M_node|__end_", true },
	{ "forward_list",
	  "_M_impl._M_head._M_next|__before_begin_.__value_.__next_|__before_begin_.__next_", NULL,
	  false },
#define TREE(class)                                                                                \
	{                                                                                          \
		(class), "_M_t._M_impl._M_header._M_left|__tree_.__begin_node_",                   \
			"_M_t._M_impl._M_header|__tree_.__pair1_.__value_|__tree_.__end_node_",    \
			true                                                                       \
	}
#define HASH(class)                                                                                \
	{                                                                                          \
		(class),                                                                           \
			"_M_h._M_before_begin._M_nxt|__table_.__p1_.__value_.__next_|"             \
			"__table_.__first_node_.__next_",                                          \
			NULL, false                                                                \
	}
	TREE("map"),
	TREE("multimap"),
	TREE("set"),
	TREE("multiset"),
	HASH("unordered_map"),
	HASH("unordered_multimap"),
	HASH("unordered_set"),
	HASH("unordered_multiset"),
};

static const struct ends *find_ends(const struct type *type)
{
	for (size_t i = 0; i < sizeof(all_ends) / sizeof(*all_ends); i++) {
		if (container_is(type, all_ends[i].class))
			return &all_ends[i];
	}
	return NULL;
}

/* What a function of that name returns. NULL: the class has none. */
static const struct type *result_of(const struct type *class, const char *name)
{
	size_t n;
	const struct type_method *methods = type_methods(class, &n);

	for (size_t i = 0; i < n; i++) {
		if (methods[i].name && !strcmp(methods[i].name, name))
			return methods[i].type->target;
	}
	return NULL;
}

/* An iterator of those bytes. */
static struct error *make_iterator(const struct scope *s, const struct type *type,
				   const uint8_t *bytes, struct value *ret)
{
	static const uint8_t lost[ITERATOR_MAX];
	struct value made = { .type = type };
	struct error *err = value_set_bytes(s, &made, bytes, lost, type_size(type));

	if (!err)
		*ret = made;
	return err;
}

struct error *container_iterator_of(const struct scope *s, const struct value *object,
				    const char *name, struct value *ret, bool *ret_known)
{
	static const char *const names[][2] = { { "begin", "end" },
						{ "cbegin", "cend" },
						{ "rend", "rbegin" },
						{ "crend", "crbegin" } };
	const struct container_reading r = { .s = s, .v = object, .type = object->type };
	const struct ends *ends = find_ends(object->type);
	const struct type *type = ends ? result_of(object->type, name) : NULL;
	const uint64_t size = type ? type_size(type) : 0;
	uint8_t bytes[ITERATOR_MAX] = { 0 };
	struct value at;

	*ret_known = false;
	for (size_t i = 0; size && size <= sizeof(bytes) && i < 8; i++) {
		const bool end = i % 2;
		const char *path = end ? ends->end : ends->begin;
		if (strcmp(names[i / 2][end], name) != 0)
			continue;
		*ret_known = !path || container_get(&r, object, path, &at);
		if (!*ret_known || !path)
			break;
		const bool address = end && ends->end_is_address;
		const uint64_t part = address ? sizeof(at.addr) : type_size(at.type);
		/* libc++'s reverse iterators have it twice, for the sake of their ABI. */
		const bool twice = i >= 4 && size == 2 * part;
		*ret_known =
			(part == size || twice) &&
			(address ? at.place == VALUE_MEMORY : !value_bytes(s, &at, 0, bytes, part));
		if (address && *ret_known)
			memcpy(bytes, &at.addr, part);
		if (twice && *ret_known)
			memcpy(bytes + part, bytes, part);
	}
	return *ret_known ? make_iterator(s, type, bytes, ret) : NULL;
}

/* ---- operators -------------------------------------------------------------------------- */

/* What an iterator points to, and which bit of that. */
static bool place_of(const struct scope *s, const struct value *v, const struct iterator *it,
		     uint64_t ret[2])
{
	const struct container_reading r = { .s = s, .v = v, .type = type_strip(v->type) };

	ret[1] = 0;
	return it && !v->missing && container_number(&r, v, it->path, &ret[0]) &&
	       (!it->bit || container_number(&r, v, it->bit, &ret[1]));
}

/* Bytes from one element to the next. 0: they do not lie one behind the other. */
static uint64_t step_of(const struct scope *s, const struct value *v, const struct iterator *it)
{
	const struct container_reading r = { .s = s, .v = v, .type = type_strip(v->type) };
	struct value pointer;

	if (!it->adjacent || type_size(v->type) != sizeof(taddr) ||
	    !container_get(&r, v, it->path, &pointer))
		return 0;
	const struct type *t = type_strip(pointer.type);
	return t->kind == TYPE_POINTER && t->target ? type_size(t->target) : 0;
}

struct error *container_iterator_operate(const struct scope *s, const char *op,
					 const struct value *a, const struct value *b,
					 struct value *ret, bool *ret_known)
{
	const struct iterator *it = find_iterator(type_strip(a->type));
	const bool two = it && it == find_iterator(type_strip(b->type));
	const bool equal = !strcmp(op, "=="), minus = !strcmp(op, "-");
	uint64_t x[2], y[2], step;
	struct number n;

	*ret_known = it && place_of(s, a, it, x) && (!two || place_of(s, b, it, y));
	if (!*ret_known)
		return NULL;
	if (two && (equal || !strcmp(op, "!="))) {
		*ret = value_of_int(&type_bool, (x[0] == y[0] && x[1] == y[1]) == equal);
		return NULL;
	}
	step = step_of(s, a, it);
	*ret_known = step && (minus || (!two && !strcmp(op, "+")));
	if (!*ret_known)
		return NULL;
	if (two) {
		const int64_t apart = (int64_t)(x[0] - y[0]) / (int64_t)step;
		*ret = value_of_int(&type_long, (uint64_t)apart);
		return NULL;
	}
	struct error *err = value_number(b, &n);
	if (err)
		return err;
	x[0] += minus ? -(uint64_t)n.bits * step : (uint64_t)n.bits * step;
	return make_iterator(s, a->type, (const uint8_t *)x, ret);
}
