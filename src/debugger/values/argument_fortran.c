/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/argument_fortran.h"

#include <ctype.h>
#include <string.h>

#include "debugger/values/fortran.h"
#include "target/symbols/type_dynamic.h"

enum { TEXT_MAX = 1 << 16, LENGTHS_MAX = 32 };

struct given {
	const struct passing *p;
	const struct type *function;
	uint64_t lengths[LENGTHS_MAX]; /* of texts, in their order */
	size_t nlengths, used;
};

/* ---- descriptors of arrays -------------------------------------------------------------- */

/* As libgfortran.h of GCC 8 and later has it: GFC_FULL_ARRAY_DESCRIPTOR. */
struct descriptor {
	uint64_t base;
	int64_t offset;
	uint64_t element;
	int32_t version;
	int8_t rank, type;
	int16_t attribute;
	uint64_t span;
	struct {
		int64_t stride, lower, upper;
	} dimensions[FORTRAN_RANK_MAX];
};

static int8_t type_code(const struct type *element)
{
	static const int8_t codes[TYPE_OTHER + 1] = {
		[TYPE_INT] = 1,    [TYPE_BOOL] = 2,  [TYPE_FLOAT] = 3, [TYPE_COMPLEX] = 4,
		[TYPE_STRUCT] = 5, [TYPE_ARRAY] = 6, [TYPE_CHAR] = 6,
	};

	return codes[type_strip(element)->kind];
}

static const struct type *element_of(const struct type *t)
{
	t = type_strip(t);
	while (t->kind == TYPE_ARRAY && !t->is_string && t->target)
		t = type_strip(t->target);
	return t;
}

static bool is_contiguous(const struct type *array)
{
	uint64_t size = type_size(element_of(array));

	for (size_t i = 0; i < fortran_rank(array); i++) {
		const struct type *d = fortran_dimension(array, i);
		if (d->count > 1 && type_stride(d) != (int64_t)size)
			return false;
		size *= d->count;
	}
	return true;
}

/* Where its first element is: in a variable, or in a copy. */
static struct error *find_elements(const struct given *g, const struct value *array, taddr *ret)
{
	if (array->missing)
		return value_missing(array);
	*ret = array->addr;
	return array->place == VALUE_MEMORY ? NULL : passing_keep_value(g->p, array, ret);
}

static struct error *pass_descriptor(const struct given *g, const struct value *array)
{
	const struct type *element = element_of(array->type);
	const uint64_t size = type_size(element);
	struct descriptor d = { .element = size,
				.rank = (int8_t)fortran_rank(array->type),
				.type = type_code(element),
				.span = size };
	taddr at;
	struct error *err = find_elements(g, array, &d.base);

	for (size_t i = 0; i < (size_t)d.rank && !err; i++) {
		const struct type *dimension = fortran_dimension(array->type, i);
		int64_t bytes = type_stride(dimension);
		if (!size || bytes % (int64_t)size)
			err = error_new(ERROR_UNSUPPORTED,
					"the elements of an array lie in parts of something else");
		else
			d.dimensions[i].stride = bytes / (int64_t)size;
		d.dimensions[i].lower = 1;
		d.dimensions[i].upper = (int64_t)dimension->count;
		d.offset -= d.dimensions[i].stride;
	}
	if (!err)
		err = passing_keep(g->p, &d, sizeof(d), &at);
	if (!err)
		abi_pass_integer(g->p->call, at);
	return err;
}

/* ---- arguments -------------------------------------------------------------------------- */

static struct error *does_not_fit(const char *what)
{
	return error_new(ERROR_USAGE, "an argument cannot be passed: its parameter is %s", what);
}

static struct error *pass_array(const struct given *g, const struct value *v, const struct type *to)
{
	const struct type *element = element_of(to);
	bool described = to->dynamic && to->dynamic->data.kind != PROPERTY_NONE;
	taddr at;

	if (described && (to->is_allocatable || to->is_pointer))
		return does_not_fit("allocatable or a pointer, which cannot be told from a copy");
	if (type_code(element) != type_code(element_of(v->type)) ||
	    (type_size(element) != type_size(element_of(v->type)) && !type_is_string(element)))
		return does_not_fit("an array of another type");
	if (described)
		return fortran_rank(v->type) == fortran_rank(to)
			       ? pass_descriptor(g, v)
			       : does_not_fit("an array of another rank");
	if (fortran_rank(v->type) && !is_contiguous(v->type))
		return does_not_fit("an array without gaps");
	struct error *err = find_elements(g, v, &at);
	if (!err)
		abi_pass_integer(g->p->call, at);
	return err;
}

