/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/compile.h"

#include <string.h>

#include "debugger/values/arithmetic.h"
#include "debugger/values/lookup.h"
#include "debugger/values/registers.h"
#include "target/process/condition.h"

struct compiler {
	const struct scope *scope;
	struct location_cfa cfa;
	struct buf *out;
};

/* What an expression leaves on the stack: a number, extended to 64 bits as its type says. */
struct result {
	const struct type *type; /* stripped; never an array or a function */
};

static struct error *compile(struct compiler *k, const struct expr *e, struct result *ret);

static struct error *cannot(const char *what)
{
	return error_new(ERROR_UNSUPPORTED, "a condition cannot use %s", what);
}

/* ---- pieces ----------------------------------------------------------------------------- */

static void add_op(struct compiler *k, enum condition_op op)
{
	buf_addc(k->out, (char)op);
}

static void add_byte(struct compiler *k, enum condition_op op, uint8_t operand)
{
	buf_addc(k->out, (char)op);
	buf_addc(k->out, (char)operand);
}

static void add_constant(struct compiler *k, uint64_t value)
{
	add_op(k, CONDITION_CONST);
	for (size_t i = 0; i < 8; i++)
		buf_addc(k->out, (char)(value >> (8 * i)));
}

/* A jump whose goal is not known yet. Returns where that has to be written. */
static size_t add_jump(struct compiler *k, enum condition_op op)
{
	add_op(k, op);
	buf_add(k->out, "\0", 2);
	return k->out->len - 2;
}

static void land(struct compiler *k, size_t jump)
{
	if (!buf_ok(k->out))
		return;
	k->out->data[jump] = (char)k->out->len;
	k->out->data[jump + 1] = (char)(k->out->len >> 8);
}

static bool is_number(const struct type *t)
{
	t = type_strip(t);
	return (type_is_integer(t) || t->kind == TYPE_POINTER) &&
	       (t->size == 1 || t->size == 2 || t->size == 4 || t->size == 8);
}

/* Makes the number on top one of that type. */
static void fit(struct compiler *k, const struct type *t)
{
	if (t->kind == TYPE_BOOL) {
		add_op(k, CONDITION_NOT);
		add_op(k, CONDITION_NOT);
	} else if (t->size < 8) {
		add_byte(k, t->is_signed ? CONDITION_SIGNED : CONDITION_CUT, (uint8_t)t->size);
	}
}

/* The address on top becomes what is there. Arrays and functions are their address. */
static struct error *load(struct compiler *k, const struct type *type, struct result *ret)
{
	const struct type *t = type_strip(type);

	if (t->is_fortran && (t->kind == TYPE_ARRAY || t->kind == TYPE_POINTER))
		return cannot("arrays and pointers of Fortran");
	if (t->target && type_is_dynamic(t->target))
		return cannot("arrays whose shape is known at run time only");
	if (t->kind == TYPE_ARRAY || t->kind == TYPE_FUNCTION) {
		ret->type = type_pointer_to(lookup_types(k->scope),
					    t->kind == TYPE_ARRAY ? t->target : type);
		return ret->type ? NULL : &error_nomem;
	}
	if (!is_number(t))
		return cannot("values that are no integers or pointers");
	add_byte(k, CONDITION_LOAD, (uint8_t)t->size);
	if (t->is_signed && t->size < 8)
		add_byte(k, CONDITION_SIGNED, (uint8_t)t->size);
	ret->type = t;
	return NULL;
}

static uint64_t step_of(const struct type *pointer)
{
	uint64_t size = pointer->target ? type_size(pointer->target) : 1;

	return size ? size : 1;
}

/* ---- operands --------------------------------------------------------------------------- */

static struct error *compile_number(struct compiler *k, const struct expr *e, struct result *ret)
{
	ret->type = e->type;
	add_constant(k, e->number);
	return NULL;
}

/* Where a variable is, or what it holds. */
static struct error *compile_place(struct compiler *k, const struct variable *v,
				   enum location_kind *ret_kind)
{
	struct session *s = k->scope->session;

	return variables_compile(s->variables, v, s->target, &k->cfa, k->out, ret_kind);
}

static struct error *compile_variable(struct compiler *k, const struct variable *v,
				      struct result *ret)
{
	const struct type *t = type_strip(v->type ? v->type : &type_void);
	enum location_kind kind = LOCATION_MISSING;

	struct error *err = compile_place(k, v, &kind);
	if (err)
		return err;
	if (kind == LOCATION_MEMORY)
		return load(k, t, ret);
	if (!is_number(t))
		return cannot("values that are no integers or pointers");
	fit(k, t);
	ret->type = t;
	return NULL;
}

