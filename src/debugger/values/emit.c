/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/emit.h"

#include <string.h>

#include "debugger/values/arithmetic.h"
#include "debugger/values/reach.h"

struct error *emit_cannot(const char *what)
{
	return error_new(ERROR_UNSUPPORTED, "a condition cannot use %s", what);
}

void emit_real(struct buf *out, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	opcode_add_constant(out, bits);
}

/* ---- types ------------------------------------------------------------------------------ */

bool emit_is_integer(const struct type *t)
{
	t = type_strip(t);
	return (type_is_integer(t) || t->kind == TYPE_POINTER || t->kind == TYPE_REFERENCE) &&
	       (t->size == 1 || t->size == 2 || t->size == 4 || t->size == 8);
}

bool emit_is_float(const struct type *t)
{
	t = type_strip(t);
	return t->kind == TYPE_FLOAT && (t->size == 4 || t->size == 8);
}

void emit_fit(struct buf *out, const struct type *t)
{
	t = type_strip(t);
	if (t->kind == TYPE_BOOL) {
		opcode_add(out, CONDITION_NOT);
		opcode_add(out, CONDITION_NOT);
	} else if (t->size < 8) {
		opcode_add_byte(out, t->is_signed ? CONDITION_SIGNED : CONDITION_CUT,
				(uint8_t)t->size);
	}
}

struct error *emit_convert(struct buf *out, const struct type *from, const struct type *to)
{
	from = type_strip(from);
	to = type_strip(to);
	if (emit_is_float(from) && emit_is_float(to)) {
		if (to->size < from->size)
			opcode_add(out, CONDITION_NARROW);
	} else if (emit_is_float(from) && emit_is_integer(to)) {
		if (to->kind == TYPE_BOOL || (to->size == 8 && !to->is_signed))
			return emit_cannot("casts of floating-point numbers to such a type");
		opcode_add(out, CONDITION_TO_SIGNED);
		emit_fit(out, to);
	} else if (emit_is_integer(from) && emit_is_float(to)) {
		/* What is rounded twice may be another number. */
		if (from->size == 8 && to->size == 4)
			return emit_cannot("a long as a float");
		opcode_add(out, from->is_signed ? CONDITION_OF_SIGNED : CONDITION_OF_UNSIGNED);
		if (to->size == 4)
			opcode_add(out, CONDITION_NARROW);
	} else if (emit_is_integer(from) && emit_is_integer(to)) {
		emit_fit(out, to);
	} else {
		return emit_cannot("casts to what is no number or pointer");
	}
	return NULL;
}

void emit_load(struct buf *out, const struct type *t)
{
	t = type_strip(t);
	opcode_add_byte(out, CONDITION_LOAD, (uint8_t)t->size);
	if (t->kind == TYPE_FLOAT && t->size == 4)
		opcode_add(out, CONDITION_WIDEN);
	else if (t->kind != TYPE_FLOAT && t->is_signed && t->size < 8)
		opcode_add_byte(out, CONDITION_SIGNED, (uint8_t)t->size);
}

/* Bytes one by one: those that are read beyond it may not be there. */
void emit_load_bits(struct buf *out, const struct type *t, unsigned int from, unsigned int count)
{
	unsigned int bytes = (from + count + 7) / 8;

	for (unsigned int i = 0; i < bytes; i++) {
		if (i + 1 < bytes)
			opcode_add(out, CONDITION_DUPLICATE);
		opcode_add_constant(out, i);
		opcode_add(out, CONDITION_ADD);
		opcode_add_byte(out, CONDITION_LOAD, 1);
		opcode_add_constant(out, 8ul * i);
		opcode_add(out, CONDITION_SHIFT_LEFT);
		if (i + 1 < bytes) /* the address on top again, above what is there so far */
			opcode_add(out, CONDITION_SWAP);
	}
	for (unsigned int i = 1; i < bytes; i++)
		opcode_add(out, CONDITION_OR);
	opcode_add_constant(out, 64 - from - count);
	opcode_add(out, CONDITION_SHIFT_LEFT);
	opcode_add_constant(out, 64 - count);
	opcode_add(out, type_strip(t)->is_signed ? CONDITION_SHIFT_SIGNED : CONDITION_SHIFT_RIGHT);
}

