/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/objects.h"

#include "debugger/values/classes.h"
#include "debugger/values/lookup.h"

/* A pointer or reference to a class, as that one is to another class. NULL: out of memory. */
static const struct type *leading_to(struct type_store *store, const struct type *like,
				     const struct type *class)
{
	const struct type *target = type_requalify(store, like->target, class);
	struct type *made;

	if (!target || like->kind == TYPE_POINTER)
		return target ? type_pointer_to(store, target) : NULL;
	made = type_new(store, like->kind, NULL, like->size);
	if (!made)
		return NULL;
	made->target = target;
	made->is_rvalue = like->is_rvalue;
	return made;
}

/* The address of what it leads to, or of itself; 0: there is none. */
static taddr object_of(const struct value *v, const struct type *t)
{
	taddr at = 0;

	if (v->missing)
		return 0;
	if (t->kind == TYPE_STRUCT)
		return v->place == VALUE_MEMORY ? v->addr : 0;
	error_ignore(value_address(v, &at));
	return at;
}

struct error *objects_follow(const struct scope *s, struct value *v, bool *ret_is)
{
	const struct type *t = type_strip(v->type);
	bool leads = t->kind == TYPE_POINTER || t->kind == TYPE_REFERENCE;
	const struct type *part = leads && t->target ? t->target : v->type, *class;
	struct type_store *store = s->session ? lookup_types(s) : NULL;
	taddr at, whole;

	*ret_is = false;
	if (!store || !type_is_struct(part) || !(at = object_of(v, t)))
		return NULL;
	struct error *err = classes_whole(s, type_strip(part), at, &class, &whole);
	if (err && err != &error_nomem) {
		error_ignore(err); /* it is what the source says */
		return NULL;
	}
	if (err)
		return err;
	class = type_strip(class);
	const struct type *to =
		leads ? leading_to(store, t, class) : type_requalify(store, v->type, class);
	if (!to)
		return &error_nomem;
	struct value made = value_of_int(to, whole);
	if (!leads)
		err = value_read(s, to, whole, &made);
	*ret_is = !err;
	if (!err)
		*v = made;
	if (err == &error_nomem)
		return err;
	error_ignore(err);
	return NULL;
}
