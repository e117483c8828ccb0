/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/compile.h"

#include <string.h>

#include "debugger/values/arithmetic.h"
#include "debugger/values/captured.h"
#include "debugger/values/classes.h"
#include "debugger/values/emit.h"
#include "debugger/values/lookup.h"
#include "debugger/values/omp_variables.h"
#include "debugger/values/reach.h"
#include "debugger/values/registers.h"

struct compiler {
	const struct scope *scope;
	struct location_cfa cfa;
	struct buf *out;
	struct compiled *how;
};

/* What an expression leaves on the stack: a number (emit.h), or the address of a structure. */
struct result {
	const struct type *type; /* stripped; never an array or a function */
};

static struct error *compile(struct compiler *k, const struct expr *e, struct result *ret);

static struct error *floats_and_integers(void)
{
	return emit_cannot("values that are no integers, pointers, floats or doubles");
}

/* The address on top becomes what is there. Arrays, functions and structures are their address. */
static struct error *load(struct compiler *k, const struct type *type, struct result *ret)
{
	const struct type *t = type_strip(type);

	if (t->kind == TYPE_REFERENCE) {
		emit_load(k->out, t);
		t = type_strip(t->target ? t->target : &type_void);
	}
	if (t->is_fortran && t->kind == TYPE_POINTER)
		return emit_cannot("pointers of Fortran");
	if (t->kind == TYPE_ARRAY && (t->is_fortran || (t->target && type_is_dynamic(t->target))))
		return emit_cannot("arrays whose shape is known at run time only");
	if (t->kind == TYPE_ARRAY || t->kind == TYPE_FUNCTION) {
		ret->type = type_pointer_to(lookup_types(k->scope),
					    t->kind == TYPE_ARRAY ? t->target : t);
		return ret->type ? NULL : &error_nomem;
	}
	ret->type = t;
	if (t->kind == TYPE_STRUCT)
		return NULL;
	if (!emit_is_integer(t) && !emit_is_float(t))
		return floats_and_integers();
	emit_load(k->out, t);
	return NULL;
}

/* A number, and no structure. */
static struct error *compile_number_of(struct compiler *k, const struct expr *e, struct result *ret)
{
	struct error *err = compile(k, e, ret);

	return !err && ret->type->kind == TYPE_STRUCT ? floats_and_integers() : err;
}

/* ---- operands --------------------------------------------------------------------------- */

static struct error *compile_number(struct compiler *k, const struct expr *e, struct result *ret)
{
	ret->type = e->type;
	if (e->kind == EXPR_NUMBER)
		opcode_add_constant(k->out, e->number);
	else if (emit_is_float(e->type))
		emit_real(k->out, (double)e->real);
	else
		return floats_and_integers();
	return NULL;
}

/* Where a variable is, or what it holds. */
static struct error *compile_place(struct compiler *k, const struct variable *v,
				   enum location_kind *ret_kind)
{
	struct session *s = k->scope->session;
	struct variable settled = *v;
	const char *why = lookup_is_local(k->scope, v->name) ? captured_settle(k->scope, &settled)
							     : captured_copied(k->scope, v->name);

	if (why)
		return error_new(ERROR_UNSUPPORTED, "%s", why);
	return variables_compile(s->variables, &settled, s->target, &k->cfa, k->out, ret_kind);
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
	if (!emit_is_integer(t))
		return floats_and_integers();
	emit_fit(k->out, t);
	ret->type = t;
	return t->kind == TYPE_REFERENCE && t->target ? load(k, t->target, ret) : NULL;
}

/* ---- members ---------------------------------------------------------------------------- */

/* Of the structure whose address is on top. Its address is there then. */
static struct error *to_member(struct compiler *k, const struct type *type, const char *name,
			       const struct type_member **ret)
{
	uint64_t offset = 0;
	const struct type_member *m = classes_field(type, name, &offset);
	struct error *err = reach_check_member(k->scope, type, name);

	if (err)
		return err;
	if (!m)
		return emit_cannot("that member");
	if (offset) {
		opcode_add_constant(k->out, offset);
		opcode_add(k->out, CONDITION_ADD);
	}
	*ret = m;
	return NULL;
}

static struct error *load_member(struct compiler *k, const struct type *type, const char *name,
				 struct result *ret)
{
	const struct type_member *m = NULL;
	struct error *err = to_member(k, type, name, &m);