static struct error *compile_name(struct compiler *k, const struct expr *e, struct result *ret)
{
	struct variable variable;
	struct value v;

	if (lookup_variable(k->scope, e->file, e->text, &variable))
		return compile_variable(k, &variable, ret);
	if (!e->file && lookup_is_outer(k->scope, e->text))
		return cannot("variables of the function around");
	struct error *err = lookup_name(k->scope, e->file, e->text, &v);
	if (err)
		return err;
	if (v.type == &type_data_symbol)
		return error_new(ERROR_USAGE, "'%s' has unknown type; cast it to its declared type",
				 e->text);
	taddr n;
	err = value_address(&v, &n);
	if (err)
		return err;
	add_constant(k, n);
	ret->type = v.place == VALUE_MEMORY ? &type_code_pointer : type_strip(v.type);
	return NULL;
}

static struct error *compile_dollar(struct compiler *k, const struct expr *e, struct result *ret)
{
	const struct register_view *r = register_find(e->text + 1);
	const struct arch *arch = k->scope->session->target->arch;
	const struct reg *row = r ? arch_find_reg(arch, r->row) : NULL;

	if (!row || !is_number(r->type))
		return cannot(
			"variables of the debugger, or registers other than the general ones");
	ret->type = type_strip(r->type);
	if (row == arch->pc) {
		add_op(k, CONDITION_PC);
		return NULL;
	}
	int index = row->dwarf < 0 ? -1 : location_code_reg(arch, (uint64_t)row->dwarf);
	if (index < 0)
		return cannot("registers other than the general ones");
	add_byte(k, CONDITION_REGISTER, (uint8_t)index);
	if (r->offset) {
		add_constant(k, 8u * r->offset);
		add_op(k, CONDITION_SHIFT_RIGHT);
	}
	fit(k, ret->type);
	return NULL;
}

/* ---- operators -------------------------------------------------------------------------- */

static const struct {
	enum expr_op op;
	enum condition_op with_sign, without;
	bool swapped, inverted;
} operators[] = {
	{ EXPR_PLUS, CONDITION_ADD, CONDITION_ADD, false, false },
	{ EXPR_MINUS, CONDITION_SUBTRACT, CONDITION_SUBTRACT, false, false },
	{ EXPR_TIMES, CONDITION_MULTIPLY, CONDITION_MULTIPLY, false, false },
	{ EXPR_DIVIDE, CONDITION_DIVIDE, CONDITION_DIVIDE_U, false, false },
	{ EXPR_REST, CONDITION_REST, CONDITION_REST_U, false, false },
	{ EXPR_AND, CONDITION_AND, CONDITION_AND, false, false },
	{ EXPR_OR, CONDITION_OR, CONDITION_OR, false, false },
	{ EXPR_XOR, CONDITION_XOR, CONDITION_XOR, false, false },
	{ EXPR_EQUAL, CONDITION_EQUAL, CONDITION_EQUAL, false, false },
	{ EXPR_NOT_EQUAL, CONDITION_EQUAL, CONDITION_EQUAL, false, true },
	{ EXPR_LESS, CONDITION_LESS, CONDITION_LESS_U, false, false },
	{ EXPR_LESS_OR_EQUAL, CONDITION_LESS_OR_EQUAL, CONDITION_LESS_OR_EQUAL_U, false, false },
	{ EXPR_GREATER, CONDITION_LESS, CONDITION_LESS_U, true, false },
	{ EXPR_GREATER_OR_EQUAL, CONDITION_LESS_OR_EQUAL, CONDITION_LESS_OR_EQUAL_U, true, false },
};

/* Both are on the stack: b on top. */
static struct error *combine(struct compiler *k, enum expr_op op, const struct type *a,
			     const struct type *b, struct result *ret)
{
	const struct type *a_number = a->kind == TYPE_POINTER ? &type_unsigned_long : a;
	const struct type *b_number = b->kind == TYPE_POINTER ? &type_unsigned_long : b;
	const struct type *t = arithmetic_type(a_number, b_number);
	bool compares = op >= EXPR_EQUAL && op <= EXPR_GREATER_OR_EQUAL;

	if (t->size < 8 && !t->is_signed) { /* -1 and 1u: what has no sign decides */
		fit(k, t);
		add_op(k, CONDITION_SWAP);
		fit(k, t);
		add_op(k, CONDITION_SWAP);
	}
	for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++) {
		if (operators[i].op != op)
			continue;
		if (operators[i].swapped)
			add_op(k, CONDITION_SWAP);
		add_op(k, t->is_signed ? operators[i].with_sign : operators[i].without);
		if (operators[i].inverted)
			add_op(k, CONDITION_NOT);
		if (!compares)
			fit(k, t);
		ret->type = compares ? &type_int : t;
		return NULL;
	}
	return cannot("that operator");
}

