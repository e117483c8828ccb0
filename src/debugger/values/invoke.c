/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/invoke.h"

#include <stdlib.h>
#include <string.h>

#include "debugger/values/casts.h"
#include "debugger/values/classes.h"
#include "debugger/values/reach.h"

enum { LARGEST = 1 << 20, SLOT = 16 };

struct passing {
	const struct scope *scope;
	struct invocation *to;
};

/* ---- what has to lie in memory ---------------------------------------------------------- */

static struct error *keep(struct passing *p, const void *bytes, uint64_t size, taddr *ret)
{
	p->to->kept = (p->to->kept - size) & ~(taddr)(SLOT - 1);
	*ret = p->to->kept;
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

static struct error *keep_value(struct passing *p, const struct value *v, taddr *ret)
{
	AUTO_FREE uint8_t *bytes = NULL;
	struct error *err = bytes_of(p->scope, v, &bytes);

	return err ? err : keep(p, bytes, type_size(v->type), ret);
}

/* ---- arguments -------------------------------------------------------------------------- */

static bool is_same(const struct type *a, const struct type *b)
{
	return type_strip(a) == type_strip(b) || classes_same(type_strip(a), type_strip(b));
}

/* A text becomes a pointer to it, as arrays in the program do. */
static struct error *settle_array(struct passing *p, struct value *v)
{
	struct type_store *store;
	taddr at;

	if (type_strip(v->type)->kind != TYPE_ARRAY || v->place == VALUE_MEMORY)
		return reach_settle(p->scope, v, true);
	struct error *err = reach_types(p->scope, &store);
	if (!err)
		err = keep_value(p, v, &at);
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

static struct error *convert(struct passing *p, const struct value *from, const struct type *to,
			     struct value *ret)
{
	struct value v = *from;
	struct error *err = settle_array(p, &v);

	if (err)
		return err;
	if (!to)
		to = promoted(v.type);
	if (type_is_struct(to) || type_is_struct(v.type)) {
		if (!is_same(to, v.type))
			return error_new(ERROR_USAGE,
					 "an argument cannot be converted to its parameter's type");
		*ret = v;
		return NULL;
	}
	return casts_apply(p->scope, EXPR_NONE, v, to, ret);
}

/* A reference to what is in memory, or to a copy of the value. */
static struct error *refer(struct passing *p, const struct value *from, const struct type *to,
			   taddr *ret)
{
	const struct type *target = to->target ? to->target : &type_void;
	struct value v = *from;
	bool related = false;
	struct error *err = reach_settle(p->scope, &v, false);

	if (!err && v.place == VALUE_MEMORY && !v.missing) {
		*ret = v.addr;
		if (is_same(v.type, target))
			return NULL;
		if (type_is_struct(target) && type_is_struct(v.type))
			err = classes_move(p->scope, type_strip(v.type), v.addr, type_strip(target),
					   ret, &related);
		if (err || related)
			return err;
	}
	if (!err)
		err = convert(p, from, target, &v);
	return err ? err : keep_value(p, &v, ret);
}

static struct error *pass(struct passing *p, const struct value *from, const struct type *to)
{
	AUTO_FREE uint8_t *bytes = NULL;
	struct abi_way way;
	struct value v;
	taddr at;

	if (to && type_strip(to)->kind == TYPE_REFERENCE) {
		struct error *err = refer(p, from, type_strip(to), &at);
		if (!err)
			abi_pass_integer(&p->to->call, at);
		return err;
	}
	struct error *err = convert(p, from, to, &v);
	if (err)
		return err;
	const char *why = abi_find_way(v.type, &way);
	if (why || way.by_reference)
		return error_new(ERROR_UNSUPPORTED, "an argument cannot be passed by value: %s",
				 why ? why : "its class has a copy constructor or destructor");
	err = bytes_of(p->scope, &v, &bytes);
	if (!err)
		abi_pass(&p->to->call, &way, bytes);
	return err;
}

/* ---- the whole -------------------------------------------------------------------------- */

static struct error *find_function(const struct scope *s, const struct value *function,
				   const struct type **ret_type, taddr *ret)
{
	struct value f = *function;
	struct error *err = reach_settle(s, &f, true);

	if (!err)
		err = value_address(&f, ret);
	if (err)
		return err;
	const struct type *t = type_strip(f.type);
	*ret_type = t->kind == TYPE_POINTER && t->target ? type_strip(t->target) : t;
	if ((*ret_type)->kind != TYPE_FUNCTION)
		return error_new(ERROR_USAGE, "what is called is no function");
	return NULL;
}

/* Where the result goes, if that is memory. */
static struct error *make_room(struct passing *p)
{
	static const uint8_t nothing[SLOT];
	struct invocation *i = p->to;

