/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/argument.h"

#include <stdlib.h>

#include "debugger/values/casts.h"
#include "debugger/values/classes.h"
#include "debugger/values/reach.h"

enum { LARGEST = 1 << 20, SLOT = 16 };

/* ---- what has to lie in memory ---------------------------------------------------------- */

struct error *argument_keep(const struct passing *p, const void *bytes, uint64_t size, taddr *ret)
{
	*p->kept = (*p->kept - size) & ~(taddr)(SLOT - 1);
	*ret = *p->kept;
	struct error *err = target_write(p->scope->session->target, *ret, bytes, size);
	return error_add(err, "an argument cannot be put on the stack");
}

/* All bytes of a value; *ret is the caller's. */
static struct error *bytes_of(const struct scope *s, const struct value *v, uint8_t **ret)
{
	uint64_t size = type_size(v->type);

	if (v->missing)
		return value_missing(v);
	if (size > LARGEST)
		return error_new(ERROR_UNSUPPORTED, "an argument of %" PRIu64 " bytes is too large",
				 size);
	AUTO_FREE uint8_t *bytes = calloc(1, size + 1);
	if (!bytes)
		return &error_nomem;
	const char *why = value_bytes(s, v, 0, bytes, size);
	if (why)
		return error_new(ERROR_USAGE, "an argument is not available: %s", why);
	*ret = TAKE(bytes);
	return NULL;
}

struct error *argument_keep_value(const struct passing *p, const struct value *v, taddr *ret)
{
	AUTO_FREE uint8_t *bytes = NULL;
	struct error *err = bytes_of(p->scope, v, &bytes);

	return err ? err : argument_keep(p, bytes, type_size(v->type), ret);
}

/* ---- arguments -------------------------------------------------------------------------- */

bool argument_is_same(const struct type *a, const struct type *b)
{
	return type_strip(a) == type_strip(b) || classes_same(type_strip(a), type_strip(b));
}

/* A text becomes a pointer to it, as arrays in the program do. */
static struct error *settle_array(const struct passing *p, struct value *v)
{
	struct type_store *store;
	taddr at;

	const struct type *t = type_strip(v->type);

	if (t->kind != TYPE_ARRAY || t->is_vector || v->place == VALUE_MEMORY)
		return reach_settle(p->scope, v, true);
	struct error *err = reach_types(p->scope, &store);
	if (!err)
		err = argument_keep_value(p, v, &at);
	if (err)
		return err;
	const struct type *to = type_pointer_to(store, type_strip(v->type)->target);
	if (!to)
		return &error_nomem;
	*v = value_of_int(to, at);
	return NULL;
}

/* What a parameter without a type is given: C 6.5.2.2, default argument promotions. */
static const struct type *promoted(const struct type *type)
{
	const struct type *t = type_strip(type);

	if (t->kind == TYPE_FLOAT)
		return t->size < type_double.size ? &type_double : type;
	if (type_is_integer(t) && t->size < type_int.size)
		return &type_int;
	return type;
}

static struct error *convert(const struct passing *p, const struct value *from,
			     const struct type *to, struct value *ret)
{
	struct value v = *from;
	struct error *err = settle_array(p, &v);

	if (err)
		return err;
	if (!to)
		to = promoted(v.type);
	/* "this" of an object that is a result: it lies in memory for the call. */
	const struct type *object = type_strip(to);
	if (object->kind == TYPE_POINTER && object->target && type_is_struct(v.type) &&
	    v.place != VALUE_MEMORY && argument_is_same(object->target, v.type)) {
		taddr at;
		err = argument_keep_value(p, &v, &at);
		if (!err)
			*ret = value_of_int(to, at);
		return err;
	}
	if (type_is_struct(to) || type_is_struct(v.type)) {
		if (!argument_is_same(to, v.type))
			return error_new(ERROR_USAGE,
					 "an argument cannot be converted to its parameter's type");
		*ret = v;
		return NULL;
	}
	return casts_apply(p->scope, EXPR_NONE, v, to, ret);
}

/* A reference to what is in memory, or to a copy of the value. */
static struct error *refer(const struct passing *p, const struct value *from, const struct type *to,
			   taddr *ret)
{
	const struct type *target = to->target ? to->target : &type_void;
	struct value v = *from;
	bool related = false;
	struct error *err = reach_settle(p->scope, &v, false);

	if (!err && v.place == VALUE_MEMORY && !v.missing) {
		*ret = v.addr;
		if (argument_is_same(v.type, target))
			return NULL;
		if (type_is_struct(target) && type_is_struct(v.type))
			err = classes_move(p->scope, type_strip(v.type), v.addr, type_strip(target),
					   ret, &related);
		if (err || related)
			return err;
	}
	if (!err)
		err = convert(p, from, target, &v);
	return err ? err : argument_keep_value(p, &v, ret);
}

/* What lies nowhere is put into memory first, to be copied from there. */
static struct error *pass_copy(const struct passing *p, const struct value *v)
{
	struct argument_copy copy = { .from = *v };
	struct error *err = copying_find(p->scope, type_strip(v->type), &copy.how);

	if (!err)
		err = argument_keep_value(p, v, &copy.at);
	if (!err && v->place != VALUE_MEMORY) {
		copy.from = (struct value){ .type = v->type, .place = VALUE_MEMORY };
		err = argument_keep_value(p, v, &copy.from.addr);
	}
	if (!err && !vec_push(p->copies, copy))
		err = &error_nomem;
	if (!err)
		abi_pass_integer(p->call, copy.at);
	return err;
}

struct error *argument_pass(const struct passing *p, const struct value *from,
			    const struct type *to)
{
	AUTO_FREE uint8_t *bytes = NULL;
	struct abi_way way;
	struct value v;
	taddr at;

	if (to && type_strip(to)->kind == TYPE_REFERENCE) {
		struct error *err = refer(p, from, type_strip(to), &at);
		if (!err)
			abi_pass_integer(p->call, at);
		return err;
	}
	struct error *err = convert(p, from, to, &v);
	if (err)
		return err;
	const char *why = abi_find_way(v.type, &way);
	if (why)
		return error_new(ERROR_UNSUPPORTED, "an argument cannot be passed by value: %s",
				 why);
	if (way.by_reference)
		return pass_copy(p, &v);
	err = bytes_of(p->scope, &v, &bytes);
	if (!err)
		abi_pass(p->call, &way, bytes);
	return err;
}