static void scale(struct compiler *k, uint64_t by)
{
	if (by == 1)
		return;
	add_constant(k, by);
	add_op(k, CONDITION_MULTIPLY);
}

/* p + 1, p - q. true: it was one of those. */
static bool combine_pointers(struct compiler *k, enum expr_op op, const struct type *a,
			     const struct type *b, struct result *ret)
{
	bool left = a->kind == TYPE_POINTER, right = b->kind == TYPE_POINTER;

	if ((op != EXPR_PLUS && op != EXPR_MINUS) || (!left && !right) ||
	    (right && !left && op == EXPR_MINUS) || (left && right && op == EXPR_PLUS))
		return false;
	if (left && right) {
		add_op(k, CONDITION_SUBTRACT);
		add_constant(k, step_of(a));
		add_op(k, CONDITION_DIVIDE);
		ret->type = &type_long;
		return true;
	}
	if (right)
		add_op(k, CONDITION_SWAP);
	scale(k, step_of(left ? a : b));
	add_op(k, op == EXPR_PLUS ? CONDITION_ADD : CONDITION_SUBTRACT);
	ret->type = left ? a : b;
	return true;
}

static struct error *compile_logic(struct compiler *k, const struct expr *e, struct result *ret)
{
	struct result side;
	struct error *err = compile(k, e->kids[0], &side);

	if (err)
		return err;
	/* The first one decides if it is false, or for || if it is true. */
	if (e->op == EXPR_OR_ELSE)
		add_op(k, CONDITION_NOT);
	size_t decided = add_jump(k, CONDITION_JUMP_ZERO);
	err = compile(k, e->kids[1], &side);
	add_op(k, CONDITION_NOT);
	add_op(k, CONDITION_NOT);
	size_t end = add_jump(k, CONDITION_JUMP);
	land(k, decided);
	add_constant(k, e->op == EXPR_OR_ELSE);
	land(k, end);
	ret->type = &type_int;
	return err;
}

static struct error *compile_shift(struct compiler *k, enum expr_op op, const struct type *a,
				   struct result *ret)
{
	const struct type *t = arithmetic_type(a, a);

	add_op(k, op == EXPR_SHIFT_LEFT ? CONDITION_SHIFT_LEFT
		  : t->is_signed        ? CONDITION_SHIFT_SIGNED
					: CONDITION_SHIFT_RIGHT);
	fit(k, t);
	ret->type = t;
	return NULL;
}

static struct error *compile_binary(struct compiler *k, const struct expr *e, struct result *ret)
{
	struct result a, b;

	if (e->op == EXPR_AND_THEN || e->op == EXPR_OR_ELSE)
		return compile_logic(k, e, ret);
	if (e->op == EXPR_REPEAT)
		return cannot("arrays");
	if (e->op >= EXPR_POWER && e->op <= EXPR_UNLIKE)
		return cannot("that operator");
	struct error *err = compile(k, e->kids[0], &a);
	if (!err && e->op == EXPR_COMMA) {
		add_op(k, CONDITION_DROP);
		return compile(k, e->kids[1], ret);
	}
	if (!err)
		err = compile(k, e->kids[1], &b);
	if (err)
		return err;
	if (e->op == EXPR_SHIFT_LEFT || e->op == EXPR_SHIFT_RIGHT)
		return compile_shift(k, e->op, a.type, ret);
	if (combine_pointers(k, e->op, a.type, b.type, ret))
		return NULL;
	return combine(k, e->op, a.type, b.type, ret);
}

static struct error *compile_choose(struct compiler *k, const struct expr *e, struct result *ret)
{
	struct result condition, a, b;
	struct error *err = compile(k, e->kids[0], &condition);

	if (err)
		return err;
	size_t otherwise = add_jump(k, CONDITION_JUMP_ZERO);
	err = compile(k, e->kids[1], &a);
	size_t end = add_jump(k, CONDITION_JUMP);
	land(k, otherwise);
	if (!err)
		err = compile(k, e->kids[2], &b);
	land(k, end);
	if (!err && a.type->is_signed != b.type->is_signed)
		return cannot("values of two types in one");
	if (!err)
		ret->type = a.type->size >= b.type->size ? a.type : b.type;
	return err;
}

static struct error *compile_address(struct compiler *k, const struct expr *e, struct result *ret)
{
	enum location_kind kind = LOCATION_MISSING;
	struct variable v;

