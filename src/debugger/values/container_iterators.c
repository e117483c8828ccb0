/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/container_iterators.h"

#include <string.h>

#include "debugger/values/container_parts.h"
#include "debugger/values/reach.h"

/* Iterators by the beginning of their classes' names, behind the library's own namespaces. */
static const struct iterator {
	const char *name;
	const char *path;    /* a pointer to the element, or to its node               */
	uint64_t behind;     /* the element is the first thing behind so many bytes of that */
	const char *element; /* what that is a member of, in maps of libc++             */
	bool through_node;   /* the class's argument is a pointer to the node           */
	bool in_tree;        /* of libstdc++, where the end of one can be told          */
	bool adjacent;       /* the elements lie one behind the other                   */
	const char *bit;     /* the number of a bit in the word that is pointed to      */
} iterators[] = {
	{ "__normal_iterator<", "_M_current", 0, NULL, false, .adjacent = true },
	{ "_Deque_iterator<", "_M_cur", 0, NULL, false },
	{ "_List_iterator<", "_M_node", 16, NULL, false },
	{ "_List_const_iterator<", "_M_node", 16, NULL, false },
	{ "_Fwd_list_iterator<", "_M_node", 8, NULL, false },
	{ "_Fwd_list_const_iterator<", "_M_node", 8, NULL, false },
	{ "_Rb_tree_iterator<", "_M_node", 32, NULL, false, .in_tree = true },
	{ "_Rb_tree_const_iterator<", "_M_node", 32, NULL, false, .in_tree = true },
	{ "_Node_iterator<", "_M_cur", 8, NULL, false },
	{ "_Node_const_iterator<", "_M_cur", 8, NULL, false },
	{ "__wrap_iter<", "__i_|__i", 0, NULL, false, .adjacent = true },
	{ "__deque_iterator<", "__ptr_", 0, NULL, false },
	{ "__list_iterator<", "__ptr_", 16, NULL, false },
	{ "__list_const_iterator<", "__ptr_", 16, NULL, false },
	{ "__forward_list_iterator<", "__ptr_", 8, NULL, true },
	{ "__forward_list_const_iterator<", "__ptr_", 8, NULL, true },
	{ "__tree_const_iterator<", "__ptr_", 25, NULL, false },
	{ "__hash_iterator<", "__node_", 16, NULL, true },
	{ "__hash_const_iterator<", "__node_", 16, NULL, true },
	{ "__map_iterator<", "__i_.__ptr_", 25, "__cc_|__cc", false },
	{ "__map_const_iterator<", "__i_.__ptr_", 25, "__cc_|__cc", false },
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

/* A tree's end is a node without an element: red, though it is above the root, or there is none. */
static bool is_end_of_tree(const struct container_reading *r, taddr node)
{
	uint64_t color, parent, above = 0;

	return container_word(r, node, &color) && container_word(r, node + 8, &parent) &&
	       !(uint32_t)color &&
	       (!parent || (container_word(r, parent + 8, &above) && above == node));
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

/* It is at what lies before "current": of pointers alone that is known at once. */
static struct error *reverse_target(const struct container_reading *r, struct value *ret,
				    bool *ret_known)
{
	struct value at;

	*ret_known = container_get(r, r->v, "current", &at);
	const struct iterator *it = *ret_known ? find_iterator(type_strip(at.type)) : NULL;
	if (it)
		*ret_known = it->adjacent && container_get(r, &at, it->path, &at);
	*ret_known = *ret_known && type_is_pointer(at.type);
	return *ret_known ? reach_target(r->s, &at, (uint64_t)-1, ret) : NULL;
}

struct error *container_iterator_target(const struct scope *s, const struct value *v,
					struct value *ret, bool *ret_known)
{
	const struct type *t = type_strip(v->type);
	const struct iterator *it = v->missing ? NULL : find_iterator(t);
	const struct container_reading r = { .s = s, .v = v, .type = t };
	struct value pointer;
	taddr at;

	if (!v->missing && is_reverse(t))
		return reverse_target(&r, ret, ret_known);
	*ret_known =
		it && (it->bit ? read_bit(&r, it, ret) : container_get(&r, v, it->path, &pointer));
	if (!*ret_known || it->bit)
		return NULL;
	if (!it->behind)
		return reach_target(s, &pointer, 0, ret);
	const struct type *type = element_type(it, t);
	*ret_known = type != NULL;
	struct error *err = type ? value_address(&pointer, &at) : NULL;
	if (err || !type)
		return err;
	if (it->in_tree && is_end_of_tree(&r, at))
		return error_new(ERROR_NO_ADDRESS, "the iterator is behind the last element");
	err = value_read(s, type, at + container_align(it->behind, type), ret);
	if (!err && it->element && !container_get(&r, ret, it->element, ret))
		*ret_known = false;
	return err;
}