	if (err || !m->bit_size)
		return err ? err : load(k, m->type, ret);
	if (m->bit_offset + m->bit_size > 64 || !emit_is_integer(m->type))
		return floats_and_integers();
	emit_load_bits(k->out, m->type, m->bit_offset, m->bit_size);
	ret->type = value_bits_type(m->type, m->bit_size);
	return NULL;
}

/* Leaves the address of the structure that "." or "->" is applied to. */
static struct error *compile_whole(struct compiler *k, const struct expr *e, bool arrow,
				   const struct type **ret)
{
	struct result whole;
	struct error *err = compile(k, e, &whole);

	if (!err && arrow && whole.type->kind == TYPE_STRUCT)
		err = emit_cannot("operators of classes");
	if (err)
		return err;
	*ret = whole.type->kind == TYPE_POINTER && whole.type->target
		       ? type_strip(whole.type->target)
		       : whole.type;
	return (*ret)->kind == TYPE_STRUCT
		       ? NULL
		       : error_new(ERROR_USAGE, "attempt to extract a component of a value "
						"that is not a structure");
}

static struct error *compile_member(struct compiler *k, const struct expr *e, struct result *ret)
{
	const struct type *whole;
	struct error *err = compile_whole(k, e->kids[0], e->op == EXPR_DEREFERENCE, &whole);

	return err ? err : load_member(k, whole, e->text, ret);
}

/* A member of the object that the function is called for; leaves its address. */
static bool compile_this(struct compiler *k, const char *name, const struct type **ret,
			 struct error **ret_err)
{
	uint64_t offset = 0;
	struct result object;
	struct variable v;

	*ret_err = NULL;
	if (lookup_is_local(k->scope, name) || !lookup_is_local(k->scope, "this") ||
	    !lookup_variable(k->scope, NULL, "this", &v) || !v.type)
		return false;
	const struct type *t = type_strip(v.type);
	if (t->kind != TYPE_POINTER || !t->target || !classes_field(t->target, name, &offset))
		return false;
	*ret_err = compile_variable(k, &v, &object);
	*ret = type_strip(t->target);
	return true;
}

static struct error *compile_name(struct compiler *k, const struct expr *e, struct result *ret)
{
	const struct type *object;
	struct variable variable;
	struct error *err;
	struct value v;

	if (!e->file && compile_this(k, e->text, &object, &err))
		return err ? err : load_member(k, object, e->text, ret);
	if (lookup_variable(k->scope, e->file, e->text, &variable))
		return compile_variable(k, &variable, ret);
	if (!e->file && lookup_is_outer(k->scope, e->text))
		return emit_cannot("variables of the function around");
	err = lookup_name(k->scope, e->file, e->text, &v);
	if (error_is(err, ERROR_NOT_FOUND) && strstr(e->text, "::") &&
	    lookup_is_local(k->scope, "this")) {
		error_ignore(err);
		return emit_cannot("members by the names of their classes");
	}
	if (err)
		return err;
	if (v.type == &type_data_symbol)
		return error_new(ERROR_USAGE, "'%s' has unknown type; cast it to its declared type",
				 e->text);
	bool function = type_strip(v.type)->kind == TYPE_FUNCTION;
	if (v.place == VALUE_MEMORY && !function) {
		opcode_add_constant(k->out, v.addr);
		return load(k, v.type, ret);
	}
	struct number n;
	err = value_number(&v, &n);
	if (err)
		return err;
	if (!function && !emit_is_integer(n.type))
		return floats_and_integers();
	opcode_add_constant(k->out, (uint64_t)n.bits);
	ret->type = function ? &type_code_pointer : n.type;
	return NULL;
}

static struct error *compile_omp(struct compiler *k, const struct omp_variable *v)
{
	bool doubtful = false;
	struct error *err = omp_variable_compile(k->scope->session, v, k->out, &doubtful);

	k->how->whole &= !doubtful;
	k->how->early |= error_is(err, ERROR_TOO_EARLY);
	return err;
}

static struct error *compile_dollar(struct compiler *k, const struct expr *e, struct result *ret)
{
	const struct omp_variable *omp = omp_variable_find(e->text + 1);
	const struct register_view *r = register_find(e->text + 1);
	const struct arch *arch = k->scope->session->target->arch;
	const struct reg *row = r ? arch_find_reg(arch, r->row) : NULL;