void emit_scale(struct buf *out, uint64_t by)
{
	if (by == 1)
		return;
	opcode_add_constant(out, by);
	opcode_add(out, CONDITION_MULTIPLY);
}

/* ---- operators -------------------------------------------------------------------------- */

void emit_truth(struct buf *out, const struct type *t)
{
	if (emit_is_float(t)) {
		emit_real(out, 0);
		opcode_add(out, CONDITION_FLOAT_EQUAL);
	} else {
		opcode_add(out, CONDITION_NOT);
	}
	opcode_add(out, CONDITION_NOT);
}

static const struct {
	enum expr_op op;
	enum condition_op with_sign, without, of_floats; /* END: it is not for those */
	bool swapped, inverted;
} operators[] = {
	{ EXPR_PLUS, CONDITION_ADD, CONDITION_ADD, CONDITION_FLOAT_ADD, false, false },
	{ EXPR_MINUS, CONDITION_SUBTRACT, CONDITION_SUBTRACT, CONDITION_FLOAT_SUBTRACT, false,
	  false },
	{ EXPR_TIMES, CONDITION_MULTIPLY, CONDITION_MULTIPLY, CONDITION_FLOAT_MULTIPLY, false,
	  false },
	{ EXPR_DIVIDE, CONDITION_DIVIDE, CONDITION_DIVIDE_U, CONDITION_FLOAT_DIVIDE, false, false },
	{ EXPR_REST, CONDITION_REST, CONDITION_REST_U, CONDITION_END, false, false },
	{ EXPR_AND, CONDITION_AND, CONDITION_AND, CONDITION_END, false, false },
	{ EXPR_OR, CONDITION_OR, CONDITION_OR, CONDITION_END, false, false },
	{ EXPR_XOR, CONDITION_XOR, CONDITION_XOR, CONDITION_END, false, false },
	{ EXPR_EQUAL, CONDITION_EQUAL, CONDITION_EQUAL, CONDITION_FLOAT_EQUAL, false, false },
	{ EXPR_NOT_EQUAL, CONDITION_EQUAL, CONDITION_EQUAL, CONDITION_FLOAT_EQUAL, false, true },
	{ EXPR_LESS, CONDITION_LESS, CONDITION_LESS_U, CONDITION_FLOAT_LESS, false, false },
	{ EXPR_LESS_OR_EQUAL, CONDITION_LESS_OR_EQUAL, CONDITION_LESS_OR_EQUAL_U,
	  CONDITION_FLOAT_LESS_OR_EQUAL, false, false },
	{ EXPR_GREATER, CONDITION_LESS, CONDITION_LESS_U, CONDITION_FLOAT_LESS, true, false },
	{ EXPR_GREATER_OR_EQUAL, CONDITION_LESS_OR_EQUAL, CONDITION_LESS_OR_EQUAL_U,
	  CONDITION_FLOAT_LESS_OR_EQUAL, true, false },
};

/* Both become numbers of one type. */
static struct error *convert_both(struct buf *out, const struct type *a, const struct type *b,
				  const struct type *t)
{
	struct error *err = NULL;

	if (emit_is_float(t)) {
		err = emit_convert(out, b, t);
		opcode_add(out, CONDITION_SWAP);
		if (!err)
			err = emit_convert(out, a, t);
		opcode_add(out, CONDITION_SWAP);
	} else if (t->size < 8 && !t->is_signed) { /* -1 and 1u: what has no sign decides */
		emit_fit(out, t);
		opcode_add(out, CONDITION_SWAP);
		emit_fit(out, t);
		opcode_add(out, CONDITION_SWAP);
	}
	return err;
}

