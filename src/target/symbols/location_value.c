/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/location_value.h"

#include <dwarf.h>
#include <math.h>
#include <string.h>

static const char senseless[] = "its location makes no sense";

struct location_type location_type_of(uint64_t encoding, uint64_t size)
{
	struct location_type t = { LOCATION_STRANGE, (uint8_t)size };
	bool power = size == 1 || size == 2 || size == 4 || size == 8;

	switch (encoding) {
	case DW_ATE_float:
		t.encoding = size == 4 || size == 8 ? LOCATION_FLOAT : LOCATION_STRANGE;
		return t;
	case DW_ATE_signed:
	case DW_ATE_signed_char:
		t.encoding = power ? LOCATION_SIGNED : LOCATION_STRANGE;
		return t;
	case DW_ATE_address:
	case DW_ATE_boolean:
	case DW_ATE_unsigned:
	case DW_ATE_unsigned_char:
	case DW_ATE_UTF:
		t.encoding = power ? LOCATION_UNSIGNED : LOCATION_STRANGE;
		return t;
	default:
		return t;
	}
}

struct location_value location_value_of(struct location_type type, uint64_t bits)
{
	unsigned int above = type.size == 0 || type.size >= 8 ? 0 : 64 - 8u * type.size;

	bits <<= above;
	bits = type.encoding == LOCATION_SIGNED ? (uint64_t)((int64_t)bits >> above)
						: bits >> above;
	return (struct location_value){ type, bits };
}

/* ---- floating-point numbers ------------------------------------------------------------- */

static double number_of(struct location_value v)
{
	double wide;
	float narrow;
	uint32_t low = (uint32_t)v.bits;

	memcpy(&wide, &v.bits, sizeof(wide));
	memcpy(&narrow, &low, sizeof(narrow));
	return v.type.size == 4 ? (double)narrow : wide;
}

static struct location_value value_of_number(struct location_type type, double number)
{
	struct location_value v = { .type = type };
	float narrow = (float)number;

	if (type.size == 4)
		memcpy(&v.bits, &narrow, sizeof(narrow));
	else
		memcpy(&v.bits, &number, sizeof(number));
	return v;
}

/* What fits into no integer has no meaning there: 0. */
static uint64_t integer_of(double number)
{
	if (number >= -0x1p63 && number < 0x1p63)
		return (uint64_t)(int64_t)number;
	return number >= 0 && number < 0x1p64 ? (uint64_t)number : 0;
}

const char *location_convert(struct location_value v, struct location_type to,
			     struct location_value *ret)
{
	bool is_unsigned = v.type.encoding == LOCATION_UNSIGNED;

	if (to.encoding == LOCATION_STRANGE || v.type.encoding == LOCATION_STRANGE)
		return "its location reckons with a type that ompdb does not";
	if (v.type.encoding == LOCATION_FLOAT && to.encoding == LOCATION_FLOAT)
		*ret = value_of_number(to, number_of(v));
	else if (v.type.encoding == LOCATION_FLOAT)
		*ret = location_value_of(to, integer_of(number_of(v)));
	else if (to.encoding == LOCATION_FLOAT)
		*ret = value_of_number(to, is_unsigned ? (double)v.bits : (double)(int64_t)v.bits);
	else
		*ret = location_value_of(to, v.bits);
	return NULL;
}

static const char *float_binary(uint8_t atom, struct location_value v, struct location_value w,
				struct location_value *ret)
{
	double a = number_of(v), b = number_of(w);
	const bool compared[] = {
		[DW_OP_eq - DW_OP_eq] = a >= b && a <= b,
		[DW_OP_ge - DW_OP_eq] = a >= b,
		[DW_OP_gt - DW_OP_eq] = a > b,
		[DW_OP_le - DW_OP_eq] = a <= b,
		[DW_OP_lt - DW_OP_eq] = a < b,
		[DW_OP_ne - DW_OP_eq] = !(a >= b && a <= b),
	};

	if (atom >= DW_OP_eq && atom <= DW_OP_ne) {
		*ret = (struct location_value){ .bits = compared[atom - DW_OP_eq] };
		return NULL;
	}
	switch (atom) {
	case DW_OP_plus:
		*ret = value_of_number(v.type, a + b);
		return NULL;
	case DW_OP_minus:
		*ret = value_of_number(v.type, a - b);
		return NULL;
	case DW_OP_mul:
		*ret = value_of_number(v.type, a * b);
		return NULL;
	case DW_OP_div:
		*ret = value_of_number(v.type, a / b);
		return NULL;
	default:
		return senseless;
	}
}

/* ---- integers --------------------------------------------------------------------------- */

static uint64_t shift_signed(uint64_t a, uint64_t n)
{
	return (uint64_t)((int64_t)a >> (n < 63 ? n : 63));
}

static bool is_less(struct location_value a, struct location_value b)
{
	return a.type.encoding == LOCATION_UNSIGNED ? a.bits < b.bits
						    : (int64_t)a.bits < (int64_t)b.bits;
}

