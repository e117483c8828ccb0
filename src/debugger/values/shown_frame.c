/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/shown.h"

#include <string.h>

#include "debugger/values/lookup.h"

void shown_variables_fini(struct shown_variables *l)
{
	vec_for_each (item, l) {
		shown_fini(&item->value);
		shown_fini(&item->at_entry);
	}
	vec_fini(l);
}

static struct error *add_entry(const struct scope *s, const struct variable *variable,
			       const struct value *now, const struct shown_limits *limits,
			       struct shown_variable *ret)
{
	struct value then;

	if (!value_at_entry(s, variable, &then))
		return NULL;
	ret->is_entry = !now->missing && now->size == then.size &&
			!memcmp(now->bytes, then.bytes, then.size);
	ret->has_entry = !ret->is_entry;
	return ret->is_entry ? NULL : shown_make(s, &then, limits, &ret->at_entry);
}

static struct error *add_item(struct shown_variables *ret, struct error *err,
			      struct shown_variable *item)
{
	if (!err && vec_push(ret, *item))
		return NULL;
	shown_fini(&item->value);
	shown_fini(&item->at_entry);
	return err ? err : &error_nomem;
}

static struct error *add_variable(const struct scope *s, const struct variable *variable,
				  const struct shown_limits *limits, struct shown_variables *ret)
{
	struct shown_variable item = { .name = variable->name, .common = variable->common };
	struct value v;

	struct error *err = lookup_local(s, variable, variable->name, &v);
	if (err)
		v = (struct value){ .type = variable->type ? variable_own_type(variable)
							   : &type_void,
				    .missing = "unavailable" };
	error_ignore(err);
	err = shown_make(s, &v, limits, &item.value);
	if (!err)
		err = add_entry(s, variable, &v, limits, &item);
	return add_item(ret, err, &item);
}

struct giving {
	const struct shown_limits *limits;
	struct shown_variables *ret;
	struct error *err;
};

static bool found_given(void *context, const struct scope *s, const char *name, int line,
			const struct value *v)
{
	struct giving *g = context;
	struct shown_variable item = { .name = name };

	(void)line;
	vec_for_each (there, g->ret) {
		if (there->name && !strcmp(there->name, name))
			return true;
	}
	struct error *err = shown_make(s, v, g->limits, &item.value);
	g->err = add_item(g->ret, err, &item);
	return !g->err;
}

/* What a task shares is not among the variables of its frame where clang has made that. */
static struct error *add_given(const struct scope *s, const struct shown_limits *limits,
			       struct shown_variables *ret)
{
	struct giving g = { .limits = limits, .ret = ret };

	if (s->thread && s->given_each)
		s->given_each(s, found_given, &g);
	return g.err;
}

/* One further in has the same name and was made of it: clang's copies are declared in no line.
 * Where gcc has a loop's variable twice, the outer one is nowhere. */
static bool is_copied(const struct variable_list *all, const struct variable *of)
{
	int line = variable_line(of), its;

	vec_for_each (v, all) {
		bool inner = v->depth > of->depth || (v->depth == of->depth && v > of);
		if (!inner || v->internal || !v->name || !of->name ||
		    strcmp(v->name, of->name) != 0)
			continue;
		its = variable_line(v);
		if (!line || !its || line == its)
			return true;
	}
	return false;
}

/* Code of constructs has no arguments: what it is passed are variables of the function around. */
static bool is_shown(const struct variable_list *all, const struct variable *v, bool arguments,
		     const struct shown_limits *limits)
{
	if ((v->argument && !v->passing) != arguments || (!limits->internal && v->internal))
		return false;
	const bool copy_counts =
		limits->meant || (!limits->internal && (v->passing || !variable_is_placed(v)));
	return !(copy_counts && is_copied(all, v));
}

static struct error *show_all(const struct scope *s, bool arguments,
			      const struct shown_limits *limits, struct shown_variables *ret)
{
	struct variable_list all = { 0 };
	struct error *err = NULL;

	if (!s->thread)
		return NULL;
	err = variables_in_scope(s->session->variables, scope_lookup_pc(s), s->level, &all);
	vec_for_each (variable, &all) {
		if (!err && is_shown(&all, variable, arguments, limits))
			err = add_variable(s, variable, limits, ret);
	}
	vec_fini(&all);
	return err;
}

struct error *shown_arguments(const struct scope *s, const struct shown_limits *limits,
			      struct shown_variables *ret)
{
	return show_all(s, true, limits, ret);
}

struct error *shown_locals(const struct scope *s, const struct shown_limits *limits,
			   struct shown_variables *ret)
{
	struct error *err = show_all(s, false, limits, ret);

	return err ? err : add_given(s, limits, ret);
}
