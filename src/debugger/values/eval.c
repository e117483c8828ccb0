/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/eval.h"

#include <string.h>

#include "debugger/values/arithmetic.h"
#include "debugger/values/casts.h"
#include "debugger/values/classes.h"
#include "debugger/values/container_compare.h"
#include "debugger/values/container_ops.h"
#include "debugger/values/eval_parts.h"
#include "debugger/values/fortran.h"
#include "debugger/values/lookup.h"
#include "debugger/values/objects.h"
#include "debugger/values/operate.h"
#include "debugger/values/reach.h"
#include "debugger/values/registers.h"

typedef const struct eval_context context;

/* ---- pieces ----------------------------------------------------------------------------- */

/* What a reference refers to, where that is what counts. */
static struct error *eval_referred(context *c, const struct expr *e, struct value *ret)
{
	struct error *err = eval(c, e, ret);

	return err ? err : reach_settle(c->scope, ret, false);
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

/* Where a condition stands. */
static struct error *eval_truth(context *c, const struct expr *e, bool *ret)
{
	struct value v;
	struct error *err = eval_settled(c, e, &v);

	return err ? err : eval_is_true(c, &v, ret);
}

/* ---- names and constants ---------------------------------------------------------------- */

static struct error *eval_constant(context *c, const struct expr *e, struct value *ret)
{
	(void)c;
	*ret = e->kind == EXPR_FLOAT ? value_of_float(e->type, e->real)
				     : value_of_int(e->type, e->number);
	return NULL;
}

static struct error *eval_string(context *c, const struct expr *e, struct value *ret)
{
	struct type_store *store;
	struct error *err = NULL;

	if (e->is_fortran)
		return fortran_text(c->scope, e->text, e->text_len, ret);
	err = reach_types(c->scope, &store);
	if (err)
		return err;
	const struct type *type = type_array_of(store, e->type, e->text_len / e->type->size + 1);
	const size_t size = e->text_len + e->type->size;
	AUTO_FREE uint8_t *bytes = calloc(2, size);
	if (!type || !bytes)
		return &error_nomem;
	memcpy(bytes, e->text, e->text_len);
	*ret = (struct value){ .type = type };
	return value_set_bytes(c->scope, ret, bytes, bytes + size, size);
}

static struct error *eval_history(context *c, const char *text, struct value *ret)
{
	size_t last = convenience_recorded(c->values), n = last;
	bool back = text[0] == '$';

	text += back;
	if (*text)
		n = strtoull(text, NULL, 10);
	if (back)
		n = *text ? last - n : last - 1;
	const struct value *v = convenience_history(c->values, n);
	/* "$" and "$$" of a history that is too short are void, as in gdb. */
	if (!v && (last == 0 || !*text)) {
		*ret = (struct value){ .type = &type_void };
		return NULL;
	}
	if (!v)
		return error_new(ERROR_NOT_FOUND, "history has not yet reached $%zd", (ssize_t)n);
	*ret = *v;
	return NULL;
}

static struct error *eval_dollar(context *c, const struct expr *e, struct value *ret)
{
	const char *name = e->text + 1;

	if (!name[strspn(name, "$0123456789")])
		return eval_history(c, name, ret);
	const struct register_view *r = register_find(name);
	if (r)
		return register_value(c->scope, r, ret);
	if (!strcmp(name, "_siginfo") && c->scope && c->scope->thread)
		return error_new(ERROR_UNSUPPORTED, "$_siginfo is not read; \"info program\" says "
						    "which signal the program has got");
	*ret = convenience_get(c->values, name);
	return NULL;
}

/* What an object's pointer points to; it has a type, too, where the pointer is missing. */
static struct error *object_of(const struct scope *s, const struct value *pointer,
			       struct value *ret)
{
	const struct type *t = type_strip(pointer->type);
	const char *why = pointer->missing;

	if (!why || t->kind != TYPE_POINTER || !t->target)
		return reach_target(s, pointer, 0, ret);
	*ret = (struct value){ .type = t->target, .missing = why };
	return NULL;
}

/* The "this" that a lambda has captured, by its name in clang and gcc. object: of the lambda. */
static struct error *captured_this(const struct scope *s, const struct value *object,
				   struct value *ret)
{
	struct error *err = reach_member(s, object, "this", ret);

