/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/eval.h"

#include <string.h>

#include "debugger/values/arithmetic.h"
#include "debugger/values/captured.h"
#include "debugger/values/casts.h"
#include "debugger/values/classes.h"
#include "debugger/values/complex.h"
#include "debugger/values/eval_parts.h"
#include "debugger/values/fortran.h"
#include "debugger/values/lookup.h"
#include "debugger/values/methods.h"
#include "debugger/values/objects.h"
#include "debugger/values/operate.h"
#include "debugger/values/original.h"
#include "debugger/values/reach.h"
#include "debugger/values/registers.h"
#include "debugger/values/siginfo.h"
#include "debugger/values/vector.h"

typedef const struct eval_context context;

/* ---- pieces ----------------------------------------------------------------------------- */

struct error *eval_referred(context *c, const struct expr *e, struct value *ret)
{
	struct error *err = eval(c, e, ret);

	return err ? err : reach_settle(c->scope, ret, false);
}

/* What & is applied to need not be read. */
static struct error *eval_located(context *c, const struct expr *e, struct value *ret)
{
	struct eval_aside places;

	eval_set_aside(c, SCOPE_PLACES, &places);
	return eval_referred(&places.context, e, ret);
}

static struct error *eval_settled(context *c, const struct expr *e, struct value *ret)
{
	struct error *err = eval(c, e, ret);

	return err ? err : reach_settle(c->scope, ret, true);
}

static struct error *eval_number(context *c, const struct expr *e, struct number *ret)
{
	struct value v;
	struct error *err = eval_settled(c, e, &v);

	if (!err)
		err = eval_object_number(c, &v);
	return err ? err : value_number(&v, ret);
}

/* ---- memory ----------------------------------------------------------------------------- */

static struct error *eval_memory(context *c, const struct expr *e, struct value *ret)
{
	const struct type *type;
	struct number n;
	struct error *err = eval_named_type(c, &e->cast, &type);

	if (!err)
		err = eval_number(c, e->kids[0], &n);
	return err ? err : value_read(c->scope, type, (taddr)n.bits, ret);
}

/* a[2..5]: both ends are of it. */
static struct error *eval_slice(context *c, const struct expr *e, struct value *array,
				const struct number *first, struct value *ret)
{
	struct value start;
	struct number last;
	struct error *err = eval_number(c, e->kids[2], &last);

	if (!err)
		err = reach_element(c->scope, array, first, &start);
	if (err)
		return err;
	if ((__int128)last.bits < (__int128)first->bits)
		return error_new(ERROR_USAGE, "the slice ends before it begins");
	last.bits = last.bits - first->bits + 1;
	return reach_array(c->scope, &start, &last, ret);
}

static struct error *eval_index(context *c, const struct expr *e, struct value *ret)
{
	struct value array;
	struct number index;
	bool done = false;
	struct error *err = eval_referred(c, e->kids[0], &array);

	if (!err)
		err = eval_object_index(c, e, &array, ret, &done);
	if (err || done)
		return err;
	err = eval_number(c, e->kids[1], &index);
	if (err || !e->kids[2])
		return err ? err : reach_element(c->scope, &array, &index, ret);
	return eval_slice(c, e, &array, &index, ret);
}

/* this->name in code of a construct that has a copy of the member. */
static struct error *eval_copied_member(context *c, const struct expr *e, struct value *ret,
					bool *ret_done)
{
	const struct expr *of = e->kids[0];
	struct variable v;

	*ret_done = c->scope && c->scope->thread && !c->scope->originals &&
		    e->op == EXPR_DEREFERENCE && of->kind == EXPR_NAME && !of->file &&
		    !strcmp(of->text, "this") && captured_member(c->scope, e->text, &v);
	return *ret_done ? lookup_local(c->scope, &v, e->text, ret) : NULL;
}

