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
} iterators[] = {
	{ "__normal_iterator<", "_M_current", 0, NULL },
	{ "_Deque_iterator<", "_M_cur", 0, NULL },
	{ "_List_iterator<", "_M_node", 16, NULL },
	{ "_List_const_iterator<", "_M_node", 16, NULL },
	{ "_Fwd_list_iterator<", "_M_node", 8, NULL },
	{ "_Fwd_list_const_iterator<", "_M_node", 8, NULL },
	{ "_Rb_tree_iterator<", "_M_node", 32, NULL },
	{ "_Rb_tree_const_iterator<", "_M_node", 32, NULL },
	{ "_Node_iterator<", "_M_cur", 8, NULL },
	{ "_Node_const_iterator<", "_M_cur", 8, NULL },
	{ "__wrap_iter<", "__i_|__i", 0, NULL },
	{ "__deque_iterator<", "__ptr_", 0, NULL },
	{ "__list_iterator<", "__ptr_", 16, NULL },
	{ "__list_const_iterator<", "__ptr_", 16, NULL },
	{ "__forward_list_iterator<", "__ptr_", 8, NULL },
	{ "__tree_const_iterator<", "__ptr_", 25, NULL },
	{ "__hash_const_iterator<", "__node_", 16, NULL },
	{ "__map_iterator<", "__i_.__ptr_", 25, "__cc_|__cc" },
	{ "__map_const_iterator<", "__i_.__ptr_", 25, "__cc_|__cc" },
	{ "__hash_map_iterator<", "__i_.__node_", 16, "__cc_|__cc" },
	{ "__hash_map_const_iterator<", "__i_.__node_", 16, "__cc_|__cc" },
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

/* In maps of libc++ the first argument is the iterator of the tree, of which it is the first. */
static const struct type *element_type(const struct iterator *it, const struct type *t)
{
	const struct type *type = container_argument(t, 0);

	return it->element && type ? container_argument(type_strip(type), 0) : type;
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