	if (omp) {
		ret->type = &type_int;
		return compile_omp(k, omp);
	}
	if (!row || !emit_is_integer(r->type))
		return emit_cannot(
			"variables of the debugger, or registers other than the general ones");
	ret->type = type_strip(r->type);
	if (row == arch->pc) {
		opcode_add(k->out, CONDITION_PC);
		return NULL;
	}
	if (row->dwarf < 0 || location_code_reg(arch, (uint64_t)row->dwarf) < 0)
		return emit_cannot("registers other than the general ones");
	opcode_add_byte(k->out, CONDITION_REGISTER,
			(uint8_t)location_code_reg(arch, (uint64_t)row->dwarf));
	if (r->offset) {
		opcode_add_constant(k->out, 8u * r->offset);
		opcode_add(k->out, CONDITION_SHIFT_RIGHT);
	}
	emit_fit(k->out, ret->type);
	return NULL;
}

/* ---- operators -------------------------------------------------------------------------- */

static struct error *compile_logic(struct compiler *k, const struct expr *e, struct result *ret)
{
	struct result side;
	struct error *err = compile_number_of(k, e->kids[0], &side);

	if (err)
		return err;
	/* The first one decides if it is false, or for || if it is true. */
	emit_truth(k->out, side.type);
	if (e->op == EXPR_OR_ELSE)
		opcode_add(k->out, CONDITION_NOT);
	size_t decided = opcode_jump(k->out, CONDITION_JUMP_ZERO);
	err = compile_number_of(k, e->kids[1], &side);
	if (err)
		return err;
	emit_truth(k->out, side.type);
	size_t end = opcode_jump(k->out, CONDITION_JUMP);
	opcode_land(k->out, decided);
	opcode_add_constant(k->out, e->op == EXPR_OR_ELSE);
	opcode_land(k->out, end);
	ret->type = &type_int;
	return NULL;
}

static struct error *compile_binary(struct compiler *k, const struct expr *e, struct result *ret)
{
	struct result a, b;

	if (e->op == EXPR_AND_THEN || e->op == EXPR_OR_ELSE)
		return compile_logic(k, e, ret);
	if (e->op >= EXPR_REPEAT)
		return emit_cannot("arrays, or pointers to members");
	struct error *err = compile_number_of(k, e->kids[0], &a);
	if (!err && e->op == EXPR_COMMA) {
		opcode_add(k->out, CONDITION_DROP);
		return compile(k, e->kids[1], ret);
	}
	if (!err)
		err = compile_number_of(k, e->kids[1], &b);
	return err ? err : emit_binary(k->out, e->op, a.type, b.type, &ret->type);
}

static struct error *compile_choose(struct compiler *k, const struct expr *e, struct result *ret)
{
	struct result condition, a, b;
	struct error *err = compile_number_of(k, e->kids[0], &condition);

	if (err)
		return err;
	emit_truth(k->out, condition.type);
	size_t otherwise = opcode_jump(k->out, CONDITION_JUMP_ZERO);
	err = compile_number_of(k, e->kids[1], &a);
	size_t first = opcode_jump(k->out, CONDITION_JUMP);
	opcode_land(k->out, otherwise);
	if (!err)
		err = compile_number_of(k, e->kids[2], &b);
	if (err)
		return err;
	/* What the first one is converted to is known now. */
	ret->type = arithmetic_common_type(a.type, b.type);
	err = emit_convert(k->out, b.type, ret->type);
	size_t end = opcode_jump(k->out, CONDITION_JUMP);
	opcode_land(k->out, first);
	if (!err)
		err = emit_convert(k->out, a.type, ret->type);
	opcode_land(k->out, end);
	return err;
}

static struct error *compile_index_place(struct compiler *k, const struct expr *e,
					 const struct type **ret)
{
	struct result array, index;
	struct error *err =
		e->kids[2] ? emit_cannot("arrays") : compile_number_of(k, e->kids[0], &array);

	if (!err)
		err = compile_number_of(k, e->kids[1], &index);
	if (!err && (array.type->kind != TYPE_POINTER || !array.type->target ||
		     !emit_is_integer(index.type)))
		err = emit_cannot("an index into something that is no array or pointer");
	if (err)
		return err;
	emit_scale(k->out, reach_step(array.type));
	opcode_add(k->out, CONDITION_ADD);
	*ret = array.type->target;
	return NULL;
}

