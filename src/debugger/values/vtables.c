/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/vtables.h"

#include <string.h>

#include "debugger/values/reach.h"

enum { DEPTH_MAX = 16, TABLES_MAX = 64, FUNCTIONS_MAX = 1024, SLOT = 8 };

void vtable_list_fini(struct vtable_list *l)
{
	vec_for_each (t, l)
		vec_fini(&t->functions);
	vec_fini(l);
}

static bool is_dynamic(const struct type *class, unsigned int depth)
{
	size_t n;
	const struct type_method *methods = type_methods(class, &n);

	for (size_t i = 0; i < n; i++) {
		if (methods[i].is_virtual)
			return true;
	}
	const struct type_member *members = type_members(class, &n);
	for (size_t i = 0; i < n && depth < DEPTH_MAX; i++) {
		bool pointer = members[i].name && !strncmp(members[i].name, "_vptr", 5);
		bool base = members[i].kind == MEMBER_BASE;
		if (pointer || (base && (members[i].is_virtual ||
					 is_dynamic(type_strip(members[i].type), depth + 1))))
			return true;
	}
	return false;
}

/* Words of the object that holds the table, as long as they lead to where a function begins. */
static bool read_functions(const struct scope *s, struct vtable *t)
{
	struct symbol_table *symbols = s->session->symbols;
	struct symbol table, code;
	taddr word;

	if (!symbol_at(symbols, t->at, &table) || table.function)
		return true;
	for (taddr at = t->at; at - table.addr < table.size && t->functions.len < FUNCTIONS_MAX;
	     at += SLOT) {
		if (!memory_try_read(s->session->target->memory, at, &word, sizeof(word)) ||
		    !symbol_at(symbols, word, &code) || !code.function || code.addr != word)
			break;
		if (!vec_push(&t->functions, word))
			return false;
	}
	return true;
}

static bool is_listed(const struct vtable_list *l, taddr object)
{
	vec_for_each (t, l) {
		if (t->object == object)
			return true;
	}
	return l->len == TABLES_MAX;
}

static struct error *add(const struct scope *s, const struct value *object, struct vtable_list *l)
{
	struct vtable t = { .class = type_strip(object->type), .object = object->addr };
	struct error *err = target_read_uint(s->session->target, t.object, SLOT, &t.at);

	if (err || (read_functions(s, &t) && vec_push(l, t)))
		return err;
	vec_fini(&t.functions);
	return &error_nomem;
}

static struct error *add_all(const struct scope *s, const struct value *object, unsigned int depth,
			     struct vtable_list *l)
{
	const struct type *class = type_strip(object->type);
	struct error *err = NULL;
	size_t n;

	if (is_dynamic(class, 0) && !is_listed(l, object->addr))
		err = add(s, object, l);
	const struct type_member *members = type_members(class, &n);
	for (size_t i = 0; !err && i < n && depth < DEPTH_MAX && l->len < TABLES_MAX; i++) {
		struct value part;
		if (members[i].kind != MEMBER_BASE)
			continue;
		err = value_member(s, object, &members[i], &part);
		if (!err && !part.missing && part.place == VALUE_MEMORY)
			err = add_all(s, &part, depth + 1, l);
	}
	return err;
}

struct error *vtables_of(const struct scope *s, const struct value *v, struct vtable_list *ret)
{
	struct vtable_list l = { 0 };
	struct value object = *v;
	struct error *err = NULL;

	if (object.missing)
		return value_missing(&object);
	if (reach_is_pointer(&object))
		err = reach_target(s, &object, 0, &object);
	if (!err && (!type_is_struct(object.type) || object.place != VALUE_MEMORY))
		err = error_new(ERROR_USAGE, "this is no object in memory");
	size_t members = 0;
	if (!err)
		type_members(type_strip(object.type), &members);
	if (!err && !members && type_strip(object.type)->is_declared)
		err = error_new(ERROR_UNSUPPORTED, "its class is only declared: nothing tells what "
						   "it consists of");
	if (!err)
		err = add_all(s, &object, 0, &l);
	if (err)
		vtable_list_fini(&l);
	else
		*ret = l;
	return err;
}