/* Shorter ones than the parameter are filled with blanks. */
static struct error *pass_text(const struct given *g, const struct value *v, const struct type *to)
{
	struct value text = *v;
	struct error *err = NULL;
	taddr at;

	if (!type_is_string(v->type))
		return does_not_fit("a text");
	if (!type_is_dynamic(to) && type_size(to) > type_size(v->type))
		err = fortran_convert(g->p->scope, v, to, &text);
	if (!err)
		err = find_elements(g, &text, &at);
	if (!err)
		abi_pass_integer(g->p->call, at);
	return err;
}

struct table {
	taddr at;
};

static bool note_table(void *context, const struct symbol *symbol)
{
	struct table *table = context;

	table->at = symbol->addr;
	return false;
}

/* "__class_module_Type_t" has its table in "__module_MOD___vtab_module_Type". */
static taddr find_table(const struct scope *s, const char *class)
{
	static const char before[] = "__class_";
	struct table table = { 0 };
	size_t len = strlen(class);

	if (strncmp(class, before, strlen(before)) || len < strlen(before) + 2)
		return 0;
	const char *type = class + strlen(before);
	int all = (int)(len - strlen(before) - strlen("_t"));
	for (int i = 1; i < all && !table.at; i++) {
		AUTO_BUF name = { 0 };
		if (type[i] != '_')
			continue;
		buf_addf(&name, "__%.*s_MOD___vtab_%.*s", i, type, all, type);
		symbol_find(s->session->symbols, buf_text(&name), note_table, &table);
	}
	return table.at;
}

/* CLASS(type): where the object is, and the table of its type. false: it is none. */
static bool pass_class(const struct given *g, const struct value *v, const struct type *to,
		       struct error **ret)
{
	size_t n;
	const struct type_member *members = type_members(to, &n);
	taddr parts[2] = { 0 }, at;

	if (!to->name || strncmp(to->name, "__class_", strlen("__class_")) || n < 2 ||
	    type_strip(members[0].type)->kind != TYPE_POINTER)
		return false;
	const struct type *object = type_strip(members[0].type)->target;
	parts[1] = find_table(g->p->scope, to->name);
	if (!object || !parts[1] || !passing_is_same(object, v->type)) {
		*ret = does_not_fit("of a CLASS that this is none of, as far as is known");
		return true;
	}
	*ret = find_elements(g, v, &parts[0]);
	if (!*ret)
		*ret = passing_keep(g->p, parts, sizeof(parts), &at);
	if (!*ret)
		abi_pass_integer(g->p->call, at);
	return true;
}

static bool is_same_number(const struct type *a, const struct type *b)
{
	a = type_strip(a);
	b = type_strip(b);
	return (type_is_scalar(a) || a->kind == TYPE_COMPLEX) && a->kind == b->kind &&
	       a->size == b->size && a->is_signed == b->is_signed;
}

/* A variable of another type is converted as if it were an expression. */
static struct error *pass_scalar(const struct given *g, const struct value *v,
				 const struct type *to)
{
	struct value converted = *v;
	struct error *err = NULL;
	taddr at;

	if (type_is_pointer(to))
		return does_not_fit("a pointer or allocatable, which cannot be told from a copy");
	if (fortran_rank(v->type))
		return does_not_fit("no array");
	if (type_is_struct(to) && pass_class(g, v, to, &err))
		return err;
	bool same = is_same_number(v->type, to) || passing_is_same(v->type, to);
	if (!same && (type_is_struct(to) || type_is_struct(v->type) || type_is_string(v->type)))
		return does_not_fit("of another type");
	if (!same)
		err = fortran_convert(g->p->scope, v, to, &converted);
	if (!err)
		err = find_elements(g, &converted, &at);
	if (!err)
		abi_pass_integer(g->p->call, at);
	return err;
}