static struct error *combine(struct buf *out, enum expr_op op, const struct type *a,
			     const struct type *b, const struct type **ret)
{
	const struct type *a_number = a->kind == TYPE_POINTER ? &type_unsigned_long : a;
	const struct type *b_number = b->kind == TYPE_POINTER ? &type_unsigned_long : b;
	const struct type *t = arithmetic_type(a_number, b_number);
	bool compares = op >= EXPR_EQUAL && op <= EXPR_GREATER_OR_EQUAL, real = emit_is_float(t);
	struct error *err = convert_both(out, a_number, b_number, t);

	for (size_t i = 0; !err && i < sizeof(operators) / sizeof(*operators); i++) {
		if (operators[i].op != op || (real && operators[i].of_floats == CONDITION_END))
			continue;
		if (operators[i].swapped)
			opcode_add(out, CONDITION_SWAP);
		opcode_add(out, real           ? operators[i].of_floats
				: t->is_signed ? operators[i].with_sign
					       : operators[i].without);
		if (operators[i].inverted)
			opcode_add(out, CONDITION_NOT);
		if (real && !compares && t->size == 4)
			opcode_add(out, CONDITION_NARROW);
		else if (!real && !compares)
			emit_fit(out, t);
		*ret = compares ? &type_int : t;
		return NULL;
	}
	return err ? err : emit_cannot("that operator");
}

/* p + 1, p - q. true: it was one of those. */
static bool combine_pointers(struct buf *out, enum expr_op op, const struct type *a,
			     const struct type *b, const struct type **ret)
{
	bool left = a->kind == TYPE_POINTER, right = b->kind == TYPE_POINTER;

	if ((op != EXPR_PLUS && op != EXPR_MINUS) || (!left && !right) ||
	    (right && !left && op == EXPR_MINUS) || (left && right && op == EXPR_PLUS))
		return false;
	if (left && right) {
		opcode_add(out, CONDITION_SUBTRACT);
		opcode_add_constant(out, reach_step(a));
		opcode_add(out, CONDITION_DIVIDE);
		*ret = &type_long;
		return true;
	}
	if (right)
		opcode_add(out, CONDITION_SWAP);
	emit_scale(out, reach_step(left ? a : b));
	opcode_add(out, op == EXPR_PLUS ? CONDITION_ADD : CONDITION_SUBTRACT);
	*ret = left ? a : b;
	return true;
}

static struct error *shift(struct buf *out, enum expr_op op, const struct type *a,
			   const struct type *b, const struct type **ret)
{
	const struct type *t = arithmetic_type(a, a);

	if (emit_is_float(a) || emit_is_float(b))
		return emit_cannot("that operator");
	opcode_add(out, op == EXPR_SHIFT_LEFT ? CONDITION_SHIFT_LEFT
			: t->is_signed        ? CONDITION_SHIFT_SIGNED
					      : CONDITION_SHIFT_RIGHT);
	emit_fit(out, t);
	*ret = t;
	return NULL;
}

struct error *emit_binary(struct buf *out, enum expr_op op, const struct type *a,
			  const struct type *b, const struct type **ret)
{
	a = type_strip(a);
	b = type_strip(b);
	if (op == EXPR_SHIFT_LEFT || op == EXPR_SHIFT_RIGHT)
		return shift(out, op, a, b, ret);
	return combine_pointers(out, op, a, b, ret) ? NULL : combine(out, op, a, b, ret);
}

struct error *emit_unary(struct buf *out, enum expr_op op, const struct type *a,
			 const struct type **ret)
{
	*ret = &type_int;
	if (op == EXPR_NOT) {
		emit_truth(out, a);
		opcode_add(out, CONDITION_NOT);
		return NULL;
	}
	*ret = arithmetic_type(a, a);
	if (emit_is_float(a)) {
		if (op == EXPR_INVERT)
			return emit_cannot("that operator");
		if (op == EXPR_NEGATE) {
			opcode_add_constant(out, (uint64_t)1 << 63);
			opcode_add(out, CONDITION_XOR);
		}
		return NULL;
	}
	if (op != EXPR_SAME)
		opcode_add(out, op == EXPR_NEGATE ? CONDITION_NEGATE : CONDITION_INVERT);
	emit_fit(out, *ret);
	return NULL;
}