/* whole.name and pointer->name, which gdb takes for each other. */
static struct error *eval_member(context *c, const struct expr *e, struct value *ret)
{
	struct value whole;
	bool done;
	struct error *err = eval_copied_member(c, e, ret, &done);

	if (err || done)
		return err;
	err = eval_referred(c, e->kids[0], &whole);

	if (!err && e->is_fortran) {
		err = fortran_settle(c->scope, &whole);
		return err ? err : fortran_member(c->scope, &whole, e->text, ret);
	}
	if (!err && e->op == EXPR_DEREFERENCE)
		err = eval_arrow(c, &whole, e->text);
	if (!err && reach_is_pointer(&whole)) {
		const struct type *target = type_strip(whole.type)->target;
		if (!target || !type_is_struct(target))
			return error_new(ERROR_USAGE, "the -> operator must not be applied to "
						      "non-pointer values");
		err = reach_target(c->scope, &whole, 0, &whole);
	}
	bool follows;
	if (!err && c->objects && !whole.missing)
		err = objects_follow(c->scope, &whole, &follows);
	if (err)
		return err;
	err = reach_member(c->scope, &whole, e->text, ret);
	if (!error_is(err, ERROR_NOT_FOUND) || !methods_has(whole.type, e->text))
		return err;
	error_ignore(err);
	return methods_first(c->scope, &whole, e->text, ret);
}

static bool is_entry(const struct expr *e)
{
	return e->kids[1]->kind == EXPR_NAME && !strcmp(e->kids[1]->text, "entry");
}

/* x@entry: what an argument was when its function was entered. */
static struct error *eval_entry(context *c, const struct expr *e, struct value *ret)
{
	const struct expr *name = e->kids[0];
	struct variable v;

	if (name->kind != EXPR_NAME)
		return error_new(ERROR_USAGE, "@entry can be used only for function parameters");
	if (!c->scope->thread || !lookup_variable(c->scope, NULL, name->text, &v) || !v.argument)
		return error_new(ERROR_USAGE,
				 "@entry can be used only for function parameters, not for \"%s\"",
				 name->text);
	if (value_at_entry(c->scope, &v, ret))
		return NULL;
	return error_new(ERROR_UNSUPPORTED,
			 "nothing tells what \"%s\" was when its function was entered", name->text);
}

/* *p@3 */
static struct error *eval_repeat(context *c, const struct expr *e, struct value *ret)
{
	struct value first;
	struct number n;

	if (is_entry(e))
		return eval_entry(c, e, ret);
	struct error *err = eval_referred(c, e->kids[0], &first);
	if (!err)
		err = eval_number(c, e->kids[1], &n);
	return err ? err : reach_array(c->scope, &first, &n, ret);
}

/* ---- operators -------------------------------------------------------------------------- */

/* What comparisons come to: int in C, bool in C++. */
static struct value truth(context *c, bool yes)
{
	return value_of_int(c->scope && lookup_is_cxx(c->scope) ? &type_bool : &type_int, yes);
}

static struct error *eval_logic(context *c, const struct expr *e, struct value *ret)
{
	struct number n;
	struct error *err = eval_number(c, e->kids[0], &n);

	if (err)
		return err;
	bool first = value_is_true(&n), decided = first == (e->op == EXPR_OR_ELSE);
	if (!decided) {
		err = eval_number(c, e->kids[1], &n);
		if (err)
			return err;
	}
	*ret = truth(c, decided ? first : value_is_true(&n));
	return NULL;
}

/* object.*member, pointer->*member */
static struct error *eval_of_member(context *c, const struct expr *e, struct value *ret)
{
	struct value object, member;
	struct error *err = eval_referred(c, e->kids[0], &object);

	if (!err)
		err = eval_referred(c, e->kids[1], &member);
	if (!err && e->op == EXPR_OF_ARROW)
		err = reach_target(c->scope, &object, 0, &object);
	return err ? err : classes_member(c->scope, &object, &member, ret);
}

