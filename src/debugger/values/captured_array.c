/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/captured_array.h"

#include <string.h>

#include "ompd/outlined.h"

enum { DIMENSIONS_MAX = 8 };

static bool is_array(const struct type *t)
{
	t = t ? type_strip(t) : NULL;
	return t && t->kind == TYPE_ARRAY;
}

/* All that it has: the last dimension of one of an assumed size has no upper bound. */
static bool has_bounds(const struct type *t)
{
	for (t = type_strip(t); t->kind == TYPE_ARRAY && t->target; t = type_strip(t->target)) {
		if (t->is_fortran ? t->unbounded && !t->is_open : !t->count)
			return false;
	}
	return true;
}

static bool is_pointer_to_scalar(const struct type *t)
{
	return t->kind == TYPE_POINTER && t->is_fortran && t->target && type_is_scalar(t->target);
}

static bool is_alike(const struct type *t, const struct variable *variable)
{
	t = t ? type_strip(t) : &type_void;
	return is_pointer_to_scalar(type_strip(variable->type))
		       ? t->kind == type_strip(type_strip(variable->type)->target)->kind
		       : is_array(t);
}

/* A copy that was in a frame that is gone had the same bounds as the variable further out. */
static bool find_next(const struct scope *s, struct scope *ret)
{
	const char *why = NULL;

	return s->creator && (s->creator(s, ret, &why) || (s->beyond && s->beyond(s, ret)));
}

/* As the innermost of the frames knows it that have begun the regions around. What clang makes for
 * a construct alone is declared in no line. */
static struct error *value_in_creator(const struct scope *s, const struct variable *variable,
				      struct value *ret)
{
	const int line = variable_line(variable);
	struct scope at = *s, next = { 0 };
	struct variable v;

	ret->missing = "not available";
	for (size_t n = 0; n < UNWIND_FRAMES_MAX && find_next(&at, &next); n++) {
		at = next;
		at.cells = s->cells;
		if (!variables_find_local(s->session->variables, scope_lookup_pc(&at), at.level,
					  variable->name, &v) ||
		    !is_alike(v.type, variable) || (line && variable_line(&v) != line))
			continue;
		if (is_pointer_to_scalar(type_strip(variable->type))) {
			*ret = (struct value){ .type = type_strip(variable->type)->target };
			return NULL;
		}
		struct error *err = value_of_variable(&at, &v, ret);
		if (err || (!ret->missing && has_bounds(ret->type)))
			return err;
	}
	return NULL;
}

/* Where an array is whose bounds the frame does not know. 0: it is none. */
static taddr find_place(const struct variable *variable, const struct value *value)
{
	const struct type *t = type_strip(value->type);
	taddr pointer = 0;

	if (is_array(t) && value->place == VALUE_MEMORY &&
	    (value->missing ? type_is_dynamic(t) : !has_bounds(t)))
		return value->addr;
	if (value->missing)
		return 0;
	if (variable->passing >= VARIABLE_BY_REFERENCE)
		return value->place == VALUE_MEMORY ? value->addr : 0;
	memcpy(&pointer, value->bytes, sizeof(pointer));
	if (t->kind == TYPE_POINTER)
		return t->is_fortran && (is_array(t->target) || is_pointer_to_scalar(t)) ? pointer
											 : 0;
	return t->kind == TYPE_REFERENCE && variable->argument ? pointer : 0;
}

/* A reference of that type refers to its first element. */
static bool is_of_elements(const struct type *array, const struct variable *variable)
{
	const struct type *own = type_strip(variable->type);

	if (own->kind != TYPE_REFERENCE || !own->target)
		return true;
	own = type_strip(own->target);
	for (array = type_strip(array); array->kind == TYPE_ARRAY && array->target;) {
		array = type_strip(array->target);
		if (array->kind == own->kind && type_size(array) == type_size(own))
			return true;
	}
	return false;
}

/* The lengths that clang passes in front of the first element of an array of those lengths. */
struct lengths {
	uint64_t items[DIMENSIONS_MAX];
	size_t n;
	bool known;
};

