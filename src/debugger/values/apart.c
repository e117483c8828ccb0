/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/apart.h"

#include "debugger/values/lookup.h"

static bool find_place(const struct scope *s, const struct variable *v, taddr *ret)
{
	const struct location_frame nowhere = { .target = s->session->target, .thread = s->thread };
	struct location where;

	variables_locate(s->session->variables, v, &nowhere, &where);
	*ret = where.parts[0].addr;
	return where.n == 1 && where.parts[0].kind == LOCATION_MEMORY;
}

static bool is_constant(const struct scope *s, const struct expr *name, const struct value *v)
{
	struct variables *all = s->session->variables;
	const taddr pc = scope_lookup_pc(s);
	struct variable found;

	return type_strip(v->type)->kind == TYPE_FUNCTION ||
	       (v->place == VALUE_NOWHERE && variables_find_global(all, VARIABLE_ENUMERATOR, pc,
								   name->file, name->text, &found));
}

/* What the scope's own thread has under the name must be that which lies in no frame. */
static bool is_apart(const struct scope *s, const struct expr *name)
{
	struct variable variable;
	struct value value;
	taddr at;
	struct error *err = lookup_name(s, name->file, name->text, &value);
	const bool known = !err;

	error_ignore(err);
	if (!known)
		return false;
	if (!lookup_variable(s, name->file, name->text, &variable))
		return !value.missing && is_constant(s, name, &value);
	return value.place == VALUE_MEMORY && find_place(s, &variable, &at) && at == value.addr;
}

static bool are_apart(const struct scope *s, const struct expr *e)
{
	if (!e)
		return true;
	if (e->kind == EXPR_DOLLAR || (e->kind == EXPR_NAME && !is_apart(s, e)))
		return false;
	for (size_t i = 0; i < sizeof(e->kids) / sizeof(*e->kids); i++) {
		if (!are_apart(s, e->kids[i]))
			return false;
	}
	return true;
}

void apart_find(const struct eval_context *c, const char *text, struct apart *ret)
{
	AUTO_EXPR *e = NULL;
	struct error *err = eval_parse(c, text, false, &e, NULL);
	const bool parsed = !err;

	error_ignore(err);
	*ret = (struct apart){ .text = text };
	ret->is = parsed && c->scope->session && c->scope->thread && are_apart(c->scope, e);
	ret->is_variable = ret->is && e->kind == EXPR_NAME &&
			   lookup_variable(c->scope, e->file, e->text, &ret->variable);
}

struct scope apart_scope(const struct apart *of, const struct scope *s, struct thread *th)
{
	struct scope ret = { .session = s->session, .language = s->language, .thread = th };

	if (!of->is_variable) {
		ret.level = s->level;
		ret.pc = s->pc;
		ret.exact = s->exact;
	}
	return ret;
}

struct error *apart_value(const struct apart *of, const struct eval_context *c, struct value *ret)
{
	return of->is_variable ? value_of_variable(c->scope, &of->variable, ret)
			       : eval_shown(c, of->text, ret);
}
