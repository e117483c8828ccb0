/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * std::function: what it calls is a template argument of the function that it calls by, or of the
 * class of what it holds; a pointer to a function lies in it.
 */
#include <string.h>

#include "debugger/values/container_parts.h"
#include "debugger/values/lookup.h"

/* The n-th argument of the template whose name ends in "behind"; NULL: there is none. It is the
 * caller's. */
static char *template_argument(const char *name, const char *behind, size_t n)
{
	const char *at = strstr(name, behind), *start;
	size_t depth = 0;

	if (!at)
		return NULL;
	for (start = at += strlen(behind); *at; at++) {
		if (strchr("<([{", *at))
			depth++;
		else if (depth && strchr(")]}>", *at))
			depth--;
		else if (!depth && (*at == '>' || *at == ',') && n-- == 0)
			return strndup(start, (size_t)(at - start));
		else if (!depth && *at == '>')
			return NULL;
		else if (!depth && *at == ',')
			start = at + 1 + (at[1] == ' ');
	}
	return NULL;
}

static bool is_function_pointer(const char *type)
{
	const char *star = strstr(type, "(*)(");

	return star && !memchr(type, '<', (size_t)(star - type));
}

static char *name_at(const struct container_reading *r, taddr at)
{
	struct symbol_table *symbols = r->s->session->symbols;
	struct symbol symbol;
	const char *name =
		symbol_at(symbols, at, &symbol) ? symbol_shown_name(symbols, symbol.name) : NULL;

	return name ? strdup(name) : NULL;
}

/* A pointer to a function of the signature that the class has been given. */
static struct value code(const struct container_reading *r, taddr at)
{
	const struct type *signature = container_argument(r->type, 0);
	const struct type *t = signature ? type_pointer_to(lookup_types(r->s), signature) : NULL;

	return value_of_int(t ? t : &type_code_pointer, at);
}

static bool is_empty(struct container_reading *r)
{
	buf_adds(&r->ret->head, " (empty)");
	r->ret->form = CONTAINER_EMPTY;
	return true;
}

/* called: the type of what is called; NULL: not known. */
static bool tell(struct container_reading *r, const char *called, taddr pointer, taddr invoker)
{
	struct value v = code(r, pointer);

	r->ret->form = CONTAINER_PARTS;
	if (called && is_function_pointer(called)) {
		container_add_value(r, &v, "target");
		return true;
	}
	if (called)
		buf_addf(&r->ret->head, " calling %s", called);
	v = value_of_int(&type_code_pointer, invoker);
	container_add_value(r, &v, "invoker");
	return true;
}

static bool read_gnu(struct container_reading *r)
{
	struct value functor;
	uint64_t manager, invoker, pointer;

	if (!container_number(r, r->v, "_M_manager", &manager) ||
	    !container_number(r, r->v, "_M_invoker", &invoker) ||
	    !container_get(r, r->v, "_M_functor", &functor) ||
	    value_bytes(r->s, &functor, 0, &pointer, sizeof(pointer)))
		return false;
	container_head_with(r);
	if (!manager)
		return is_empty(r);
	AUTO_FREE char *name = name_at(r, invoker);
	AUTO_FREE char *called =
		name ? template_argument(name, "std::_Function_handler<", 1) : NULL;
	return tell(r, called, pointer, invoker);
}

/* What it calls is the seventh virtual function of what it holds. */
static bool read_llvm(struct container_reading *r)
{
	uint64_t held, table, invoker, pointer = 0;

	if (!container_number(r, r->v, "__f_.__f_", &held))
		return false;
	container_head_with(r);
	if (!held)
		return is_empty(r);
	if (!container_word(r, held, &table) || !container_word(r, table + 6 * 8, &invoker) ||
	    !container_word(r, held + 8, &pointer))
		return container_damaged(r, "what it calls cannot be read");
	AUTO_FREE char *name = name_at(r, table);
	AUTO_FREE char *called = name ? template_argument(name, "::__function::__func<", 0) : NULL;
	return tell(r, called, pointer, invoker);
}

static bool read_function(struct container_reading *r)
{
	return read_gnu(r) || read_llvm(r);
}

const struct container_row container_function_rows[] = { { "function", read_function },
							 { NULL, NULL } };
