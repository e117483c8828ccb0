/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/lookup.h"

#include <string.h>

#include "target/symbols/source_unit.h"

struct type_store *lookup_types(const struct scope *s)
{
	return s->session ? variables_types(s->session->variables) : NULL;
}

const char *lookup_language(const struct scope *s)
{
	struct source_unit unit;
	taddr pc = s->session ? scope_lookup_pc(s) : 0;
	bool known = pc && source_unit_at(s->session->symbols, pc, &unit) && unit.language;

	return known ? unit.language : "c";
}

bool lookup_is_fortran(const struct scope *s)
{
	if (s->language != SCOPE_AUTO)
		return s->language == SCOPE_FORTRAN;
	return !strcmp(lookup_language(s), "fortran");
}

bool lookup_is_outer(const struct scope *s, const char *name)
{
	taddr pc = s->session ? scope_lookup_pc(s) : 0;
	struct variables *all = pc ? s->session->variables : NULL;
	struct variable v;
	size_t inner;

	return all && !variables_find_local(all, pc, s->level, name, &v) &&
	       variables_find_outer(all, pc, name, &v, &inner);
}

/* In the innermost frame of that function, but of its neighbours that which was passed. */
static struct error *outer_value(const struct scope *s, const char *name, struct value *ret)
{
	struct variables *all = s->session->variables;
	const struct location_frame f = value_frame(s);
	uint64_t registers[SCOPE_REGISTERS_MAX];
	struct scope at = *s;
	struct variable v;
	size_t inner;

	if (!variables_find_outer(all, scope_lookup_pc(s), name, &v, &inner))
		return error_new(ERROR_NOT_FOUND, "no symbol \"%s\" in current context", name);
	taddr cfa = inner || !s->thread ? 0 : variables_outer_frame(all, scope_lookup_pc(s), &f);
	for (size_t n = 0; n < UNWIND_FRAMES_MAX && at.caller; n++) {
		struct scope from = at;
		if (!from.caller(&from, &at, registers))
			break;
		at.outward = 0;
		if (variables_belong(all, &v, scope_lookup_pc(&at)) && (!cfa || cfa == at.cfa)) {
			v.pc = scope_lookup_pc(&at);
			struct error *err = value_of_variable(&at, &v, ret);
			/* That register is not the one of the scope. */
			if (!err && ret->place == VALUE_REGISTER)
				ret->place = VALUE_NOWHERE;
			return err;
		}
	}
	*ret = (struct value){ .type = v.type ? v.type : &type_void, .missing = "not available" };
	return NULL;
}

bool lookup_variable(const struct scope *s, const char *file, const char *name,
		     struct variable *ret)
{
	taddr pc = scope_lookup_pc(s);

	if (!s->session)
		return false;
	if (!file && pc && variables_find_local(s->session->variables, pc, s->level, name, ret))
		return true;
	if (!file && lookup_is_outer(s, name))
		return false;
	return variables_find_global(s->session->variables, VARIABLE_DATA, pc, file, name, ret);
}

/* ---- functions, and what is in the symbol table alone ------------------------------------- */

struct symbol_search {
	struct symbol found;
	bool function, data;
};

static bool take_symbol(void *context, const struct symbol *symbol)
{
	struct symbol_search *s = context;

	if (symbol->function || !s->data)
		s->found = *symbol;
	s->function |= symbol->function;
	s->data |= !symbol->function;
	return !s->function;
}

static struct value function_value(const struct scope *s, taddr entry)
{
	struct value v = { .type = &type_text_symbol, .place = VALUE_MEMORY, .addr = entry };
	struct variable f;

	if (variables_function(s->session->variables, entry, SIZE_MAX, &f) && f.type)
		v.type = f.type;
	return v;
}

static bool find_function(const struct scope *s, const char *file, const char *name,
			  struct value *ret)
{
	struct variable f;

	if (!variables_find_global(s->session->variables, VARIABLE_FUNCTION, scope_lookup_pc(s),
				   file, name, &f) ||
	    !f.entry)
		return false;
	*ret = function_value(s, f.entry);
	return true;
}

static bool find_enumerator(const struct scope *s, const char *name, struct value *ret)
{
	struct variable e;

	if (!variables_find_global(s->session->variables, VARIABLE_ENUMERATOR, scope_lookup_pc(s),
				   NULL, name, &e))
		return false;
	*ret = value_of_int(e.type ? e.type : &type_int, (uint64_t)e.value);
	return true;
}

struct error *lookup_name(const struct scope *s, const char *file, const char *name,
			  struct value *ret)
{
	struct symbol_search symbols = { 0 };
	struct variable v;
	taddr pc = scope_lookup_pc(s);

	if (!s->session)
		return error_new(ERROR_NOT_FOUND, "no symbol table is loaded: use the \"file\" "
						  "command");
	struct variables *all = s->session->variables;
	if (!file && pc && variables_find_local(all, pc, s->level, name, &v))
		return value_of_variable(s, &v, ret);
	if (!file && lookup_is_outer(s, name))
		return outer_value(s, name, ret);
	if (!file)
		symbol_find(s->session->symbols, name, take_symbol, &symbols);
	if (symbols.function) {
		*ret = function_value(s, symbols.found.addr);
		if (ret->type != &type_text_symbol)
			return NULL;
	}
	if (variables_find_global(all, VARIABLE_DATA, pc, file, name, &v))
		return value_of_variable(s, &v, ret);
	if (find_function(s, file, name, ret) || (!file && find_enumerator(s, name, ret)))
		return NULL;
	if (symbols.function) {
		*ret = function_value(s, symbols.found.addr);
		return NULL;
	}
	if (symbols.data) {
		*ret = (struct value){ .type = &type_data_symbol,
				       .place = VALUE_MEMORY,
				       .addr = symbols.found.addr };
		return NULL;
	}
	return error_new(ERROR_NOT_FOUND, "no symbol \"%s\" in %s%s", name,
			 file ? "file " : "current context", file ? file : "");
}

bool lookup_named_type(const struct scope *s, const char *name, struct variable *ret)
{
	return variables_find_global(s->session->variables, VARIABLE_TYPE, scope_lookup_pc(s), NULL,
				     name, ret);
}

/* What is quick to be found is asked for first: a variable is no type. */
bool lookup_names_type(const struct scope *s, const char *name)
{
	struct symbol_search symbols = { 0 };
	struct variable v;
	taddr pc = scope_lookup_pc(s);

	if (pc && variables_find_local(s->session->variables, pc, s->level, name, &v))
		return false;
	symbol_find(s->session->symbols, name, take_symbol, &symbols);
	if (symbols.function && function_value(s, symbols.found.addr).type != &type_text_symbol)
		return false;
	return lookup_named_type(s, name, &v) &&
	       !variables_find_global(s->session->variables, VARIABLE_DATA, pc, NULL, name, &v);
}
