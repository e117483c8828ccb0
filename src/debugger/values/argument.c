/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/argument.h"

#include "debugger/values/argument_text.h"
#include "debugger/values/casts.h"
#include "debugger/values/classes.h"
#include "debugger/values/containers.h"
#include "debugger/values/reach.h"

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
		err = passing_keep_value(p, v, &at);
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
	    v.place != VALUE_MEMORY && passing_is_same(object->target, v.type)) {
		taddr at;
		err = passing_keep_value(p, &v, &at);
		if (!err)
			*ret = value_of_int(to, at);
		return err;
	}
	if (type_is_struct(to) || type_is_struct(v.type)) {
		if (!passing_is_same(to, v.type))
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
		if (passing_is_same(v.type, target))
			return NULL;
		if (type_is_struct(target) && type_is_struct(v.type))
			err = classes_move(p->scope, type_strip(v.type), v.addr, type_strip(target),
					   ret, &related);
		if (err || related)
			return err;
	}
	if (!err)
		err = convert(p, from, target, &v);
	return err ? err : passing_keep_value(p, &v, ret);
}

/* What lies nowhere is put into memory first, to be copied from there. */
static struct error *pass_copy(const struct passing *p, const struct value *v)
{
	struct passing_copy copy = { .from = *v };
	struct error *err = copying_find(p->scope, type_strip(v->type), &copy.how);

	if (!err)
		err = passing_keep_value(p, v, &copy.at);
	if (!err && v->place != VALUE_MEMORY) {
		copy.from = (struct value){ .type = v->type, .place = VALUE_MEMORY };
		err = passing_keep_value(p, v, &copy.from.addr);
	}
	if (!err && !vec_push(p->copies, copy))
		err = &error_nomem;
	if (!err)
		abi_pass_integer(p->call, copy.at);
	return err;
}

static struct error *pass_value(const struct passing *p, const struct value *from)
{
	AUTO_FREE uint8_t *bytes = NULL;
	struct value v = *from;
	struct abi_way way;
	const char *why = abi_find_way(v.type, &way);

	if (why)
		return error_new(ERROR_UNSUPPORTED, "an argument cannot be passed by value: %s",
				 why);
	if (way.by_reference)
		return pass_copy(p, &v);
	struct error *err = passing_bytes(p->scope, &v, &bytes);
	if (!err)
		abi_pass(p->call, &way, bytes);
	return err;
}

/* What is made of it is its own copy. */
static struct error *pass_text(const struct passing *p, const struct value *from,
			       const struct type *to)
{
	const struct type *t = type_strip(to);
	const bool refers = t->kind == TYPE_REFERENCE;
	struct value v = *from,
		     made = { .type = refers ? type_strip(t->target) : t, .place = VALUE_MEMORY };
	struct error *err = settle_array(p, &v);

	if (!err)
		err = argument_text_make(p, &v, made.type, &made.addr);
	if (err)
		return err;
	if (!refers && container_is(made.type, "basic_string_view"))
		return pass_value(p, &made);
	abi_pass_integer(p->call, made.addr);
	return NULL;
}

struct error *argument_pass(const struct passing *p, const struct value *from,
			    const struct type *to)
{
	struct error *err;
	struct value v;
	taddr at;

	if (to && container_takes_text(from->type, to))
		return pass_text(p, from, to);
	if (to && type_strip(to)->kind == TYPE_REFERENCE) {
		err = refer(p, from, type_strip(to), &at);
		if (!err)
			abi_pass_integer(p->call, at);
		return err;
	}
	err = convert(p, from, to, &v);
	return err ? err : pass_value(p, &v);
}