static void add_length(const struct scope *s, const struct variable *v, struct lengths *to)
{
	struct value value;
	struct number length = { 0 };
	struct error *err = value_of_variable(s, v, &value);

	if (!err)
		err = value_number(&value, &length);
	to->known &= !err && to->n < DIMENSIONS_MAX;
	error_ignore(err);
	if (to->n < DIMENSIONS_MAX)
		to->items[to->n++] = (uint64_t)length.bits;
}

static void find_lengths(const struct scope *s, const struct variable *variable,
			 struct lengths *ret)
{
	struct variable_list all = { 0 };

	*ret = (struct lengths){ .known = true };
	error_ignore(variables_in_scope(s->session->variables, scope_lookup_pc(s), s->level, &all));
	vec_for_each (v, &all) {
		if (variable_is_same(v, variable))
			break;
		if (v->argument && v->internal && !strcmp(v->name, "vla"))
			add_length(s, v, ret);
		else
			*ret = (struct lengths){ .known = true };
	}
	vec_fini(&all);
}

/*
 * The function around has an array of that name: what follows lengths may be another variable,
 * where the array is private.
 */
static bool is_declared_as_array(const struct scope *s, const struct variable *variable)
{
	struct source_place place = { .pc = scope_lookup_pc(s), .level = s->level };
	const struct source_frame *levels;
	AUTO_BUF full = { 0 };
	const char *outlined;
	struct variable v;
	size_t len = 0;

	error_ignore(symbol_locate(s->session->symbols, place.pc, &levels, &len));
	if (place.level >= len)
		return false;
	place.file = levels[place.level].file;
	place.line = levels[place.level].line;
	AUTO_FREE char *function = outlined_text(s->session->symbols, &place, false, &outlined);
	if (!function)
		return false;
	buf_addf(&full, "%.*s::%s", (int)strcspn(function, "("), function, variable->name);
	return buf_ok(&full) &&
	       variables_find_global(s->session->variables, VARIABLE_DATA, place.pc, NULL,
				     buf_text(&full), &v) &&
	       is_array(v.type) && variable_line(&v) == variable_line(variable);
}

/* They come from memory, which may have been written over: not all are those of an array. */
static bool are_possible(const struct type *element, const struct lengths *lengths)
{
	uint64_t size = type_size(element);

	for (size_t i = 0; i < lengths->n; i++) {
		if (!lengths->items[i] || __builtin_mul_overflow(size, lengths->items[i], &size))
			return false;
	}
	return size <= INT64_MAX;
}

static struct error *read_by_lengths(const struct scope *s, const struct variable *variable,
				     const struct lengths *lengths, taddr addr, struct value *ret)
{
	const struct type *t = type_strip(variable->type)->target;

	for (size_t n = lengths->n; n && t; n--)
		t = type_array_of(variables_types(s->session->variables), t, lengths->items[n - 1]);
	return t ? value_read(s, t, addr, ret) : &error_nomem;
}

struct error *captured_array_find(const struct scope *s, const struct variable *variable,
				  struct value *value)
{
	struct value array = { 0 };
	struct lengths lengths = { 0 };
	taddr addr = find_place(variable, value);

	if (!addr)
		return NULL;
	const struct type *t = type_strip(variable->type);
	const bool passed = variable->passing && t->kind == TYPE_REFERENCE && t->target;
	if (passed)
		find_lengths(s, variable, &lengths);
	if (lengths.n && !is_declared_as_array(s, variable))
		lengths.n = 0;
	if (lengths.n && lengths.known && are_possible(t->target, &lengths))
		return read_by_lengths(s, variable, &lengths, addr, value);
	struct error *err = value_in_creator(s, variable, &array);
	bool known = !err && array.type && is_of_elements(array.type, variable);
	error_ignore(err);
	if (known && !array.missing && has_bounds(array.type))
		return value_read(s, array.type, addr, value);
	/* How many elements it has is not known, but where they are. */
	if (known && is_array(array.type) && array.place == VALUE_MEMORY) {
		*value = array;
		value->addr = addr;
	} else if (lengths.n) {
		*value = (struct value){ .type = value->type, .missing = "optimized out" };
	}
	return NULL;
}