/* By the rules of what both are. */
static struct error *operate(context *c, enum expr_op op, const struct value *a,
			     const struct value *b, struct value *ret)
{
	if (vector_is(a) || vector_is(b))
		return vector_binary(c->scope, op, a, b, ret);
	if (complex_is(a) || complex_is(b))
		return complex_binary(c->scope, op, a, b, ret);
	return operate_binary(op, a, b, ret);
}

static struct error *eval_binary(context *c, const struct expr *e, struct value *ret)
{
	struct value a, b;
	bool done = false;

	if (e->is_fortran && e->op != EXPR_REPEAT && e->op != EXPR_COMMA)
		return eval_fortran(c, e, ret);
	if (e->op == EXPR_AND_THEN || e->op == EXPR_OR_ELSE)
		return eval_logic(c, e, ret);
	if (e->op == EXPR_REPEAT)
		return eval_repeat(c, e, ret);
	if (e->op == EXPR_COMMA) {
		struct error *err = eval(c, e->kids[0], ret);
		return err ? err : eval(c, e->kids[1], ret);
	}
	if (e->op == EXPR_OF_MEMBER || e->op == EXPR_OF_ARROW)
		return eval_of_member(c, e, ret);
	struct error *err = eval_settled(c, e->kids[0], &a);
	if (!err)
		err = eval_settled(c, e->kids[1], &b);
	if (!err)
		err = eval_atomic(c, &a);
	if (!err)
		err = eval_atomic(c, &b);
	if (!err)
		err = eval_operator(c, eval_operator_name(e->op), &a, &b, ret, &done);
	if (err || done)
		return err;
	err = operate(c, e->op, &a, &b, ret);
	if (!err && !vector_is(ret) && e->op >= EXPR_EQUAL && e->op <= EXPR_GREATER_OR_EQUAL)
		*ret = truth(c, ret->bytes[0]);
	return err;
}

static bool is_number(const struct value *v)
{
	const struct type *t = type_strip(v->type);

	return type_is_integer(t) || t->kind == TYPE_FLOAT || t->kind == TYPE_POINTER;
}

/* A number as what it is together with the one that was not chosen. */
static struct error *convert_chosen(context *c, const struct expr *other, struct value *v)
{
	struct value beside;
	struct number n, m;
	struct error *unknown = eval_type(c, other, &beside);
	bool numbers = !unknown && is_number(v) && is_number(&beside);

	error_ignore(unknown);
	if (!numbers || v->missing || beside.missing ||
	    type_strip(v->type) == type_strip(beside.type))
		return NULL;
	struct error *err = value_number(v, &n);
	if (!err)
		err = value_number(&beside, &m);
	if (!err && n.type->kind != TYPE_POINTER)
		*v = value_of_number(arithmetic_common_type(n.type, m.type), &n);
	return err;
}

static struct error *eval_choose(context *c, const struct expr *e, struct value *ret)
{
	struct number n;
	struct error *err = eval_number(c, e->kids[0], &n);

	if (err)
		return err;
	bool first = value_is_true(&n);
	err = eval(c, e->kids[first ? 1 : 2], ret);
	return err ? err : convert_chosen(c, e->kids[first ? 2 : 1], ret);
}

/* ---- assignments ------------------------------------------------------------------------ */

static struct error *eval_assign(context *c, const struct expr *e, struct value *ret)
{
	struct value to, from;
	bool done = false;
	struct error *err = eval_referred(c, e->kids[0], &to);

