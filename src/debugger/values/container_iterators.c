/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/container_iterators.h"

#include <string.h>

#include "debugger/values/container_links.h"
#include "debugger/values/reach.h"

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
