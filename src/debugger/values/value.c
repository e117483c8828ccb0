/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/value.h"

#include <limits.h>
#include <string.h>

#include "base/half.h"

struct location_frame value_frame(const struct scope *s)
{
	return (struct location_frame){
		.target = s->session->target,
		.thread = s->thread,
		.pc = s->pc,
		.cfa = s->cfa,
		.registers = s->thread ? s->registers : NULL,
		.known = s->known,
		.at_entry = value_passed,
		.entry_context = (void *)s,
	};
}

/* ---- where values are ------------------------------------------------------------------- */

/* An array whose shape is known now. */
static void resolve(const struct scope *s, struct value *v)
{
	const struct location_frame f = value_frame(s);
	struct type_resolved resolved;

	variables_resolve(s->session->variables, v->type, v->addr, scope_lookup_pc(s), &f,
			  &resolved);
	v->type = resolved.type;
	v->addr = resolved.addr;
	v->missing = resolved.missing;
}

void value_note_cell(const struct scope *s, const struct type *type, taddr addr, uint64_t size)
{
	const struct scope_cell made = { addr, size, type_strip(type)->kind == TYPE_REFERENCE };

	/* Without memory one is missing: what is made of too many is refused in any case. */
	if (s->cells && !vec_push(s->cells, made))
		return;
}

const char value_unreadable[] = "it cannot be read";

struct error *value_no_access(taddr addr)
{
	return error_new(ERROR_NO_ADDRESS, "cannot access memory at address 0x%" PRIx64, addr);
}

static struct error *cannot_read(const struct scope *s, struct value *v)
{
	memset(v->bytes, 0, sizeof(v->bytes));
	v->missing = s->asks == SCOPE_PLACES ? value_unreadable : NULL;
	return s->asks == SCOPE_VALUES ? value_no_access(v->addr) : NULL;
}

struct error *value_read(const struct scope *s, const struct type *type, taddr addr,
			 struct value *ret)
{
	struct value v = { .type = type, .place = VALUE_MEMORY, .addr = addr };

	if (!s->session)
		return value_no_access(addr);
	if (type_is_dynamic(type))
		resolve(s, &v);
	type = v.type;
	addr = v.addr;
	enum type_kind kind = type_strip(type)->kind;
	if (v.missing) {
		*ret = v;
		return NULL;
	}
	if (kind == TYPE_VOID)
		return error_new(ERROR_USAGE, "attempt to take contents of a non-pointer value");
	if (kind != TYPE_FUNCTION && kind != TYPE_ARRAY) {
		v.size = type_size(type) < VALUE_BYTES_MAX ? type_size(type) : VALUE_BYTES_MAX;
		struct error *err = target_examine(s->session->target, addr, v.bytes, v.size);
		if (error_is(err, ERROR_NO_ADDRESS)) {
			error_ignore(err);
			err = cannot_read(s, &v);
		}
		if (err)
			return err;
	}
	if (type_is_scalar(type))
		value_note_cell(s, type, addr, type_size(type));
	*ret = v;
	return NULL;
}

void value_set_nothing(struct value *v)
{
	*v = (struct value){ .type = v->type,
			     .place = VALUE_MEMORY,
			     .size = type_size(v->type),
			     .bit_size = v->bit_size };
	v->size = v->size < VALUE_BYTES_MAX ? v->size : VALUE_BYTES_MAX;
}

/* ---- numbers ---------------------------------------------------------------------------- */

struct value value_of_int(const struct type *type, uint64_t n)
{
	struct value v = { .type = type, .size = type_size(type) };

	if (v.size > sizeof(n))
		v.size = sizeof(n);
	memcpy(v.bytes, &n, v.size);
	return v;
}

struct value value_of_float(const struct type *type, __float128 real)
{
	struct value v = { .type = type, .size = type_size(type) };
	uint16_t half = v.size == sizeof(half) ? half_of((float)real) : 0;
	float single = (float)real;
	double twice = (double)real;
	long double extended = (long double)real;

	if (v.size == sizeof(half))
		memcpy(v.bytes, &half, sizeof(half));
	else if (v.size == sizeof(single))
		memcpy(v.bytes, &single, sizeof(single));
	else if (v.size == sizeof(twice))
		memcpy(v.bytes, &twice, sizeof(twice));
	else if (type_strip(type)->is_quad)
		memcpy(v.bytes, &real, sizeof(real));
	else
		memcpy(v.bytes, &extended, 10); /* the other six bytes are filling */
	return v;
}

/* As far as it can be held: a number of C that does not fit has no meaning there. */
static unsigned __int128 whole(__float128 real)
{
	if (!(real > -0x1p127L && real < 0x1p127L))
		return 0;
	return (unsigned __int128)(__int128)real;
}

