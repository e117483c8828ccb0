/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/reach.h"

#include <string.h>

#include "debugger/values/lookup.h"
#include "debugger/values/registers.h"
#include "target/symbols/name_scopes.h"

enum { MEMBERS_DEPTH_MAX = 32, STRUCTURES_MAX = 4096 };

bool reach_is_pointer(const struct value *v)
{
	return type_strip(v->type)->kind == TYPE_POINTER;
}

struct error *reach_types(const struct scope *s, struct type_store **ret)
{
	*ret = lookup_types(s);
	return *ret ? NULL
		    : error_new(ERROR_NOT_FOUND,
				"no symbol table is loaded: use the \"file\" command");
}

/* A pointer to arrays counts in their size: that of the one that it points to. */
static struct error *settle_pointer(const struct scope *s, const struct type *target,
				    struct value *v)
{
	struct type_store *store;
	struct value first;
	taddr addr;
	struct error *err = value_address(v, &addr);

	if (!err)
		err = value_read(s, target, addr, &first);
	if (!err)
		err = reach_types(s, &store);
	if (err || first.missing)
		return err;
	const struct type *to = type_pointer_to(store, first.type);
	if (!to)
		return &error_nomem;
	v->type = to;
	return NULL;
}

struct error *reach_settle(const struct scope *s, struct value *v, bool decays)
{
	const struct type *t = type_strip(v->type);
	struct type_store *store;
	taddr addr;

	if (t == &type_data_symbol && decays)
		return error_new(ERROR_USAGE, "it has unknown type; cast it to its declared type");
	if (t->kind == TYPE_REFERENCE && value_points(v)) {
		const struct value reference = *v;
		return value_pointed(s, &reference, 0, v);
	}
	if (t->kind == TYPE_REFERENCE && !v->missing) {
		struct error *err = value_address(v, &addr);
		return err ? err : value_read(s, t->target ? t->target : &type_void, addr, v);
	}
	if (decays && t->kind == TYPE_POINTER && !v->missing && t->target &&
	    type_is_dynamic(t->target))
		return settle_pointer(s, t->target, v);
	if (!decays || (t->kind != TYPE_ARRAY && t->kind != TYPE_FUNCTION) || t->is_vector ||
	    v->place != VALUE_MEMORY)
		return NULL;
	struct error *err = reach_types(s, &store);
	if (err)
		return err;
	const struct type *to = type_pointer_to(store, t->kind == TYPE_ARRAY ? t->target : v->type);
	if (!to)
		return &error_nomem;
	*v = value_of_int(to, v->addr);
	return NULL;
}

uint64_t reach_step(const struct type *pointer)
{
	const struct type *target = type_strip(pointer)->target;
	uint64_t size = target ? type_size(target) : 1;

	return size ? size : 1;
}

struct error *reach_target(const struct scope *s, const struct value *pointer, uint64_t index,
			   struct value *ret)
{
	const struct type *t = type_strip(pointer->type);
	taddr addr;
	if (value_points(pointer))
		return value_pointed(s, pointer, index, ret);
	struct error *err = value_address(pointer, &addr);

	if (err)
		return err;
	/* gdb: what a number points to is a long. */
	if (t->kind == TYPE_INT)
		return value_read(s, &type_long, addr + index * 8, ret);
	if (t->kind != TYPE_POINTER || !t->target || type_strip(t->target)->kind == TYPE_VOID)
		return error_new(ERROR_USAGE, "attempt to take contents of a non-pointer value");
	if (index && type_strip(t->target)->kind == TYPE_ARRAY && !type_size(t->target))
		return error_new(ERROR_USAGE, "cannot perform pointer math on incomplete types, "
					      "try casting to a known type, or void *");
	return value_read(s, t->target, addr + index * reach_step(t), ret);
}

struct error *reach_address(const struct scope *s, const struct expr *e, const struct value *v,
			    struct value *ret)
{
	struct type_store *store;
	struct error *err = reach_types(s, &store);

	if (err)
		return err;
	if (v->place == VALUE_REGISTER && e->kind == EXPR_NAME)
		return error_new(ERROR_USAGE,
				 "address requested for identifier %s which is in register $%s",
				 e->text, v->reg->name);
	if (v->place != VALUE_MEMORY && e->kind == EXPR_NAME)
		return error_new(ERROR_USAGE, "can't take address of \"%s\" which isn't an lvalue",
				 e->text);
	if (v->place != VALUE_MEMORY)
		return error_new(ERROR_USAGE,
				 "attempt to take address of value not located in memory");
	const struct type *type = type_pointer_to(store, v->type);
	if (!type)
		return &error_nomem;
	*ret = value_of_int(type, v->addr);
	return NULL;
}

static struct error *cannot_subscript(const struct value *v)
{
	AUTO_BUF name = { 0 };

	type_add_name(&name, v->type);
	return error_new(ERROR_USAGE, "cannot subscript something of type `%s'", buf_text(&name));
}

struct error *reach_element(const struct scope *s, struct value *array, const struct number *index,
			    struct value *ret)
{
	const struct type *t = type_strip(array->type);

