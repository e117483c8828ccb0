/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/original.h"

#include <string.h>
#include <strings.h>

#include "debugger/values/captured.h"
#include "debugger/values/lookup.h"
#include "debugger/values/passed.h"
#include "debugger/values/reach.h"
#include "ompd/enclosing.h"

/* What is asked for: a variable that the scope's code sees. */
struct copy {
	const struct scope *s;
	struct variable v;
	int line; /* of its declaration: gcc's copies have that of the original, clang's have none
		   */
};

bool original_is_asked(const struct scope *s, const struct expr *call)
{
	const struct expr *of = call->kids[0];
	struct value v;

	if (!s || !s->thread)
		return false;
	if (of->kind == EXPR_DOLLAR)
		return !strcmp(of->text, "$_orig");
	if (of->kind != EXPR_NAME || of->file ||
	    (call->is_fortran ? strcasecmp : strcmp)(of->text, "orig") != 0)
		return false;
	struct error *err = lookup_name(s, NULL, of->text, &v);
	bool none = error_is(err, ERROR_NOT_FOUND);
	error_ignore(err);
	return none;
}

/* ---- in the same function ----------------------------------------------------------------- */

/* Arguments are further out than variables of their depth. */
static unsigned int rank(const struct variable *v)
{
	return 2 * v->depth - v->argument;
}

static bool is_of_line(const struct copy *c, const struct variable *v)
{
	int line = variable_line(v);

	return !c->line || !line || line == c->line;
}

/* The next one outward that was declared in the same line. false: there is none. */
static bool find_around(const struct copy *c, struct variable *ret)
{
	struct variable_list all = { 0 };
	bool fortran = lookup_is_fortran(c->s);
	bool found = false;

	error_ignore(variables_in_scope(c->s->session->variables, scope_lookup_pc(c->s),
					c->s->level, &all));
	vec_for_each (v, &all) {
		if (!v->depth || !c->v.depth || rank(v) >= rank(&c->v) ||
		    (fortran ? strcasecmp : strcmp)(v->name, c->v.name) != 0 || !is_of_line(c, v))
			continue;
		if (!found || rank(v) > rank(ret))
			*ret = *v;
		found = true;
	}
	vec_fini(&all);
	return found;
}

/* ---- what gcc passes ---------------------------------------------------------------------- */

/* Nothing comes back to what a task is passed. */
static bool is_of_task(const struct scope *s)
{
	const char *why = NULL;
	struct scope at = { 0 };

	return s->creator && (s->creator(s, &at, &why) || why) && at.made_task;
}

/* The clauses around say that the copies begin with its value: nothing comes back from them. */
static bool stays_outside(const struct copy *c)
{
	const unsigned int back = 1 << SHARING_REDUCTION | 1 << SHARING_LASTPRIVATE |
				  1 << SHARING_LINEAR | 1 << SHARING_SHARED;
	const struct source_frame *levels;
	AUTO_CONSTRUCTS around = { 0 };
	unsigned int sharing = 0;
	const char *modifier;
	size_t n = 0;

	error_ignore(symbol_locate(c->s->session->symbols, scope_lookup_pc(c->s), &levels, &n));
	const struct source_frame *at = c->s->level < n ? &levels[c->s->level] : NULL;
	const struct buf *text =
		at && at->file ? source_cache_get(c->s->session->sources, at->file) : NULL;
	if (text)
		error_ignore(enclosing_find(buf_text(text), text->len, enclosing_form(at->file),
					    at->line, &around));
	vec_for_each (construct, &around.items) {
		if (!sharing)
			sharing = directive_sharing(&construct->directive, c->v.name,
						    around.fortran, &modifier);
	}
	return sharing && !(sharing & back);
}

static struct error *follow(const struct scope *s, struct value *v)
{
	return type_strip(v->type)->kind == TYPE_REFERENCE ? reach_settle(s, v, false)
							   : reach_target(s, v, 0, v);
}

