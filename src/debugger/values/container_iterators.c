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
} iterators[] = {
	{ "__normal_iterator<", "_M_current", 0, NULL, false },
	{ "_Deque_iterator<", "_M_cur", 0, NULL, false },
	{ "_List_iterator<", "_M_node", 16, NULL, false },
	{ "_List_const_iterator<", "_M_node", 16, NULL, false },
	{ "_Fwd_list_iterator<", "_M_node", 8, NULL, false },
	{ "_Fwd_list_const_iterator<", "_M_node", 8, NULL, false },
	{ "_Rb_tree_iterator<", "_M_node", 32, NULL, false },
	{ "_Rb_tree_const_iterator<", "_M_node", 32, NULL, false },
	{ "_Node_iterator<", "_M_cur", 8, NULL, false },
	{ "_Node_const_iterator<", "_M_cur", 8, NULL, false },
	{ "__wrap_iter<", "__i_|__i", 0, NULL, false },
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
};

static const struct iterator *find_iterator(const struct type *t)
{
	static const char *const scopes[] = { "std::",      "__gnu_cxx::", "__cxx11::",
					      "__detail::", "__1::",       "__2::" };
	const char *name = t->kind == TYPE_STRUCT && t->name ? t->name : "";
	enum { NUM_SCOPES = sizeof(scopes) / sizeof(*scopes) };

	for (size_t i = 0; i < NUM_SCOPES; i++) {
		if (!strncmp(name, scopes[i], strlen(scopes[i])))
			name += strlen(scopes[i]);
	}
	for (size_t i = 0; name != t->name && i < sizeof(iterators) / sizeof(*iterators); i++) {
		if (!strncmp(name, iterators[i].name, strlen(iterators[i].name)))
			return &iterators[i];
	}
	return NULL;
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

struct error *container_iterator_target(const struct scope *s, const struct value *v,
					struct value *ret, bool *ret_known)
{
	const struct type *t = type_strip(v->type);
	const struct iterator *it = v->missing ? NULL : find_iterator(t);
	const struct container_reading r = { .s = s, .v = v, .type = t };
	struct value pointer;
	taddr at;

	*ret_known = it && container_get(&r, v, it->path, &pointer);
	if (!*ret_known)
		return NULL;
	if (!it->behind)
		return reach_target(s, &pointer, 0, ret);
	const struct type *type = element_type(it, t);
	*ret_known = type != NULL;
	struct error *err = type ? value_address(&pointer, &at) : NULL;
	if (err || !type)
		return err;
	err = value_read(s, type, at + container_align(it->behind, type), ret);
	if (!err && it->element && !container_get(&r, ret, it->element, ret))
		*ret_known = false;
	return err;
}