	if (!err && e->is_fortran && to.place != VALUE_NAMED)
		err = fortran_settle(c->scope, &to);
	/* What was a register's name while nothing runs is no variable of ours. */
	if (!err && e->kids[1]->kind == EXPR_LIST && e->op == EXPR_NONE && to.place != VALUE_NAMED)
		err = eval_list_as(c, e->kids[1], to.type, &from);
	else if (!err)
		err = to.place == VALUE_NAMED ? eval(c, e->kids[1], &from)
					      : eval_settled(c, e->kids[1], &from);
	if (!err && from.missing)
		err = value_missing(&from);
	if (!err && type_is_pointer(to.type) && to.place != VALUE_NAMED) {
		err = eval_place(c, &from);
		err = err ? err : reach_settle(c->scope, &from, true);
	}
	if (!err)
		err = eval_operator_assign(c, e->op, &to, &from, ret, &done);
	if (err || done)
		return err;
	if (e->op != EXPR_NONE)
		err = operate(c, e->op, &to, &from, &from);
	if (!err)
		err = operate_store(c->scope, c->values, &to, &from);
	if (!err)
		*ret = to;
	return err;
}

static struct error *eval_increment(context *c, const struct expr *e, struct value *ret)
{
	const struct value one = value_of_int(&type_int, 1);
	bool up = e->op == EXPR_INCREMENT || e->op == EXPR_INCREMENT_LATER;
	bool later = e->op == EXPR_INCREMENT_LATER || e->op == EXPR_DECREMENT_LATER;
	const struct value zero = value_of_int(&type_int, 0);
	struct value to, result;
	bool done = false;
	struct error *err = eval_referred(c, e->kids[0], &to);

	/* What stands behind is told by an argument that means nothing. */
	if (!err)
		err = eval_operator(c, up ? "++" : "--", &to, later ? &zero : NULL, ret, &done);
	if (err || done)
		return err;
	struct value old = to;
	err = operate_binary(up ? EXPR_PLUS : EXPR_MINUS, &to, &one, &result);
	if (!err)
		err = operate_store(c->scope, c->values, &to, &result);
	if (err)
		return err;
	*ret = later ? old : to;
	ret->place = VALUE_NOWHERE;
	return NULL;
}

/* ---- all of them ------------------------------------------------------------------------ */

static struct error *eval_unary(context *c, const struct expr *e, struct value *ret)
{
	struct value v;
	struct number n;

	if (e->op >= EXPR_INCREMENT)
		return eval_increment(c, e, ret);
	if (e->is_fortran && e->op != EXPR_ADDRESS && e->op != EXPR_DEREFERENCE)
		return eval_fortran(c, e, ret);
	const struct expr *of = e->kids[0];
	if (e->op == EXPR_ADDRESS && of->kind == EXPR_NAME && !of->file && strstr(of->text, "::")) {
		bool found;
		struct error *err = classes_member_pointer(c->scope, of->text, ret, &found);
		if (err || found)
			return err;
	}
	struct error *err =
		e->op == EXPR_ADDRESS ? eval_located(c, of, &v) : eval_referred(c, of, &v);
	if (!err && (e->op == EXPR_ADDRESS || e->op == EXPR_DEREFERENCE))
		err = eval_place(c, &v);
	if (!err && e->op != EXPR_ADDRESS)
		err = reach_settle(c->scope, &v, true);
	if (!err && e->op != EXPR_ADDRESS)
		err = eval_atomic(c, &v);
	if (err)
		return err;
	if (e->op == EXPR_ADDRESS)
		return reach_address(c->scope, e->kids[0], &v, ret);
	bool done = false;
	err = eval_operator(c, eval_operator_name(e->op), &v, NULL, ret, &done);
	if (err || done)
		return err;
	if (e->op == EXPR_DEREFERENCE)
		return reach_target(c->scope, &v, 0, ret);
	if (vector_is(&v))
		return vector_unary(c->scope, e->op, &v, ret);
	if (complex_is(&v)) {
		err = complex_unary(c->scope, e->op, &v, ret);
	} else {
		err = value_number(&v, &n);
		if (!err)
			err = arithmetic_unary(e->op, &n, ret);
	}
	if (!err && e->op == EXPR_NOT)
		*ret = truth(c, ret->bytes[0]);
	return err;
}