	if (!error_is(err, ERROR_NOT_FOUND))
		return err;
	error_ignore(err);
	return reach_member(s, object, "__this", ret);
}

/* Of that object, or of the one that a lambda has captured. */
static struct error *member_or_captured(const struct scope *s, const struct value *object,
					const char *name, struct value *ret)
{
	struct error *err = reach_member(s, object, name, ret);
	struct value inner;

	if (!error_is(err, ERROR_NOT_FOUND))
		return err;
	error_ignore(err);
	err = captured_this(s, object, &inner);
	if (!err && reach_is_pointer(&inner))
		err = object_of(s, &inner, &inner);
	return err ? err : reach_member(s, &inner, name, ret);
}

/* A member of the object that the function is called for. false: it is none. */
static bool eval_own_member(context *c, const char *name, struct value *ret, struct error **ret_err)
{
	struct value object;

	if (!c->scope || !c->scope->thread || !lookup_object(c->scope, name, &object, ret_err))
		return false;
	struct error *err = *ret_err;
	if (!err)
		err = object_of(c->scope, &object, &object);
	if (!err)
		err = member_or_captured(c->scope, &object, name, ret);
	bool none = error_is(err, ERROR_NOT_FOUND);
	if (none)
		error_ignore(err);
	*ret_err = none ? NULL : err;
	return !none;
}

/* In a lambda it is what that has captured, not the lambda. */
static struct error *eval_this(context *c, struct value *v)
{
	struct value object, inner;
	struct error *err = reach_is_pointer(v) ? object_of(c->scope, v, &object) : NULL;

	if (err || !reach_is_pointer(v))
		return err;
	err = captured_this(c->scope, &object, &inner);
	if (!err && reach_is_pointer(&inner))
		*v = inner;
	error_ignore(err);
	return NULL;
}

static struct error *eval_word(context *c, const struct expr *e, struct value *ret)
{
	struct error *err;

	if (!e->file && eval_own_member(c, e->text, ret, &err))
		return err;
	err = lookup_name(c->scope, e->file, e->text, ret);
	return err || strcmp(e->text, "this") ? err : eval_this(c, ret);
}

static struct error *eval_type_value(context *c, const struct expr *e, struct value *ret)
{
	const struct type *type;
	struct error *err = lookup_type(c->scope, &e->cast, &type);

	(void)ret;
	(void)type;
	return err ? err : error_new(ERROR_USAGE, "attempt to use a type name as an expression");
}

/* ---- memory ----------------------------------------------------------------------------- */

static struct error *eval_memory(context *c, const struct expr *e, struct value *ret)
{
	const struct type *type;
	struct number n;
	struct error *err = lookup_type(c->scope, &e->cast, &type);

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
	bool known = false;
	struct error *err = eval_referred(c, e->kids[0], &array);

	if (!err)
		err = eval_container_index(c, e, &array, ret, &known);
	if (err || known)
		return err;
	err = eval_number(c, e->kids[1], &index);
	if (err || !e->kids[2])
		return err ? err : reach_element(c->scope, &array, &index, ret);
	return eval_slice(c, e, &array, &index, ret);
}

/* whole.name and pointer->name, which gdb takes for each other. */
static struct error *eval_member(context *c, const struct expr *e, struct value *ret)
{
	struct value whole;
	struct error *err = eval_whole(c, e, &whole);

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
	if (!err)
		err = reach_member(c->scope, &whole, e->text, ret);
	return err;
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
	bool yes;
	struct error *err = eval_truth(c, e->kids[0], &yes);

	if (err)
		return err;
	if (yes != (e->op == EXPR_OR_ELSE))
		err = eval_truth(c, e->kids[1], &yes);
	if (!err)
		*ret = truth(c, yes);
	return err;
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
	bool known = false, holds = false;
	if (!err)
		err = container_compared(c->scope, e->op, &a, &b, &holds, &known);
	if (!err && known) {
		*ret = truth(c, holds);
		return NULL;
	}
	if (!err)
		err = eval_operator(c, eval_operator_name(e->op), &a, &b, ret, &done);
	if (err || done)
		return err;
	err = operate_binary(e->op, &a, &b, ret);
	if (!err && e->op >= EXPR_EQUAL && e->op <= EXPR_GREATER_OR_EQUAL)
		*ret = truth(c, ret->bytes[0]);
	return err;
}

static struct error *eval_choose(context *c, const struct expr *e, struct value *ret)
{
	bool yes;
	struct error *err = eval_truth(c, e->kids[0], &yes);

	return err ? err : eval(c, e->kids[yes ? 1 : 2], ret);
}

/* ---- assignments ------------------------------------------------------------------------ */

/* to += from of an object that has such a function. */
static struct error *assign_by_function(context *c, const struct expr *e, const struct value *to,
					const struct value *from, struct value *ret, bool *ret_done)
{
	AUTO_BUF name = { 0 };
	const char *op = eval_operator_name(e->op);

	buf_addf(&name, "%s=", op ? op : "");
	*ret_done = false;
	return op && buf_ok(&name) ? eval_operator(c, buf_text(&name), to, from, ret, ret_done)
				   : NULL;
}

static struct error *eval_assign(context *c, const struct expr *e, struct value *ret)
{
	struct value to, from;
	bool done = false;
	struct error *err = eval_referred(c, e->kids[0], &to);

