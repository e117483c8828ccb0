/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <string.h>

#include "debugger/values/classes.h"
#include "debugger/values/complex.h"
#include "debugger/values/eval.h"
#include "debugger/values/eval_parts.h"
#include "debugger/values/fortran.h"
#include "debugger/values/lookup.h"
#include "debugger/values/omp_variables.h"
#include "debugger/values/reach.h"
#include "debugger/values/registers.h"
#include "debugger/values/siginfo.h"

typedef const struct eval_context context;

struct error *eval_constant(context *c, const struct expr *e, struct value *ret)
{
	(void)c;
	if (e->kind == EXPR_IMAGINARY)
		return complex_imaginary(e->type, e->real, ret);
	*ret = e->kind == EXPR_FLOAT ? value_of_float(e->type, e->real)
				     : value_of_int(e->type, e->number);
	return NULL;
}

struct error *eval_string(context *c, const struct expr *e, struct value *ret)
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

struct error *eval_dollar(context *c, const struct expr *e, struct value *ret)
{
	const char *name = e->text + 1;

	if (!name[strspn(name, "$0123456789")])
		return eval_history(c, name, ret);
	const struct omp_variable *omp = omp_variable_find(name);
	if (omp)
		return omp_variable_value(c->scope, omp, ret);
	const struct register_view *r = register_find(name);
	if (r)
		return register_value(c->scope, r, ret);
	if (!strcmp(name, "_siginfo") && c->scope && c->scope->thread)
		return siginfo_value(c->scope, ret);
	*ret = convenience_get(c->values, name);
	if (ret->type == &type_void && c->scope && c->scope->loop)
		(void)c->scope->loop(c->scope, name, ret);
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
	bool frame = c->scope && c->scope->thread;
	bool given = c->scope && !frame && c->scope->given;

	*ret_err = NULL;
	if (frame ? !lookup_object(c->scope, name, &object, ret_err)
		  : !given || c->scope->given(c->scope, name, 0, &object) ||
			    !c->scope->given(c->scope, "this", 0, &object))
		return false;
	struct error *err = *ret_err;
	if (!err)
		err = object_of(c->scope, &object, &object);
	if (!err)
		err = member_or_captured(c->scope, &object, name, ret);
	bool none = error_is(err, ERROR_NOT_FOUND);
	if (none)
		error_ignore(err);
	const char *why = frame && !err ? lookup_copied(c->scope, name) : NULL;
	if (why)
		*ret = (struct value){ .type = ret->type, .missing = why };
	*ret_err = none ? NULL : err;
	return !none;
}

bool eval_original_member(context *c, const struct expr *name, struct value *ret,
			  struct error **ret_err)
{
	struct eval_context outside = *c;
	struct scope scope = *c->scope;

	scope.originals = true;
	outside.scope = &scope;
	return name && name->kind == EXPR_NAME && !name->file &&
	       eval_own_member(&outside, name->text, ret, ret_err);
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

struct error *eval_word(context *c, const struct expr *e, struct value *ret)
{
	struct error *err;

	if (!e->file && eval_own_member(c, e->text, ret, &err))
		return err;
	err = lookup_name(c->scope, e->file, e->text, ret);
	return err || strcmp(e->text, "this") ? err : eval_this(c, ret);
}