/* NULL, or why it is not known how large what is of that type is. */
static const char *unknown_size(const struct type *t)
{
	t = type_strip(t);
	if (t->kind != TYPE_ARRAY || !t->target)
		return NULL;
	return t->unbounded ? t->unbounded : unknown_size(t->target);
}

/* And alignof. */
static struct error *eval_sizeof(context *c, const struct expr *e, struct value *ret)
{
	const struct expr *of = e->kids[0];
	const struct type *type;
	struct value v;
	struct error *err;

	if (of->kind == EXPR_TYPE) {
		err = eval_named_type(c, &of->cast, &type);
		v = (struct value){ .type = err ? NULL : type };
		if (!err && type_is_dynamic(type))
			err = value_read(c->scope, type, 0, &v);
	} else {
		struct eval_aside types;
		eval_set_aside(c, SCOPE_TYPES, &types);
		err = eval_referred(&types.context, of, &v);
	}
	if (!err && v.missing && type_is_dynamic(v.type))
		err = value_missing(&v);
	type = v.type;
	if (err)
		return err;
	const struct type *t = type_strip(type);
	if (t->kind == TYPE_REFERENCE && t->target)
		type = t->target;
	v.missing = e->kind == EXPR_SIZEOF ? unknown_size(type) : NULL;
	if (v.missing)
		return value_missing(&v);
	*ret = value_of_int(&type_unsigned_long,
			    e->kind == EXPR_ALIGNOF ? casts_alignment(type) : type_size(type));
	return NULL;
}

static struct error *eval_cast(context *c, const struct expr *e, struct value *ret)
{
	const struct expr *what = e->kids[0];
	const struct type *type;
	struct value v;
	struct error *err = eval_named_type(c, &e->cast, &type);

	if (!err && what->kind == EXPR_LIST)
		return eval_list_as(c, what, type, ret);
	if (!err && what->kind == EXPR_CALL && what->kids[0]->kind != EXPR_DOLLAR &&
	    !original_is_asked(c->scope, what))
		err = eval_call_of(c, what, type, &v);
	else if (!err)
		err = eval(c, what, &v);
	if (!err && type_is_pointer(type))
		err = eval_place(c, &v);
	if (!err && !type_is_struct(type) && !type_is_pointer(type))
		err = eval_object_number(c, &v);
	return err ? err : casts_apply(c->scope, e->op, v, type, ret);
}

static struct error *(*const evaluators[])(context *, const struct expr *, struct value *) = {
	[EXPR_NUMBER] = eval_constant, [EXPR_FLOAT] = eval_constant,
	[EXPR_STRING] = eval_string,   [EXPR_IMAGINARY] = eval_constant,
	[EXPR_TYPEID] = eval_typeid,   [EXPR_NAME] = eval_word,
	[EXPR_DOLLAR] = eval_dollar,   [EXPR_TYPE] = eval_type_value,
	[EXPR_UNARY] = eval_unary,     [EXPR_BINARY] = eval_binary,
	[EXPR_CHOOSE] = eval_choose,   [EXPR_ASSIGN] = eval_assign,
	[EXPR_CAST] = eval_cast,       [EXPR_SIZEOF] = eval_sizeof,
	[EXPR_MEMORY] = eval_memory,   [EXPR_INDEX] = eval_index,
	[EXPR_MEMBER] = eval_member,   [EXPR_CALL] = eval_call,
	[EXPR_ALIGNOF] = eval_sizeof,  [EXPR_ELEMENT] = eval_element,
	[EXPR_SECTION] = eval_section, [EXPR_COMPLEX] = eval_fortran,
	[EXPR_LIST] = eval_list,       [EXPR_NOEXCEPT] = eval_noexcept,
};

struct error *eval(const struct eval_context *c, const struct expr *e, struct value *ret)
{
	struct error *err = evaluators[e->kind](c, e, ret);

	if (!err && ret->missing && scope_asks_types(c->scope) && !type_is_dynamic(ret->type))
		value_set_nothing(ret);
	return expr_near(err, e->at);
}