	if (array->missing && t->kind == TYPE_ARRAY && t->target) {
		*ret = (struct value){ .type = t->target, .missing = array->missing };
		return NULL;
	}
	if (array->missing && value_points(array))
		return value_pointed(s, array, (uint64_t)index->bits, ret);
	if (array->missing)
		return value_missing(array);
	/* Of what is here and nowhere else: a text, a part of a register. */
	if (t->kind == TYPE_ARRAY && (array->place != VALUE_MEMORY || array->block || t->lower ||
				      t->stride || t->is_vector)) {
		uint64_t at = (uint64_t)index->bits - (uint64_t)t->lower;
		if (at >= t->count && !(t->unbounded && (int64_t)index->bits >= t->lower))
			return error_new(ERROR_USAGE, "no such vector element");
		return value_part(s, array, t->target, at * (uint64_t)type_stride(t), ret);
	}
	struct error *err = reach_settle(s, array, true);
	if (!err && !reach_is_pointer(array))
		err = cannot_subscript(array);
	return err ? err : reach_target(s, array, (uint64_t)index->bits, ret);
}

/* The parts of a vector register: $xmm0.v4_float. false: there is none of that name. */
static bool vector_part(struct type_store *store, const struct value *whole, const char *text,
			struct value *ret)
{
	for (size_t i = 0; register_is_vector(whole->type) && i < register_part_count; i++) {
		const struct type *type = register_parts[i].type;
		uint64_t n = whole->size / type->size;
		if (strcmp(register_part_name(&register_parts[i], whole->type), text))
			continue;
		*ret = *whole;
		ret->type = n > 1 ? type_array_of(store, type, n) : type;
		return ret->type != NULL;
	}
	return false;
}

/*
 * The member of that name, in the structure itself, in those without a name in it, in what it
 * inherits. *ret: it, in the value that holds it. false: none.
 */
struct member_search {
	const struct scope *s;
	const char *name;
	const char *class; /* that it is to be of: so many characters; 0: any */
	size_t class_len;
	size_t depth, left; /* structures that may yet be looked into */
	struct error *err;
};

static bool find_member(struct member_search *search, const struct value *whole, struct value *ret);

static bool find_inside(struct member_search *search, const struct value *whole,
			const struct type_member *m, struct value *ret)
{
	struct value inner;

	if ((m->kind != MEMBER_BASE && m->name) || !type_is_struct(m->type) || !search->left ||
	    search->depth == MEMBERS_DEPTH_MAX)
		return false;
	search->left--;
	search->err = value_member(search->s, whole, m, &inner);
	if (search->err)
		return true;
	search->depth++;
	bool found = find_member(search, &inner, ret);
	search->depth--;
	return found;
}

/* "base::first" is of that class. */
static bool is_of_class(const struct member_search *search, const struct type *type)
{
	const struct type *t = type_strip(type);
	size_t has = t->name ? strlen(t->name) : 0, n = search->class_len;

	return !n || (has >= n && !strncmp(t->name + (has - n), search->class, n) &&
		      (has == n || t->name[has - n - 1] == ':'));
}

static bool find_member(struct member_search *search, const struct value *whole, struct value *ret)
{
	size_t n;
	const struct type_member *members = type_members(whole->type, &n);

	for (size_t i = 0; i < n && is_of_class(search, whole->type); i++) {
		if (members[i].name && members[i].kind != MEMBER_BASE &&
		    !strcmp(members[i].name, search->name)) {
			search->err = value_member(search->s, whole, &members[i], ret);
			return true;
		}
	}
	for (size_t i = 0; i < n; i++) {
		if (find_inside(search, whole, &members[i], ret))
			return true;
	}
	return false;
}

struct error *reach_member(const struct scope *s, const struct value *whole, const char *name,
			   struct value *ret)
{
	const struct type *t = type_strip(whole->type);
	struct type_store *store;
	struct error *err = reach_types(s, &store);

	if (err || vector_part(store, whole, name, ret))
		return err;
	if (t->kind != TYPE_STRUCT && whole->missing)
		return value_missing(whole);
	if (t->kind != TYPE_STRUCT && !register_is_vector(t))
		return error_new(ERROR_USAGE, "attempt to extract a component of a value that is "
					      "not a structure");
	const char *last = name_scopes_last(name);
	struct member_search search = { .s = s,
					.name = last,
					.class = name,
					.class_len = last > name ? (size_t)(last - name) - 2 : 0,
					.left = STRUCTURES_MAX };
	if (find_member(&search, whole, ret))
		return search.err;
	return error_new(ERROR_NOT_FOUND, "there is no member named %s", name);
}

struct error *reach_array(const struct scope *s, const struct value *first, const struct number *n,
			  struct value *ret)
{
	enum { REPEAT_MAX = 1 << 24 };
	struct type_store *store;
	struct error *err = reach_types(s, &store);

	if (err)
		return err;
	if (first->place != VALUE_MEMORY)
		return error_new(ERROR_USAGE, "only values in memory can be extended with '@'");
	if (n->is_float || (__int128)n->bits <= 0 || n->bits > REPEAT_MAX)
		return error_new(ERROR_USAGE, "invalid number %lld of repetitions",
				 (long long)n->bits);
	const struct type *type = type_array_of(store, first->type, (uint64_t)n->bits);
	if (!type)
		return &error_nomem;
	*ret = (struct value){ .type = type, .place = VALUE_MEMORY, .addr = first->addr };
	return NULL;
}