/* *ret_found: it is passed, and what *ret is, maybe missing, is the original. */
static struct error *find_passed(const struct copy *c, struct value *ret, bool *ret_found)
{
	const struct scope *s = c->s;
	struct value block;
	struct variable v;

	*ret_found = false;
	if (!variables_find_unnamed(s->session->variables, scope_lookup_pc(s), s->level, &v) ||
	    !v.type || !type_is_pointer(v.type))
		return NULL;
	const struct type *t = type_strip(v.type)->target;
	const struct type_member *m = t ? passed_member(t, c->v.name) : NULL;
	if (!m)
		return NULL;
	bool by_address = passed_is_address(m->type, c->v.type);
	if (!by_address && (is_of_task(s) || stays_outside(c)))
		return NULL;
	struct error *err = value_of_variable(s, &v, &block);
	if (!err && block.missing) {
		/* Behind an address is the very variable that the other frame has. */
		*ret_found = !by_address;
		*ret = (struct value){ .type = c->v.type, .missing = "optimized out" };
		return NULL;
	}
	*ret_found = true;
	if (!err)
		err = follow(s, &block);
	if (!err)
		err = value_member(s, &block, m, ret);
	return err || !by_address ? err : follow(s, ret);
}

/* ---- all of them -------------------------------------------------------------------------- */

static struct error *find_global(const struct copy *c, struct value *ret)
{
	struct variable v;

	if (variables_find_global(c->s->session->variables, VARIABLE_DATA, scope_lookup_pc(c->s),
				  NULL, c->v.name, &v) &&
	    !v.of_other && is_of_line(c, &v))
		return value_of_variable(c->s, &v, ret);
	return error_new(ERROR_USAGE,
			 "no original of %s is known: the construct itself declares it, or the "
			 "frame that has the original was not found",
			 c->v.name);
}

static struct error *find_original(const struct copy *c, struct value *ret)
{
	struct variable around;
	bool found = find_around(c, &around);
	struct error *err = found ? value_of_variable(c->s, &around, ret) : NULL;

	if (found && !err)
		err = reach_settle(c->s, ret, false);
	if (err || (found && !ret->missing))
		return err;
	err = find_passed(c, ret, &found);
	/* What a task has been given by reference is none of its copies. */
	if (!err && !found && c->s->given)
		found = c->s->given(c->s, c->v.name, c->line, ret);
	if (!err && !found)
		err = lookup_in_creator(c->s, c->v.name, c->line, ret, &found);
	/* What is shared is passed by reference; what is declared as one stays one. */
	if (found && !err && !ret->missing && !c->v.refers &&
	    type_strip(c->v.type)->kind != TYPE_REFERENCE)
		err = reach_settle(c->s, ret, false);
	if (err || found)
		return err;
	return captured_is_outlined(c->s) ? find_global(c, ret)
					  : value_of_variable(c->s, &c->v, ret);
}

struct error *original_of(const struct scope *s, const char *name, struct value *ret)
{
	struct scope as_original = *s;
	struct copy copy = { .s = &as_original };

	as_original.originals = true;
	/* Not of the function: nobody has made a copy of it, or none that is described. */
	if (!variables_find_local(s->session->variables, scope_lookup_pc(s), s->level, name,
				  &copy.v) ||
	    !copy.v.name || !copy.v.type)
		return lookup_name(&as_original, NULL, name, ret);
	copy.line = variable_line(&copy.v);
	return find_original(&copy, ret);
}

struct error *original_value(const struct scope *s, const struct expr *call, struct value *ret)
{
	const struct expr *of = call->kids[1];

	if (!of || of->kind != EXPR_NAME || of->file)
		return error_new(ERROR_USAGE,
				 "orig() takes the name of a variable: of an element it is "
				 "\"orig(a)[2]\", of a member \"orig(s).x\"");
	return original_of(s, of->text, ret);
}