	if (type_strip(i->result)->kind == TYPE_VOID)
		return NULL;
	const char *why = abi_find_way(i->result, &i->way);
	if (why)
		return error_new(ERROR_UNSUPPORTED, "its result cannot be read: %s", why);
	if (!abi_is_in_memory(&i->way))
		return NULL;
	if (i->way.size > LARGEST)
		return error_new(ERROR_UNSUPPORTED, "a result of %" PRIu64 " bytes is too large",
				 i->way.size);
	i->kept -= i->way.size;
	struct error *err = keep(p, nothing, sizeof(nothing), &i->kept);
	if (!err)
		abi_pass_integer(&i->call, i->kept + SLOT);
	return err;
}

struct error *invoke_prepare(const struct scope *s, const struct value *function,
			     const struct type *returns, const struct value *args, size_t n,
			     taddr top, struct invocation *ret)
{
	struct invocation made = { .kept = top };
	struct passing p = { s, &made };
	const struct type *type;
	struct error *err = find_function(s, function, &type, &made.entry);

	if (err)
		return err;
	made.result = returns ? returns : type->target ? type->target : &type_void;
	if (n < type->nparameters)
		err = error_new(ERROR_USAGE, "Too few arguments in function call.");
	if (!err)
		err = make_room(&p);
	for (size_t i = 0; i < n && !err; i++)
		err = pass(&p, &args[i], i < type->nparameters ? type->parameters[i] : NULL);
	if (err)
		invocation_fini(&made);
	else
		*ret = made;
	return err;
}

/* ---- results ---------------------------------------------------------------------------- */

static struct error *read_register(struct target *t, struct thread *th, const char *name, void *ret)
{
	uint8_t bytes[ARCH_REGISTER_MAX];
	size_t size;
	const struct reg *r = arch_find_reg(t->arch, name);
	struct error *err = r ? target_get_register(t, th, r, bytes, &size)
			      : error_new(ERROR_UNSUPPORTED, "there is no register %s", name);

	if (!err)
		memcpy(ret, bytes, size < ABI_VECTOR ? size : ABI_VECTOR);
	return err;
}

struct error *invoke_read_registers(struct target *t, struct thread *th, struct abi_result *ret)
{
	struct {
		const char *name;
		void *into;
	} const rows[] = {
		{ "rax", &ret->integers[0] }, { "rdx", &ret->integers[1] },
		{ "xmm0", ret->vectors[0] },  { "xmm1", ret->vectors[1] },
		{ "st0", ret->x87[0] },       { "st1", ret->x87[1] },
	};
	struct error *err = NULL;

	*ret = (struct abi_result){ 0 };
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows) && !err; i++)
		err = read_register(t, th, rows[i].name, rows[i].into);
	return err;
}

struct error *invoke_result(const struct scope *s, const struct type *type,
			    const struct abi_way *way, const struct abi_result *registers,
			    struct value *ret)
{
	struct value v = { .type = type };

	if (type_strip(type)->kind == TYPE_VOID) {
		*ret = v;
		return NULL;
	}
	/* None of it is lost: the second half. */
	AUTO_FREE uint8_t *bytes = calloc(2, way->size + 1);
	struct error *err = bytes ? NULL : &error_nomem;
	if (!err && abi_is_in_memory(way))
		err = target_read(s->session->target, registers->integers[0], bytes, way->size);
	else if (!err)
		abi_take(way, registers, bytes);
	if (!err)
		err = value_set_bytes(s, &v, bytes, bytes + way->size, way->size);
	if (!err)
		*ret = v;
	return err;
}
