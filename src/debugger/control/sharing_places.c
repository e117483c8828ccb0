/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/sharing_places.h"

#include <string.h>
#include <strings.h>

#include "debugger/values/captured.h"
#include "debugger/values/lookup.h"
#include "debugger/values/reach.h"

enum { POINTERS_MAX = 64 };

size_t sharing_places_name(const char *name)
{
	const char *dot = strchr(name, '.');
	bool numbered = dot && dot > name && dot[1] && !dot[1 + strspn(dot + 1, "0123456789")];

	return numbered ? (size_t)(dot - name) : strlen(name);
}

bool sharing_places_is_object(const char *name)
{
	return !strcmp(name, "this");
}

/* What a variable is in a scope, references followed. */
static struct error *find_value(const struct scope *s, const char *name, struct variable *v,
				struct value *ret)
{
	struct error *err = value_of_variable(s, v, ret);
	err = err ? err : reach_settle(s, ret, false);
	/* Regions have copies of the pointer; what threads share or not is the object. */
	bool points = sharing_places_is_object(name) || name[sharing_places_name(name)];
	if (!err && !ret->missing && points && reach_is_pointer(ret))
		err = reach_target(s, ret, 0, ret);
	return err;
}

static void set_place(const struct value *v, struct sharing_place *ret)
{
	ret->missing = v->missing;
	if (v->missing)
		return;
	if (v->place == VALUE_MEMORY)
		ret->addr = v->addr;
	else if (v->place == VALUE_REGISTER)
		ret->reg = v->reg;
	else
		ret->missing = "optimized out";
}

/* Blocks of the function may have variables of the same name: a reduction's copy and its original.
 */
static struct error *find_place(struct member *m, const struct variable *wanted, const char *name,
				struct sharing_place *ret)
{
	struct variable found;
	struct scope scope;
	struct value v;
	struct error *err = member_scope(m, &scope);

	ret->missing = "not available";
	if (err || !lookup_variable(&scope, NULL, name, &found))
		return err;
	if (!variable_is_same(&found, wanted)) {
		ret->missing = "at a place where that is another variable";
		return NULL;
	}
	if (!lookup_is_local(&scope, name) && captured_copied(&scope, name))
		return NULL;
	err = find_value(&scope, name, &found, &v);
	if (!err)
		set_place(&v, ret);
	return err;
}

static struct error *add_place(struct member *m, const struct variable *v, struct sharing_row *row)
{
	struct sharing_place place = { .thread = m->thread, .missing = "not in this function" };

	if (m->begins)
		place.missing = "at the beginning of the function";
	else if (m->stands_there)
		error_ignore(find_place(m, v, row->in_code, &place));
	return vec_push(&row->places, place) ? NULL : &error_nomem;
}

static bool is_first(const struct sharing_row *row, const struct sharing_place *place)
{
	for (const struct sharing_place *p = row->places.items; p < place; p++) {
		if (p->addr == place->addr)
			return false;
	}
	return true;
}

/* A register is nobody else's. */
static void weigh(struct sharing_row *row)
{
	size_t known = 0, different = 0;

	vec_for_each (place, &row->places) {
		known += place->addr || place->reg;
		different += place->reg || (place->addr && is_first(row, place));
		row->addresses += place->addr && is_first(row, place);
	}
	if (known < 2)
		row->evidence = EVIDENCE_NONE;
	else if (different == 1)
		row->evidence = EVIDENCE_ONE;
	else
		row->evidence = different == known ? EVIDENCE_EACH : EVIDENCE_SOME;
}

/* How many pointers one has to follow. */
static int pointers(const struct type *t)
{
	int n = 0;

	for (t = type_strip(t); type_is_pointer(t) && t->target && n < POINTERS_MAX; n++)
		t = type_strip(t->target);
	return n;
}

/* gcc: a member of what the argument without a name points to. clang: an argument of that name. */
static enum sharing_capture captured(const struct scope *s, const char *name,
				     const struct type *type)
{
	taddr pc = scope_lookup_pc(s);
	struct variable v;
	size_t n = 0;

	if (!variables_find_unnamed(s->session->variables, pc, s->level, &v)) {
		if (!variables_find_local(s->session->variables, pc, s->level, name, &v) ||
		    !v.argument || !v.type)
			return CAPTURE_NONE;
		return type_strip(v.type)->kind == TYPE_REFERENCE ? CAPTURE_REFERENCE
								  : CAPTURE_VALUE;
	}
	const struct type *t = v.type ? type_strip(v.type) : NULL;
	t = t && type_is_pointer(t) && t->target ? type_strip(t->target) : NULL;
	const struct type_member *members = t ? type_members(t, &n) : NULL;
	for (size_t i = 0; i < n; i++) {
		if (!members[i].name || strcasecmp(members[i].name, name) != 0)
			continue;
		return pointers(members[i].type) > pointers(type) ? CAPTURE_REFERENCE
								  : CAPTURE_VALUE;
	}
	return n ? CAPTURE_NONE : CAPTURE_UNKNOWN;
}

struct error *sharing_places_find(struct members *team, const struct scope *scope,
				  const struct variable *v, struct sharing_row *row)
{
	struct error *err = NULL;

	vec_for_each (m, &team->items)
		err = err ? err : add_place(m, v, row);
	if (err)
		return err;
	row->capture = captured(scope, row->in_code, v->type ? v->type : &type_void);
	weigh(row);
	return NULL;
}

static void find_given(struct member *m, const char *name, struct sharing_place *ret)
{
	struct scope scope;
	struct value v;
	struct error *err = member_scope(m, &scope);

	if (!err && scope.given && scope.given(&scope, name, 0, &v))
		set_place(&v, ret);
	error_ignore(err);
}

struct error *sharing_places_given(struct members *team, const struct scope *scope,
				   const struct value *v, struct sharing_row *row)
{
	vec_for_each (m, &team->items) {
		struct sharing_place place = { .thread = m->thread,
					       .missing = "not in this function" };
		if (m->frames.thread == scope->thread)
			set_place(v, &place);
		else if (m->stands_there && !m->begins)
			find_given(m, row->in_code, &place);
		if (!vec_push(&row->places, place))
			return &error_nomem;
	}
	row->capture = CAPTURE_REFERENCE;
	weigh(row);
	return NULL;
}