static struct error *compile_pointed(struct compiler *k, const struct expr *e,
				     const struct type **ret)
{
	struct result pointer;
	struct error *err = compile_number_of(k, e->kids[0], &pointer);

	if (err)
		return err;
	*ret = pointer.type->kind == TYPE_INT ? &type_long : pointer.type->target;
	if (pointer.type->kind != TYPE_INT && (pointer.type->kind != TYPE_POINTER || !*ret))
		return error_new(ERROR_USAGE, "attempt to take contents of a non-pointer value");
	return NULL;
}

/* Leaves the address of what has one. */
static struct error *compile_lvalue(struct compiler *k, const struct expr *e,
				    const struct type **ret)
{
	enum location_kind kind = LOCATION_MISSING;
	const struct type_member *m = NULL;
	const struct type *whole;
	struct error *err = NULL;
	struct variable v;

	if (e->kind == EXPR_NAME && compile_this(k, e->text, &whole, &err)) {
		if (!err)
			err = to_member(k, whole, e->text, &m);
	} else if (e->kind == EXPR_MEMBER) {
		err = compile_whole(k, e->kids[0], e->op == EXPR_DEREFERENCE, &whole);
		if (!err)
			err = to_member(k, whole, e->text, &m);
	} else if (e->kind == EXPR_INDEX) {
		return compile_index_place(k, e, ret);
	} else if (e->kind == EXPR_UNARY && e->op == EXPR_DEREFERENCE) {
		return compile_pointed(k, e, ret);
	} else if (e->kind == EXPR_NAME && lookup_variable(k->scope, e->file, e->text, &v)) {
		err = compile_place(k, &v, &kind);
		*ret = v.type ? v.type : &type_void;
		return !err && kind != LOCATION_MEMORY
			       ? emit_cannot("the address of what is in a register")
			       : err;
	} else {
		return emit_cannot("that address");
	}
	if (!err && m->bit_size)
		err = emit_cannot("the address of a bit-field");
	*ret = err ? NULL : m->type;
	return err;
}

static struct error *compile_address(struct compiler *k, const struct expr *e, struct result *ret)
{
	const struct type *type = NULL;
	size_t before = k->out->len;
	struct error *err = compile_lvalue(k, e, &type);

	if (error_is(err, ERROR_UNSUPPORTED) && e->kind == EXPR_NAME && k->out->len == before) {
		error_ignore(err);
		err = compile_name(k, e, ret); /* a function */
		bool function = !err && ret->type == &type_code_pointer;
		return err || function ? err : emit_cannot("that address");
	}
	if (!err && type_strip(type)->kind == TYPE_REFERENCE) {
		emit_load(k->out, type);
		type = type_strip(type)->target ? type_strip(type)->target : &type_void;
	}
	if (!err)
		ret->type = type_pointer_to(lookup_types(k->scope), type);
	return err ? err : ret->type ? NULL : &error_nomem;
}

/* An element, or what a pointer points to. */
static struct error *compile_there(struct compiler *k, const struct expr *e, struct result *ret)
{
	const struct type *type;
	struct error *err = compile_lvalue(k, e, &type);

	return err ? err : load(k, type, ret);
}

static struct error *compile_unary(struct compiler *k, const struct expr *e, struct result *ret)
{
	struct result of;

	if (e->op >= EXPR_INCREMENT)
		return emit_cannot("assignments");
	if (e->op == EXPR_ADDRESS)
		return compile_address(k, e->kids[0], ret);
	if (e->op == EXPR_DEREFERENCE)
		return compile_there(k, e, ret);
	struct error *err = compile_number_of(k, e->kids[0], &of);
	return err ? err : emit_unary(k->out, e->op, of.type, &ret->type);
}

static struct error *compile_cast(struct compiler *k, const struct expr *e, struct result *ret)
{
	const struct type *type;
	struct result of;
	struct error *err = lookup_type(k->scope, &e->cast, &type);

	if (!err)
		err = compile_number_of(k, e->kids[0], &of);
	if (err)
		return err;
	if (e->kind == EXPR_MEMORY)
		return load(k, type, ret);
	const struct type *t = type_strip(type);
	/* Pointers to classes may be moved by it. */
	bool moves = t->kind == TYPE_POINTER && t->target && type_is_struct(t->target) &&
		     of.type->kind == TYPE_POINTER && of.type->target &&
		     type_is_struct(of.type->target);
	if (e->op != EXPR_NONE || moves || t->kind == TYPE_REFERENCE)
		return emit_cannot("casts of C++ between classes");
	ret->type = t;
	return emit_convert(k->out, of.type, t);
}