struct value value_of_number(const struct type *type, const struct number *n)
{
	const struct type *t = type_strip(type);
	unsigned __int128 bits = n->is_float ? whole(n->real) : n->bits;

	if (t->kind == TYPE_FLOAT) {
		bool negative = !n->is_float && n->type->is_signed && (__int128)n->bits < 0;
		__float128 real = negative ? (__float128)(__int128)n->bits : (__float128)n->bits;
		return value_of_float(type, n->is_float ? n->real : real);
	}
	if (t->kind == TYPE_BOOL)
		bits = value_is_true(n);
	struct value v = { .type = type, .size = t->size };
	if (v.size > sizeof(bits))
		v.size = sizeof(bits);
	memcpy(v.bytes, &bits, v.size);
	return v;
}

static struct error *read_float(const struct value *v, struct number *ret)
{
	uint16_t half;
	float single;
	double twice;
	long double extended = 0;

	ret->is_float = true;
	if (v->size == sizeof(half)) {
		memcpy(&half, v->bytes, sizeof(half));
		ret->real = half_value(half);
	} else if (v->size == sizeof(single)) {
		memcpy(&single, v->bytes, sizeof(single));
		ret->real = single;
	} else if (v->size == sizeof(twice)) {
		memcpy(&twice, v->bytes, sizeof(twice));
		ret->real = twice;
	} else if (ret->type->is_quad) {
		memcpy(&ret->real, v->bytes, sizeof(ret->real));
	} else {
		memcpy(&extended, v->bytes, 10);
		ret->real = extended;
	}
	return NULL;
}

struct error *value_not_available(const char *why)
{
	static const char begins[] = "not available: ";
	const size_t len = strncmp(why, begins, strlen(begins)) ? 0 : strlen(begins);

	return error_new(ERROR_USAGE, "value is not available: %s", why + len);
}

struct error *value_missing(const struct value *v)
{
	if (!strcmp(v->missing, "optimized out"))
		return error_new(ERROR_USAGE, "value has been optimized out");
	if (v->missing == value_unreadable)
		return value_no_access(v->addr);
	return value_not_available(v->missing);
}

/* C11, 6.3.1.1: an int, if that holds all of them. */
const struct type *value_bits_type(const struct type *t, unsigned int bits)
{
	t = type_strip(t);
	if (bits > 8 * type_int.size)
		return t;
	return t->is_signed || bits < 8 * type_int.size ? &type_int : &type_unsigned_int;
}

/* What a number of that value is for C. */
static const struct type *type_of_number(const struct value *v, const struct number *n)
{
	if (v->is_enumerator && n->bits <= INT_MAX)
		return &type_int;
	return v->bit_size ? value_bits_type(n->type, v->bit_size) : n->type;
}

/* What C takes for its address where a number is wanted, and Fortran does not. */
static bool is_place(const struct type *t)
{
	return (t->kind == TYPE_ARRAY && !t->is_vector) || t->kind == TYPE_FUNCTION;
}

struct error *value_number(const struct value *v, struct number *ret)
{
	struct number n = { .type = type_strip(v->type) };

	if (v->missing)
		return value_missing(v);
	if (is_place(n.type) && !n.type->is_fortran) {
		n.bits = v->addr;
		n.type = &type_unsigned_long;
		if (v->place != VALUE_MEMORY)
			return error_new(ERROR_USAGE, "attempt to take address of value not "
						      "located in memory");
	} else if (!type_is_scalar(n.type)) {
		return error_new(ERROR_USAGE, "argument to arithmetic operation not a number or "
					      "boolean");
	} else if (n.type->kind == TYPE_FLOAT) {
		*ret = n;
		return read_float(v, ret);
	} else {
		memcpy(&n.bits, v->bytes, v->size < 16 ? v->size : 16);
		unsigned int unused = 128 - 8 * (unsigned int)(v->size < 16 ? v->size : 16);
		if (n.type->is_signed && unused && unused < 128)
			n.bits = (unsigned __int128)((__int128)(n.bits << unused) >> unused);
		n.type = type_of_number(v, &n);
	}
	*ret = n;
	return NULL;
}

struct error *value_address(const struct value *v, taddr *ret)
{
	struct number n;

	if (!v->missing && is_place(type_strip(v->type)) && v->place == VALUE_MEMORY) {
		*ret = v->addr;
		return NULL;
	}
	struct error *err = value_number(v, &n);
	if (err)
		return err;
	*ret = n.is_float ? (taddr)whole(n.real) : (taddr)n.bits;
	return NULL;
}

bool value_is_true(const struct number *n)
{
	return n->is_float ? n->real != 0 : n->bits != 0;
}