	if (e->kind == EXPR_NAME && lookup_variable(k->scope, e->file, e->text, &v)) {
		struct error *err = compile_place(k, &v, &kind);
		if (!err && kind != LOCATION_MEMORY)
			err = cannot("the address of what is in a register");
		if (!err)
			ret->type = type_pointer_to(lookup_types(k->scope),
						    v.type ? v.type : &type_void);
		return err ? err : ret->type ? NULL : &error_nomem;
	}
	if (e->kind == EXPR_NAME)
		return compile_name(k, e, ret); /* a function */
	return cannot("that address");
}

static struct error *dereference(struct compiler *k, const struct type *pointer, struct result *ret)
{
	if (pointer->kind == TYPE_INT)
		return load(k, &type_long, ret);
	if (pointer->kind != TYPE_POINTER || !pointer->target)
		return error_new(ERROR_USAGE, "attempt to take contents of a non-pointer value");
	return load(k, pointer->target, ret);
}

static struct error *compile_unary(struct compiler *k, const struct expr *e, struct result *ret)
{
	struct result of;

	if (e->op >= EXPR_INCREMENT)
		return cannot("assignments");
	if (e->op == EXPR_ADDRESS)
		return compile_address(k, e->kids[0], ret);
	struct error *err = compile(k, e->kids[0], &of);
	if (err)
		return err;
	if (e->op == EXPR_DEREFERENCE)
		return dereference(k, of.type, ret);
	ret->type = &type_int;
	if (e->op == EXPR_NOT) {
		add_op(k, CONDITION_NOT);
		return NULL;
	}
	ret->type = arithmetic_type(of.type, of.type);
	if (e->op != EXPR_SAME)
		add_op(k, e->op == EXPR_NEGATE ? CONDITION_NEGATE : CONDITION_INVERT);
	fit(k, ret->type);
	return NULL;
}

static struct error *compile_index(struct compiler *k, const struct expr *e, struct result *ret)
{
	struct result array, index;
	struct error *err = compile(k, e->kids[0], &array);

	if (!err)
		err = compile(k, e->kids[1], &index);
	if (!err && array.type->kind != TYPE_POINTER)
		err = cannot("an index into something that is no array or pointer");
	if (err)
		return err;
	scale(k, step_of(array.type));
	add_op(k, CONDITION_ADD);
	return dereference(k, array.type, ret);
}

static struct error *compile_cast(struct compiler *k, const struct expr *e, struct result *ret)
{
	const struct type *type;
	struct result of;
	struct error *err = lookup_type(k->scope, &e->cast, &type);

	if (!err)
		err = compile(k, e->kids[0], &of);
	if (err)
		return err;
	if (e->kind == EXPR_MEMORY)
		return load(k, type, ret);
	if (!is_number(type))
		return cannot("casts to what is no integer or pointer");
	ret->type = type_strip(type);
	fit(k, ret->type);
	return NULL;
}

static struct error *(*const compilers[])(struct compiler *, const struct expr *,
					  struct result *) = {
	[EXPR_NUMBER] = compile_number, [EXPR_NAME] = compile_name,
	[EXPR_DOLLAR] = compile_dollar, [EXPR_UNARY] = compile_unary,
	[EXPR_BINARY] = compile_binary, [EXPR_CHOOSE] = compile_choose,
	[EXPR_CAST] = compile_cast,     [EXPR_MEMORY] = compile_cast,
	[EXPR_INDEX] = compile_index,   [EXPR_COMPLEX] = NULL,
};

static struct error *compile(struct compiler *k, const struct expr *e, struct result *ret)
{
	return compilers[e->kind] ? compilers[e->kind](k, e, ret) : cannot("that");
}

struct error *compile_condition(struct session *s, taddr pc, const char *text, struct buf *ret)
{
	const struct scope scope = { .session = s, .pc = pc, .exact = true };
	const struct expr_options options = {
		.is_type = lookup_is_type,
		.is_known = lookup_is_known,
		.context = (void *)&scope,
		.words = lookup_is_cxx(&scope),
		.fortran = lookup_is_fortran(&scope),
		.one = false,
	};
	struct compiler k = { .scope = &scope, .cfa = { .reg = -1 }, .out = ret };
	AUTO_EXPR *e = NULL;
	struct result result;

	struct error *err = expr_parse(text, &options, &e, NULL);
	if (err)
		return err;
	if (!unwind_cfa(s->unwinder, pc, &k.cfa))
		k.cfa.reg = -1;
	err = compile(&k, e, &result);
	add_op(&k, CONDITION_END);
	if (!err && ret->len > CONDITION_SIZE_MAX)
		err = cannot("so many parts");
	if (!err && !buf_ok(ret))
		err = &error_nomem;
	return err ? err : condition_check((const uint8_t *)ret->data, ret->len);
}
