/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/casts.h"

#include <string.h>

#include "debugger/values/classes.h"
#include "debugger/values/reach.h"

struct error *casts_convert(const struct value *from, const struct type *type, struct value *ret)
{
	const struct type *t = type_strip(type);
	struct number n;

	if (t->kind == TYPE_VOID) {
		*ret = (struct value){ .type = type };
		return NULL;
	}
	if (!type_is_scalar(t)) {
		const struct type *own = type_strip(from->type);
		bool vectors = t->is_vector && own->is_vector && type_size(t) == type_size(own);
		if (own != t && !vectors)
			return error_new(ERROR_USAGE, "invalid cast");
		*ret = *from;
		ret->type = type;
		return NULL;
	}
	struct error *err = value_number(from, &n);
	if (!err)
		*ret = value_of_number(type, &n);
	return err;
}

/* Pointers to classes are moved within the object; *ret: the address as that type. */
static struct error *move(const struct scope *s, enum expr_op op, const struct type *from, taddr at,
			  const struct type *to, taddr *ret)
{
	const struct type *target = to->target ? type_strip(to->target) : &type_void;
	bool related;

	*ret = at;
	if (op == EXPR_REINTERPRET || !from || !type_is_struct(from))
		return op == EXPR_DYNAMIC ? error_new(ERROR_USAGE, "the argument to dynamic_cast "
								   "is no pointer to a class")
					  : NULL;
	if (op == EXPR_DYNAMIC) {
		bool whole = target->kind == TYPE_VOID;
		if (!whole && !type_is_struct(target))
			return error_new(ERROR_USAGE, "dynamic_cast leads to classes alone");
		struct error *err = classes_find(s, from, at, whole ? NULL : target, ret);
		bool lost = !err && at && !*ret && to->kind == TYPE_REFERENCE;
		return lost ? error_new(ERROR_USAGE, "dynamic_cast failed") : err;
	}
	return type_is_struct(target) ? classes_move(s, from, at, target, ret, &related) : NULL;
}

/* What is in memory is referred to as something else. */
static struct error *refer(const struct scope *s, enum expr_op op, const struct value *v,
			   const struct type *type, struct value *ret)
{
	taddr at;

	if (v->place != VALUE_MEMORY)
		return error_new(ERROR_USAGE,
				 "attempt to take address of value not located in memory");
	struct error *err = move(s, op, v->type, v->addr, type_strip(type), &at);
	if (!err)
		*ret = value_of_int(type, at);
	return err;
}

static struct error *cast_pointer(const struct scope *s, enum expr_op op, const struct value *v,
				  const struct type *type, struct value *ret)
{
	taddr at;
	struct error *err = value_address(v, &at);

	if (!err)
		err = move(s, op, type_strip(v->type)->target, at, type_strip(type), &at);
	if (!err)
		*ret = value_of_int(type, at);
	return err;
}

/* Of the same size: the bytes stay as they are. */
static struct error *reinterpret(const struct value *v, const struct type *type, struct value *ret)
{
	const struct type *to = type_strip(type), *from = type_strip(v->type);
	bool address = type_is_pointer(to) || type_is_pointer(from);

	if (v->missing)
		return value_missing(v);
	if (from->kind == TYPE_FLOAT || to->kind == TYPE_FLOAT || !type_is_scalar(to) ||
	    !type_is_scalar(from) || (!address && from->kind != to->kind))
		return error_new(ERROR_USAGE, "invalid reinterpret_cast");
	return casts_convert(v, type, ret);
}

struct error *casts_apply(const struct scope *s, enum expr_op op, struct value v,
			  const struct type *type, struct value *ret)
{
	const struct type *to = type_strip(type);

	/* Data that only the symbol table knows is what it is said to be. */
	if (v.type == &type_data_symbol)
		return value_read(s, type, v.addr, ret);
	bool reference = to->kind == TYPE_REFERENCE;
	struct error *err = reach_settle(s, &v, !reference);
	if (err)
		return err;
	if (reference)
		return refer(s, op, &v, type, ret);
	if (to->kind == TYPE_POINTER && type_strip(v.type)->kind == TYPE_POINTER)
		return cast_pointer(s, op, &v, type, ret);
	if (op == EXPR_DYNAMIC)
		return error_new(ERROR_USAGE, "dynamic_cast is of pointers and references");
	if (type_is_struct(to) && type_is_struct(v.type) && v.place == VALUE_MEMORY) {
		taddr at;
		err = move(s, op, v.type, v.addr, &(struct type){ .target = to }, &at);
		return err ? err : value_read(s, type, at, ret);
	}
	return op == EXPR_REINTERPRET ? reinterpret(&v, type, ret) : casts_convert(&v, type, ret);
}

/* ---- sizes ------------------------------------------------------------------------------ */

/* That of its largest part. */
static uint64_t alignment_of_struct(const struct type *t, size_t depth)
{
	size_t n;
	const struct type_member *members = type_members(t, &n);
	uint64_t most = 1;

	for (size_t i = 0; i < n && depth < 8; i++) {
		const struct type *part = type_strip(members[i].type);
		uint64_t its = type_is_struct(part) ? alignment_of_struct(part, depth + 1)
						    : casts_alignment(part);
		if (members[i].kind != MEMBER_STATIC && its > most)
			most = its;
	}
	return most;
}

/* System V ABI, AMD64, 3.1.2: numbers lie at multiples of their size. */
uint64_t casts_alignment(const struct type *type)
{
	const struct type *t = type_strip(type);

	for (size_t i = 0; t->kind == TYPE_ARRAY && t->target && i < 8; i++)
		t = type_strip(t->target);
	return type_is_struct(t) ? alignment_of_struct(t, 0) : t->size ? t->size : 1;
}