static const char *divide(uint8_t atom, struct location_value a, struct location_value b,
			  uint64_t *ret)
{
	bool is_signed = a.type.encoding == LOCATION_SIGNED ||
			 (a.type.encoding == LOCATION_GENERIC && atom == DW_OP_div);
	int64_t x = (int64_t)a.bits, y = (int64_t)b.bits;

	if (b.bits == 0)
		return "its location divides by zero";
	if (!is_signed)
		*ret = atom == DW_OP_mod ? a.bits % b.bits : a.bits / b.bits;
	else if (y == -1)
		*ret = atom == DW_OP_mod ? 0 : 0 - a.bits;
	else
		*ret = (uint64_t)(atom == DW_OP_mod ? x % y : x / y);
	return NULL;
}

/* Without the sign that extends it. */
static uint64_t bare(struct location_value v)
{
	v.type.encoding = v.type.encoding == LOCATION_SIGNED ? LOCATION_UNSIGNED : v.type.encoding;
	return location_value_of(v.type, v.bits).bits;
}

static const char *reckon(uint8_t atom, struct location_value a, struct location_value b,
			  uint64_t *ret)
{
	uint64_t n = b.bits;

	switch (atom) {
	case DW_OP_and:
		*ret = a.bits & n;
		return NULL;
	case DW_OP_or:
		*ret = a.bits | n;
		return NULL;
	case DW_OP_xor:
		*ret = a.bits ^ n;
		return NULL;
	case DW_OP_plus:
		*ret = a.bits + n;
		return NULL;
	case DW_OP_minus:
		*ret = a.bits - n;
		return NULL;
	case DW_OP_mul:
		*ret = a.bits * n;
		return NULL;
	case DW_OP_div:
	case DW_OP_mod:
		return divide(atom, a, b, ret);
	case DW_OP_shl:
		*ret = n < 64 ? a.bits << n : 0;
		return NULL;
	case DW_OP_shr:
		*ret = n < 64 ? bare(a) >> n : 0;
		return NULL;
	case DW_OP_shra:
		*ret = shift_signed(a.bits, n);
		return NULL;
	default:
		return senseless;
	}
}

static bool compare(uint8_t atom, struct location_value a, struct location_value b)
{
	bool equal = a.bits == b.bits, less = is_less(a, b);

	switch (atom) {
	case DW_OP_eq:
		return equal;
	case DW_OP_ne:
		return !equal;
	case DW_OP_lt:
		return less;
	case DW_OP_le:
		return less || equal;
	case DW_OP_gt:
		return !less && !equal;
	default:
		return !less;
	}
}

/* ---- both ------------------------------------------------------------------------------- */

const char *location_unary(uint8_t atom, struct location_value v, struct location_value *ret)
{
	bool is_float = v.type.encoding == LOCATION_FLOAT;
	double number = number_of(v);
	bool negative = v.type.encoding != LOCATION_UNSIGNED && (int64_t)v.bits < 0;

	if (is_float && atom == DW_OP_not)
		return senseless;
	if (is_float)
		*ret = value_of_number(v.type, atom == DW_OP_abs ? fabs(number) : -number);
	else if (atom == DW_OP_not)
		*ret = location_value_of(v.type, ~v.bits);
	else
		*ret = location_value_of(v.type,
					 atom == DW_OP_neg || negative ? 0 - v.bits : v.bits);
	return NULL;
}

/* Of what comes to the same in all integers that are wide enough. */
static bool is_of_any_width(uint8_t atom)
{
	return atom == DW_OP_plus || atom == DW_OP_minus || atom == DW_OP_mul ||
	       atom == DW_OP_and || atom == DW_OP_or || atom == DW_OP_xor;
}

static bool is_integer(struct location_type t)
{
	return t.encoding == LOCATION_SIGNED || t.encoding == LOCATION_UNSIGNED;
}

/*
 * clang (14 on) writes numbers without a type beside those that it has converted; both have the
 * width of the latter in the program: wherever it extends a number it says so.
 */
static void make_alike(uint8_t atom, struct location_value *a, struct location_value *b)
{
	if (!is_of_any_width(atom))
		return;
	if (a->type.encoding == LOCATION_GENERIC && is_integer(b->type))
		*a = location_value_of(b->type, a->bits);
	else if (b->type.encoding == LOCATION_GENERIC && is_integer(a->type))
		*b = location_value_of(a->type, b->bits);
}

const char *location_binary(uint8_t atom, struct location_value a, struct location_value b,
			    struct location_value *ret)
{
	uint64_t bits;
	const char *why;

	make_alike(atom, &a, &b);
	bool is_shift = atom == DW_OP_shl || atom == DW_OP_shr || atom == DW_OP_shra;
	if (!is_shift && (a.type.encoding != b.type.encoding || a.type.size != b.type.size))
		return senseless;
	if (a.type.encoding == LOCATION_FLOAT)
		return float_binary(atom, a, b, ret);
	if (atom >= DW_OP_eq && atom <= DW_OP_ne) {
		*ret = (struct location_value){ .bits = compare(atom, a, b) };
		return NULL;
	}
	why = reckon(atom, a, b, &bits);
	if (!why)
		*ret = location_value_of(a.type, bits);
	return why;
}
