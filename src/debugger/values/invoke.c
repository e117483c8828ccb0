/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/invoke.h"

#include <stdlib.h>
#include <string.h>

#include "debugger/values/reach.h"

enum { LARGEST = 1 << 20 };

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
static struct error *make_room(const struct passing *p, struct invocation *i)
{
	static const uint8_t nothing[PASSING_SLOT];

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
	struct error *err = passing_keep(p, nothing, sizeof(nothing), &i->kept);
	if (!err)
		abi_pass_integer(&i->call, i->kept + PASSING_SLOT);
	return err;
}

/* Without a prototype, float is passed as double: C 6.5.2.2. */
static const struct type *parameter_of(const struct type *function, size_t i)
{
	const struct type *t = i < function->nparameters ? function->parameters[i] : NULL;
	bool promoted = t && !function->prototyped && type_strip(t)->kind == TYPE_FLOAT &&
			type_size(t) < type_double.size;

	return promoted ? &type_double : t;
}

static struct error *pass_all(const struct passing *p, const struct type *function,
			      const struct value *args, size_t n, struct invocation *to)
{
	size_t wanted = function->passed ? argument_fortran_count(function) : function->nparameters;
	struct error *err = NULL;

	if (n < wanted)
		return error_new(ERROR_USAGE, "Too few arguments in function call.");
	if (function->passed)
		return n > wanted ? error_new(ERROR_USAGE, "Too many arguments in function call.")
				  : argument_fortran_pass(p, function, args, &to->placed);
	for (size_t i = 0; i < n && !err; i++)
		err = argument_pass(p, &args[i], parameter_of(function, i));
	return err;
}

struct error *invoke_prepare(const struct scope *s, const struct value *function,
			     const struct type *returns, const struct value *args, size_t n,
			     taddr top, struct invocation *ret)
{
	struct invocation made = { .kept = top };
	const struct passing p = { s, &made.call, &made.copies, &made.kept };
	const struct type *type;
	struct error *err = find_function(s, function, &type, &made.entry);

	if (err)
		return err;
	made.result = returns ? returns : type->target ? type->target : &type_void;
	err = make_room(&p, &made);
	if (!err)
		err = pass_all(&p, type, args, n, &made);
	if (err)
		invocation_fini(&made);
	else
		*ret = made;
	return err;
}

/* ---- results ---------------------------------------------------------------------------- */

/* ret has that many bytes. */
static struct error *read_register(struct target *t, struct thread *th, const char *name, void *ret,
				   size_t most)
{
	uint8_t bytes[ARCH_REGISTER_MAX];
	size_t size;
	const struct reg *r = arch_find_reg(t->arch, name);
	struct error *err = r ? target_get_register(t, th, r, bytes, &size)
			      : error_new(ERROR_UNSUPPORTED, "there is no register %s", name);

	if (!err)
		memcpy(ret, bytes, size < most ? size : most);
	return err;
}

struct error *invoke_read_registers(struct target *t, struct thread *th, struct abi_result *ret)
{
	struct {
		const char *name;
		void *into;
		size_t size;
	} const rows[] = {
		{ "rax", &ret->integers[0], 8 },         { "rdx", &ret->integers[1], 8 },
		{ "xmm0", ret->vectors[0], ABI_VECTOR }, { "xmm1", ret->vectors[1], ABI_VECTOR },
		{ "st0", ret->x87[0], ABI_X87_BYTES },   { "st1", ret->x87[1], ABI_X87_BYTES },
	};
	struct error *err = NULL;

	*ret = (struct abi_result){ 0 };
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows) && !err; i++)
		err = read_register(t, th, rows[i].name, rows[i].into, rows[i].size);
	/* Where the processor has none, nothing is returned in it. */
	if (!err)
		error_ignore(read_register(t, th, "ymm0", ret->vectors[0], ABI_VECTOR));
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

struct error *invoke_finish(const struct scope *s, const struct invocation *i,
			    const struct abi_result *registers, struct value *ret)
{
	struct value v;

	if (!i->placed.type)
		return invoke_result(s, i->result, &i->way, registers, ret);
	struct error *err = value_read(s, i->placed.type, i->placed.at, &v);
	if (!err)
		err = value_keep(s, &v);
	if (err)
		return err;
	v.place = VALUE_NOWHERE;
	*ret = v;
	return NULL;
}

static struct error *write_register(struct target *t, struct thread *th, const char *name,
				    const void *bytes, size_t size)
{
	const struct reg *r = arch_find_reg(t->arch, name);

	return r ? target_set_register(t, th, r, bytes, size)
		 : error_new(ERROR_UNSUPPORTED, "there is no register %s", name);
}

struct error *invoke_write_vector(struct target *t, struct thread *th, size_t n,
				  const uint8_t bytes[ABI_VECTOR], bool wide)
{
	AUTO_BUF name = { 0 };

	buf_addf(&name, "%s%zu", wide ? "ymm" : "xmm", n);
	return write_register(t, th, buf_text(&name), bytes, wide ? ABI_VECTOR : ABI_VECTOR / 2);
}

/* As a function returns: the results are all that is on the stack of x87. */
static struct error *write_x87(struct target *t, struct thread *th, const struct abi_result *r)
{
	static const char *const names[] = { "st0", "st1" };
	enum { REGISTERS = 8, TOP = 11 };
	const uint16_t status = (uint16_t)((REGISTERS - r->nx87) << TOP);
	const uint16_t in_use = (uint16_t)(0xff00 >> r->nx87 & 0xff);
	struct error *err = write_register(t, th, "fstat", &status, sizeof(status));

	if (!err)
		err = write_register(t, th, "ftw", &in_use, sizeof(in_use));
	for (size_t i = 0; i < r->nx87 && !err; i++)
		err = write_register(t, th, names[i], r->x87[i], ABI_X87_BYTES);
	return err;
}

struct error *invoke_write_registers(struct target *t, struct thread *th,
				     const struct abi_result *r)
{
	static const char *const integers[] = { "rax", "rdx" };
	struct error *err = NULL;

	for (size_t i = 0; i < r->nintegers && !err; i++)
		err = write_register(t, th, integers[i], &r->integers[i], sizeof(r->integers[i]));
	for (size_t i = 0; i < r->nvectors && !err; i++)
		err = invoke_write_vector(t, th, i, r->vectors[i], r->wide);
	return err || !r->nx87 ? err : write_x87(t, th, r);
}