	if (!err && e->is_fortran && to.place != VALUE_NAMED)
		err = fortran_settle(c->scope, &to);
	/* What was a register's name while nothing runs is no variable of ours. */
	if (!err)
		err = to.place == VALUE_NAMED ? eval(c, e->kids[1], &from)
					      : eval_settled(c, e->kids[1], &from);
	if (!err && from.missing)
		err = value_missing(&from);
	if (!err)
		err = assign_by_function(c, e, &to, &from, ret, &done);
	if (err || done)
		return err;
	if (e->op != EXPR_NONE)
		err = operate_binary(e->op, &to, &from, &from);
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
	bool known = false;
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
	struct error *err = e->op == EXPR_ADDRESS ? eval_referred(c, e->kids[0], &v)
						  : eval_settled(c, e->kids[0], &v);
	if (err)
		return err;
	if (e->op == EXPR_ADDRESS)
		return reach_address(c->scope, e->kids[0], &v, ret);
	if (e->op == EXPR_DEREFERENCE || e->op == EXPR_NOT)
		err = eval_container_unary(c, e->op, &v, ret, &known);
	if (!err && !known)
		err = eval_operator(c, eval_operator_name(e->op), &v, NULL, ret, &known);
	if (err || known)
		return err;
	if (e->op == EXPR_DEREFERENCE)
		return reach_target(c->scope, &v, 0, ret);
	err = value_number(&v, &n);
	if (!err)
		err = arithmetic_unary(e->op, &n, ret);
	if (!err && e->op == EXPR_NOT)
		*ret = truth(c, ret->bytes[0]);
	return err;
}

/* And alignof. */
static struct error *eval_sizeof(context *c, const struct expr *e, struct value *ret)
{
	const struct expr *of = e->kids[0];
	const struct type *type;
	struct value v;
	struct error *err;

	if (of->kind == EXPR_TYPE) {
		err = lookup_type(c->scope, &of->cast, &type);
		v = (struct value){ .type = err ? NULL : type };
		if (!err && type_is_dynamic(type))
			err = value_read(c->scope, type, 0, &v);
	} else {
		err = eval_referred(c, of, &v);
	}
	if (!err && v.missing && type_is_dynamic(v.type))
		err = value_missing(&v);
	type = v.type;
	if (err)
		return err;
	const struct type *t = type_strip(type);
	if (t->kind == TYPE_REFERENCE && t->target)
		type = t->target;
	*ret = value_of_int(&type_unsigned_long,
			    e->kind == EXPR_ALIGNOF ? casts_alignment(type) : type_size(type));
	return NULL;
}

static struct error *eval_cast(context *c, const struct expr *e, struct value *ret)
{
	const struct expr *what = e->kids[0];
	const struct type *type;
	struct value v;
	struct error *err = lookup_type(c->scope, &e->cast, &type);

	if (!err && what->kind == EXPR_CALL && what->kids[0]->kind != EXPR_DOLLAR)
		err = eval_call_of(c, what, type, &v);
	else if (!err)
		err = eval(c, what, &v);
	if (!err && !type_is_struct(type) && !type_is_pointer(type))
		err = eval_object_number(c, &v);
	return err ? err : casts_apply(c->scope, e->op, v, type, ret);
}

static struct error *(*const evaluators[])(context *, const struct expr *, struct value *) = {
	[EXPR_NUMBER] = eval_constant, [EXPR_FLOAT] = eval_constant,  [EXPR_STRING] = eval_string,
	[EXPR_NAME] = eval_word,       [EXPR_DOLLAR] = eval_dollar,   [EXPR_TYPE] = eval_type_value,
	[EXPR_UNARY] = eval_unary,     [EXPR_BINARY] = eval_binary,   [EXPR_CHOOSE] = eval_choose,
	[EXPR_ASSIGN] = eval_assign,   [EXPR_CAST] = eval_cast,       [EXPR_SIZEOF] = eval_sizeof,
	[EXPR_MEMORY] = eval_memory,   [EXPR_INDEX] = eval_index,     [EXPR_MEMBER] = eval_member,
	[EXPR_CALL] = eval_call,       [EXPR_ALIGNOF] = eval_sizeof,  [EXPR_ELEMENT] = eval_element,
	[EXPR_SECTION] = eval_section, [EXPR_COMPLEX] = eval_fortran,
};

struct error *eval_is_true(const struct eval_context *c, const struct value *v, bool *ret)
{
	struct value of = *v;
	struct number n;
	bool known;
	struct error *err = container_truth(c->scope, v, ret, &known);

	if (err || known)
		return err;
	err = eval_object_number(c, &of);
	if (!err)
		err = value_number(&of, &n);
	if (!err)
		*ret = value_is_true(&n);
	return err;
}

struct error *eval(const struct eval_context *c, const struct expr *e, struct value *ret)
{
	return evaluators[e->kind](c, e, ret);
}
