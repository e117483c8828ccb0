/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/captured_array.h"

#include <string.h>

static bool is_array(const struct type *t)
{
	t = t ? type_strip(t) : NULL;
	return t && t->kind == TYPE_ARRAY;
}

/* All that it has: the last dimension of one of an assumed size has no upper bound. */
static bool has_bounds(const struct type *t)
{
	for (t = type_strip(t); t->kind == TYPE_ARRAY && t->target; t = type_strip(t->target)) {
		if (t->unbounded && !t->is_open)
			return false;
	}
	return true;
}

/* As the innermost of the frames has it that have begun the regions around. */
static struct error *value_in_creator(const struct scope *s, const struct variable *variable,
				      struct value *ret)
{
	struct scope at = *s, next = { 0 };
	const char *why = NULL;
	struct variable v;

	for (size_t n = 0; n < UNWIND_FRAMES_MAX && at.creator; n++) {
		if (!at.creator(&at, &next, &why))
			break;
		at = next;
		at.cells = s->cells;
		if (variables_find_local(s->session->variables, scope_lookup_pc(&at), at.level,
					 variable->name, &v) &&
		    is_array(v.type) && variable_line(&v) == variable_line(variable))
			return value_of_variable(&at, &v, ret);
	}
	ret->missing = "not available";
	return NULL;
}

struct error *captured_array_find(const struct scope *s, const struct variable *variable,
				  struct value *value)
{
	const struct type *t = type_strip(value->type);
	struct value array = { 0 };
	taddr addr = 0;

	if (t->kind != TYPE_POINTER || !t->is_fortran || !is_array(t->target) || value->missing)
		return NULL;
	memcpy(&addr, value->bytes, sizeof(addr));
	if (!addr)
		return NULL;
	struct error *err = value_in_creator(s, variable, &array);
	bool known = !err && !array.missing && has_bounds(array.type);
	error_ignore(err);
	return known ? value_read(s, array.type, addr, value) : NULL;
}