static struct error *pass_value(const struct given *g, const struct value *v, const struct type *to)
{
	struct value converted = *v;
	bool number = type_is_scalar(to) && !type_is_pointer(to);
	struct error *err = number || type_strip(to)->kind == TYPE_COMPLEX
				    ? fortran_convert(g->p->scope, v, to, &converted)
				    : NULL;

	return err ? err : argument_pass(g->p, &converted, to);
}

static struct error *pass_written(struct given *g, const struct value *from, size_t i)
{
	const struct type *to = type_strip(g->function->parameters[i]);
	struct value v = *from;
	struct error *err = fortran_settle(g->p->scope, &v);

	if (!err && g->function->passed[i] == PASSED_UNKNOWN)
		err = error_new(ERROR_UNSUPPORTED,
				"an argument cannot be passed: whether its parameter is a VALUE is "
				"not known, for that is optimized out");
	if (err)
		return err;
	if (type_is_string(element_of(to)) && g->nlengths < LENGTHS_MAX)
		g->lengths[g->nlengths++] = type_size(element_of(v.type));
	if (g->function->passed[i] == PASSED_VALUE)
		return pass_value(g, &v, to);
	if (type_is_string(to))
		return pass_text(g, &v, to);
	return to->kind == TYPE_ARRAY ? pass_array(g, &v, to) : pass_scalar(g, &v, to);
}

/* ---- what nobody writes ----------------------------------------------------------------- */

/* Behind the arguments: whether optional ones are there, how long texts are. */
static void pass_hidden(struct given *g, size_t i)
{
	bool present = type_strip(g->function->parameters[i])->kind == TYPE_BOOL;

	abi_pass_integer(g->p->call, present                 ? 1
				     : g->used < g->nlengths ? g->lengths[g->used++]
							     : 0);
}

/* In front of them: room for a text, and its length; a descriptor that the function fills. */
static struct error *pass_result(struct given *g, struct argument_result *ret)
{
	static const struct descriptor nothing;
	static const uint8_t blanks[TEXT_MAX];
	const struct type *own = type_strip(g->function->parameters[0]);
	const struct type *t =
		own->kind == TYPE_REFERENCE && own->target ? type_strip(own->target) : own;
	taddr at = 0;
	struct error *err;

	if (type_is_string(t) && !type_is_dynamic(t) && type_size(t) && type_size(t) <= TEXT_MAX) {
		err = passing_keep(g->p, blanks, type_size(t), &ret->at);
		at = ret->at;
	} else if (t->kind == TYPE_ARRAY && t->is_allocatable && !t->is_string) {
		err = passing_keep(g->p, &nothing, sizeof(nothing), &at);
		/* What describes the result is found through the parameter, which is a pointer. */
		if (!err)
			err = passing_keep(g->p, &at, sizeof(at), &ret->at);
	} else {
		return error_new(ERROR_UNSUPPORTED,
				 "it returns what its caller has to know the size of, which "
				 "depends on the call: a subroutine can be called that assigns "
				 "it to a variable");
	}
	if (err)
		return err;
	ret->type = t;
	abi_pass_integer(g->p->call, at);
	if (type_is_string(t))
		abi_pass_integer(g->p->call, type_size(t));
	return NULL;
}

/* ---- all of it -------------------------------------------------------------------------- */

size_t argument_fortran_count(const struct type *function)
{
	size_t n = 0;

	for (size_t i = 0; i < function->nparameters; i++)
		n += function->passed[i] != PASSED_HIDDEN;
	return n;
}

/* "__result", with which a function begins that does not return it as C does. */
static bool has_result(const struct type *function)
{
	return function->nparameters && function->passed[0] == PASSED_HIDDEN && !function->target;
}

struct error *argument_fortran_pass(const struct passing *p, const struct type *function,
				    const struct value *args, struct argument_result *ret)
{
	struct given g = { .p = p, .function = function };
	struct argument_result result = { 0 };
	struct error *err = has_result(function) ? pass_result(&g, &result) : NULL;
	size_t done = 0, i = 0;

	/* It and its length have been passed. */
	while (result.type && i < function->nparameters && function->passed[i] == PASSED_HIDDEN)
		i++;
	for (; i < function->nparameters && !err; i++) {
		if (function->passed[i] == PASSED_HIDDEN)
			pass_hidden(&g, i);
		else
			err = pass_written(&g, &args[done++], i);
	}
	if (!err)
		*ret = result;
	return err;
}