static struct error *compile_sizeof(struct compiler *k, const struct expr *e, struct result *ret)
{
	const struct type *type;

	if (e->kids[0]->kind != EXPR_TYPE)
		return emit_cannot("the size of an expression");
	struct error *err = lookup_type(k->scope, &e->kids[0]->cast, &type);
	if (err)
		return err;
	opcode_add_constant(k->out, type_size(type));
	ret->type = &type_unsigned_long;
	return NULL;
}

static struct error *(*const compilers[])(struct compiler *, const struct expr *,
					  struct result *) = {
	[EXPR_NUMBER] = compile_number,
	[EXPR_FLOAT] = compile_number,
	[EXPR_NAME] = compile_name,
	[EXPR_DOLLAR] = compile_dollar,
	[EXPR_UNARY] = compile_unary,
	[EXPR_BINARY] = compile_binary,
	[EXPR_CHOOSE] = compile_choose,
	[EXPR_CAST] = compile_cast,
	[EXPR_MEMORY] = compile_cast,
	[EXPR_INDEX] = compile_there,
	[EXPR_MEMBER] = compile_member,
	[EXPR_SIZEOF] = compile_sizeof,
	[EXPR_LIST] = NULL,
};

static struct error *compile(struct compiler *k, const struct expr *e, struct result *ret)
{
	return expr_near(compilers[e->kind] ? compilers[e->kind](k, e, ret) : emit_cannot("that"),
			 e->at);
}

/* ---- conditions ------------------------------------------------------------------------- */

static bool is_none(const struct error *err)
{
	return error_is(err, ERROR_UNSUPPORTED) || error_is(err, ERROR_TOO_EARLY);
}

/* Leaves 1 where what can be compiled of it holds; of a && b one of them may be nothing. */
static struct error *compile_sieve(struct compiler *k, const struct expr *e, bool *ret_any)
{
	const size_t before = k->out->len;
	struct result result;
	bool first, second;
	struct error *err = compile_number_of(k, e, &result);

	*ret_any = !err;
	if (!err)
		emit_truth(k->out, result.type);
	if (!is_none(err))
		return err;
	error_ignore(err);
	k->how->whole = false;
	k->out->len = before;
	if (e->kind != EXPR_BINARY || e->op != EXPR_AND_THEN)
		return NULL;
	err = compile_sieve(k, e->kids[0], &first);
	if (!err)
		err = compile_sieve(k, e->kids[1], &second);
	*ret_any = !err && (first || second);
	if (!err && first && second)
		opcode_add(k->out, CONDITION_AND);
	return err;
}

/* Behind those before it: *any. */
static struct error *add_condition(struct compiler *k, const char *text, bool *any)
{
	const struct expr_options options = {
		.is_type = lookup_is_type,
		.is_known = lookup_is_known,
		.context = (void *)k->scope,
		.words = lookup_is_cxx(k->scope),
		.fortran = lookup_is_fortran(k->scope),
	};
	bool own = false;
	AUTO_EXPR *e = NULL;
	struct error *err = expr_parse(text, &options, &e, NULL);

	if (!err)
		err = compile_sieve(k, e, &own);
	if (!err && own && *any)
		opcode_add(k->out, CONDITION_AND);
	*any |= own;
	return expr_near(err, text);
}

struct error *compile_conditions(struct session *s, taddr pc, const char *const *texts,
				 struct buf *ret, struct compiled *ret_how)
{
	const struct scope scope = { .session = s, .pc = pc, .exact = true };
	struct compiler k = { .scope = &scope, .cfa = { .reg = -1 }, .out = ret, .how = ret_how };
	struct error *err = NULL;
	bool any = false;

	*ret_how = (struct compiled){ .whole = true };
	if (!unwind_cfa(s->unwinder, pc, &k.cfa))
		k.cfa.reg = -1;
	for (; !err && *texts; texts++)
		err = add_condition(&k, *texts, &any);
	if (err)
		return err;
	if (any)
		opcode_add(ret, CONDITION_END);
	if (!buf_ok(ret))
		return &error_nomem;
	if (ret->len > CONDITION_SIZE_MAX) {
		ret_how->whole = false;
		ret->len = 0;
	}
	return condition_check((const uint8_t *)ret->data, ret->len);
}
