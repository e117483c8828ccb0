/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/lookup.h"

#include <stdio.h>
#include <string.h>

#include "debugger/values/captured.h"
#include "debugger/values/captured_array.h"
#include "debugger/values/pushed.h"
#include "debugger/values/thread_errno.h"
#include "ompd/outlined.h"
#include "target/symbols/name_scopes.h"
#include "target/symbols/source_unit.h"

struct type_store *lookup_types(const struct scope *s)
{
	return s->session ? variables_types(s->session->variables) : NULL;
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

/* A text of Fortran that has its length in another variable of the frame is read while that is
 * known. */
static struct error *settle_text(const struct scope *at, struct value *v)
{
	const struct type *t = type_strip(v->type);
	taddr addr;

	if (v->missing || t->kind != TYPE_POINTER || !t->is_fortran || !t->target ||
	    !type_is_dynamic(t->target))
		return NULL;
	struct error *err = value_address(v, &addr);
	return err || !addr ? err : value_read(at, t->target, addr, v);
}

/*
 * Code may be said to be that of a call which was inlined before it. outer: it is known that a
 * function around has one of that name.
 */
static bool find_in_creator(const struct scope *at, const char *name, bool outer,
			    struct variable *ret, size_t *ret_level)
{
	struct variables *all = at->session->variables;
	const taddr pc = scope_lookup_pc(at);

	*ret_level = at->level;
	if (variables_find_local(all, pc, at->level, name, ret))
		return true;
	*ret_level = SIZE_MAX;
	return outer && variables_find_local(all, pc, SIZE_MAX, name, ret);
}

/* The function that the code of a level was written in. NULL: not known. */
static char *function_of(const struct scope *at, size_t level)
{
	struct source_place place = { .pc = scope_lookup_pc(at) };
	const struct source_frame *levels;
	const char *outlined;
	size_t len = 0;

	error_ignore(symbol_locate(at->session->symbols, place.pc, &levels, &len));
	if (!len)
		return NULL;
	place.level = level < len ? level : len - 1;
	place.file = levels[place.level].file;
	place.line = levels[place.level].line;
	return outlined_text(at->session->symbols, &place, false, &outlined);
}

/* "work (), Thread 0.0" */
static void tell_frame(const struct scope *at, size_t level, char *ret, size_t size)
{
	AUTO_FREE char *function = function_of(at, level);

	snprintf(ret, size, "%.60s (), %.30s", function ? function : "??", at->where);
}

/* Who has called it, or, of a construct's code, who has begun that. */
static bool go_outward(const struct scope *s, struct scope *ret, uint64_t *registers)
{
	const char *why = NULL;

	return (s->creator && s->creator(s, ret, &why)) ||
	       (s->caller && s->caller(s, ret, registers));
}

/* In the innermost frame of its function from that one outward; cfa, not 0: in that one alone. */
static struct error *value_in_frame(const struct scope *s, struct variable *v, bool self, taddr cfa,
				    struct value *ret, bool *ret_found)
{
	struct variables *all = s->session->variables;
	uint64_t registers[SCOPE_REGISTERS_MAX];
	struct scope at = *s;

	for (size_t n = 0; n < UNWIND_FRAMES_MAX; n++) {
		struct scope from = at;
		if ((n || !self) && !go_outward(&from, &at, registers))
			break;
		at.outward = 0;
		taddr pc = scope_lookup_pc(&at);
		*ret_found = variables_belong(all, v, pc) && (!cfa || cfa == at.cfa);
		if (!*ret_found)
			continue;
		v->pc = pc;
		struct error *err = value_of_variable(&at, v, ret);
		if (!err)
			err = settle_text(&at, ret);
		/* That register is not the one of the scope. */
		if (!err && ret->place == VALUE_REGISTER && n)
			ret->place = VALUE_NOWHERE;
		if (!err && at.where)
			tell_frame(&at, at.level, ret->from, sizeof(ret->from));
		return err;
	}
	*ret_found = false;
	return NULL;
}

/* It is in no frame, but static, or the thread's own. */
static bool is_apart(const struct scope *s, const struct variable *v)
{
	const struct location_frame nowhere = { .target = s->session->target, .thread = s->thread };
	struct location where;

	variables_locate(s->session->variables, v, &nowhere, &where);
	return where.parts[0].kind == LOCATION_MEMORY;
}

struct error *lookup_in_creator(const struct scope *s, const char *name, int line,
				struct value *ret, bool *ret_found)
{
	struct variables *all = s->session->variables;
	const char *why = NULL, *copied = NULL;
	struct scope at = *s, next = { 0 };
	uint64_t registers[SCOPE_REGISTERS_MAX];
	size_t level;
	struct variable v;

	*ret_found = false;
	for (size_t n = 0; n < UNWIND_FRAMES_MAX && at.creator; n++) {
		if (!at.creator(&at, &next, &why))
			break;
		at = next;
		at.cells = s->cells;
		if (!find_in_creator(&at, name, lookup_is_outer(s, name), &v, &level) ||
		    (line && variable_line(&v) && variable_line(&v) != line)) {
			copied = copied ? copied : captured_copied(&at, name);
			continue;
		}
		bool apart = is_apart(s, &v);
		if (!apart)
			pushed_settle(&at, registers);
		struct error *err = value_of_variable(apart ? s : &at, &v, ret);
		if (!err && !apart)
			err = settle_text(&at, ret);
		if (!err && !apart)
			err = captured_array_find(&at, &v, ret);
		/* That register is not the one of the scope. */
		if (!err && ret->place == VALUE_REGISTER)
			ret->place = VALUE_NOWHERE;
		if (!err && ret->type && !apart)
			tell_frame(&at, level, ret->from, sizeof(ret->from));
		if (!err && copied)
			*ret = (struct value){ .type = ret->type, .missing = copied };
		*ret_found = true;
		return err;
	}
	size_t inner;
	bool there = why && ((next.pc && variables_find_local(all, next.pc, SIZE_MAX, name, &v)) ||
			     variables_find_outer(all, scope_lookup_pc(s), name, &v, &inner));
	*ret_found = there || (why && (line || lookup_is_outer(s, name)));
	if (there && is_apart(s, &v))
		return value_of_variable(s, &v, ret);
	if (*ret_found)
		*ret = (struct value){ .type = there && v.type ? variable_own_type(&v) : &type_void,
				       .missing = why };
	return NULL;
}

const char *lookup_copied(const struct scope *s, const char *name)
{
	const char *why = NULL, *copied = captured_copied(s, name);
	struct scope at = *s, next = { 0 };

	for (size_t n = 0; n < UNWIND_FRAMES_MAX && !copied && at.creator; n++) {
		if (!at.creator(&at, &next, &why))
			break;
		at = next;
		at.cells = s->cells;
		copied = captured_copied(&at, name);
	}
	return copied;
}

/* What clang makes of a member that a clause names is declared in no line, or passed. */
static bool hides_member(const struct scope *s, const char *name)
{
	struct variable v;
	taddr pc = s->session ? scope_lookup_pc(s) : 0;

	return pc && variables_find_local(s->session->variables, pc, s->level, name, &v) &&
	       (!s->originals || (variable_line(&v) && !v.argument));
}

bool lookup_object(const struct scope *s, const char *name, struct value *ret,
		   struct error **ret_err)
{
	struct value hiding;
	bool found = false;

	*ret_err = NULL;
	if (hides_member(s, name))
		return false;
	if (lookup_is_local(s, "this")) {
		*ret_err = lookup_name(s, NULL, "this", ret);
		return true;
	}
	if (!lookup_is_cxx(s) || (s->given && s->given(s, name, 0, &hiding)))
		return false;
	*ret_err = s->creator ? lookup_in_creator(s, name, 0, &hiding, &found) : NULL;
	if (found || *ret_err) {
		error_ignore(*ret_err);
		*ret_err = NULL;
		return false;
	}
	if (s->given && s->given(s, "this", 0, ret))
		return true;
	*ret_err = s->creator ? lookup_in_creator(s, "this", 0, ret, &found) : NULL;
	return found || *ret_err;
}

static const char left[] = "not available: the block that has it may have been left";

static const char no_frame[] = "not available: no frame of the function around was found";

/* In the innermost frame of that function, but of its neighbours that which was passed. */
static struct error *outer_value(const struct scope *s, const char *name, struct value *ret)
{
	struct variables *all = s->session->variables;
	const struct location_frame f = value_frame(s);
	struct variable v;
	size_t inner;
	bool found;

	if (!variables_find_outer(all, scope_lookup_pc(s), name, &v, &inner))
		return error_new(ERROR_NOT_FOUND, "no symbol \"%s\" in current context", name);
	if (is_apart(s, &v))
		return value_of_variable(s, &v, ret);
	if (v.depth) {
		*ret = (struct value){ .type = v.type ? variable_own_type(&v) : &type_void,
				       .missing = left };
		return NULL;
	}
	taddr cfa = inner || !s->thread ? 0 : variables_outer_frame(all, scope_lookup_pc(s), &f);
	struct error *err = value_in_frame(s, &v, false, cfa, ret, &found);
	if (!err && !found)
		*ret = (struct value){ .type = v.type ? variable_own_type(&v) : &type_void,
				       .missing = no_frame };
	return err;
}

/* "work::count": static, or in a frame of work(). */
static struct error *value_of_other(const struct scope *s, struct variable *v, const char *name,
				    struct value *ret)
{
	const struct location_frame nowhere = { .target = s->session->target, .thread = s->thread };
	const char *last = name_scopes_last(name);
	struct location where;
	bool found = false;

	variables_locate(s->session->variables, v, &nowhere, &where);
	if (where.parts[0].kind != LOCATION_MISSING)
		return value_of_variable(s, v, ret);
	struct error *err = s->thread ? value_in_frame(s, v, true, 0, ret, &found) : NULL;
	if (err || found)
		return err;
	return error_new(ERROR_USAGE, "no frame is currently executing in block %.*s",
			 (int)(last - name > 2 ? last - name - 2 : 0), name);
}

bool lookup_is_local(const struct scope *s, const char *name)
{
	struct variable v;
	taddr pc = s->session ? scope_lookup_pc(s) : 0;

	return pc && variables_find_local(s->session->variables, pc, s->level, name, &v);
}

bool lookup_variable(const struct scope *s, const char *file, const char *name,
		     struct variable *ret)
{
	taddr pc = scope_lookup_pc(s);
	size_t inner;

	if (!s->session)
		return false;
	if (!file && pc && variables_find_local(s->session->variables, pc, s->level, name, ret))
		return true;
	if (!file && variables_find_outer(s->session->variables, pc, name, ret, &inner))
		return is_apart(s, ret);
	return variables_find_global(s->session->variables, VARIABLE_DATA, pc, file, name, ret) &&
	       !ret->of_other;
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

/* A variable, a function or an enumerator of that name. *ret_found: there is one. */
static struct error *find_value(const struct scope *s, const char *file, const char *name,
				struct value *ret, bool *ret_found)
{
	struct variable v;

	*ret_found = variables_find_global(s->session->variables, VARIABLE_VALUE,
					   scope_lookup_pc(s), file, name, &v);
	if (!*ret_found)
		return NULL;
	if (v.of_other)
		return value_of_other(s, &v, name, ret);
	if (v.sort == VARIABLE_DATA)
		return value_of_variable(s, &v, ret);
	*ret = v.sort == VARIABLE_FUNCTION
		       ? function_value(s, v.entry)
		       : value_of_int(v.type ? v.type : &type_int, (uint64_t)v.value);
	ret->is_enumerator = v.sort != VARIABLE_FUNCTION;
	return NULL;
}

const char *lookup_language(const struct scope *s)
{
	struct source_unit unit;
	struct symbol_search symbols = { 0 };
	taddr pc = s->session ? scope_lookup_pc(s) : 0;

	if (!pc && s->session) {
		symbol_find(s->session->symbols, "main", take_symbol, &symbols);
		pc = symbols.found.addr;
	}
	bool known = pc && source_unit_at(s->session->symbols, pc, &unit) && unit.language;
	return known ? unit.language : "c";
}

bool lookup_is_cxx(const struct scope *s)
{
	return !strcmp(lookup_language(s), "c++");
}

bool lookup_is_fortran(const struct scope *s)
{
	if (s->language != SCOPE_AUTO)
		return s->language == SCOPE_FORTRAN;
	return !strcmp(lookup_language(s), "fortran");
}

/* What no program has to declare. */
static bool find_constant(const char *name, struct value *ret)
{
	bool yes = !strcmp(name, "true"), null = !strcmp(name, "nullptr");

	*ret = value_of_int(null ? &type_null_pointer : &type_bool, yes);
	return yes || null || !strcmp(name, "false");
}

/* file::name, where it is the name of a function. */
static struct error *find_static(const struct scope *s, const char *function, const char *name,
				 struct value *ret, bool *ret_found)
{
	AUTO_BUF full = { 0 };

	*ret_found = false;
	buf_addf(&full, "%s::%s", function, name);
	return buf_ok(&full) ? find_value(s, NULL, buf_text(&full), ret, ret_found) : &error_nomem;
}

/* "Table::count", where Table is another name of a class. */
static struct error *find_in_alias(const struct scope *s, const char *name, struct value *ret,
				   bool *ret_found)
{
	const char *last = name_scopes_last(name);
	AUTO_FREE char *prefix = last > name + 2 ? strndup(name, (size_t)(last - name - 2)) : NULL;
	struct variable v;

	if (!prefix || !lookup_named_type(s, prefix, &v) || !v.type || v.type->kind != TYPE_ALIAS)
		return NULL;
	const struct type *class = type_strip(v.type);
	return class->name ? find_static(s, class->name, last, ret, ret_found) : NULL;
}

/*
 * A static variable of the function that the scope's code was written in: clang describes it in a
 * copy of the function that is not inlined, alone.
 */
static bool find_static_here(const struct scope *s, const char *name, struct variable *ret)
{
	AUTO_FREE char *function = function_of(s, s->level);
	AUTO_BUF full = { 0 };

	if (!function)
		return false;
	buf_addf(&full, "%.*s::%s", (int)strcspn(function, "("), function, name);
	return buf_ok(&full) &&
	       variables_find_global(s->session->variables, VARIABLE_DATA, scope_lookup_pc(s), NULL,
				     buf_text(&full), ret) &&
	       is_apart(s, ret);
}

struct error *lookup_local(const struct scope *s, const struct variable *v, const char *name,
			   struct value *ret)
{
	struct value given;
	struct error *err = value_of_variable(s, v, ret);

	if (!err)
		err = captured_array_find(s, v, ret);
	/* Where the code is no task's that is known at once; what directives say is not. */
	if (!err && name && ret->missing && s->thread && s->given &&
	    s->given(s, name, variable_line(v), &given) && !captured_copied(s, name))
		*ret = given;
	return err;
}

static bool take_data(void *context, const struct symbol *symbol)
{
	if (symbol->function)
		return true;
	*(taddr *)context = symbol->addr;
	return false;
}

/* What this program declares, and a library defines that has no debug information. */
static struct error *find_declared(const struct scope *s, const char *name, struct value *ret,
				   bool *ret_found)
{
	struct variables *all = s->session->variables;
	struct variable v;
	taddr at = 0;

	*ret_found = false;
	if (!variables_find_global(all, VARIABLE_DECLARED, scope_lookup_pc(s), NULL, name, &v) ||
	    !v.type)
		return NULL;
	const char *linkage = variables_linkage_name(&v);
	if (linkage)
		symbol_find(s->session->symbols, linkage, take_data, &at);
	*ret_found = at;
	return at ? value_read(s, v.type, at, ret) : NULL;
}

/* The C library declares it as a function's result, and keeps it in thread-local storage. */
static struct error *find_errno(const struct scope *s, const char *name, struct value *ret,
				bool *ret_found)
{
	struct thread_errno its = { 0 };

	if (s->thread && !strcmp(name, "errno"))
		its = thread_errno_find(s->session, s->thread);
	*ret_found = its.at;
	return its.at ? value_read(s, &type_int, its.at, ret) : NULL;
}

struct error *lookup_no_value(void)
{
	return error_new(ERROR_USAGE, "attempt to use a type name as an expression");
}

/* What is not the function's own. */
static struct error *value_of_outside(const struct scope *s, const char *file, const char *name,
				      struct value *ret)
{
	struct symbol_search symbols = { 0 };
	bool found = false;
	struct variable v;
	taddr pc = scope_lookup_pc(s);

	if (!file && s->thread && s->given && s->given(s, name, 0, ret))
		return NULL;
	struct error *err = file ? NULL : lookup_in_creator(s, name, 0, ret, &found);
	if (err || found)
		return err;
	if (!file && lookup_is_outer(s, name))
		return outer_value(s, name, ret);
	if (!file)
		symbol_find(s->session->symbols, name + (strncmp(name, "::", 2) ? 0 : 2),
			    take_symbol, &symbols);
	if (symbols.function && !lookup_is_cxx(s)) {
		*ret = function_value(s, symbols.found.addr);
		if (ret->type != &type_text_symbol)
			return NULL;
	}
	err = find_value(s, file, name, ret, &found);
	if (!err && !found)
		err = file ? find_static(s, file, name, ret, &found)
			   : find_in_alias(s, name, ret, &found);
	if (err || found)
		return err;
	if (symbols.function) {
		*ret = function_value(s, symbols.found.addr);
		return NULL;
	}
	err = file ? NULL : find_declared(s, name, ret, &found);
	if (!err && !found && !file)
		err = find_errno(s, name, ret, &found);
	if (err || found)
		return err;
	/* In C a tag is another thing than a name. */
	if (symbols.data && !(lookup_is_cxx(s) && lookup_named_type(s, name, &v))) {
		*ret = (struct value){ .type = &type_data_symbol,
				       .place = VALUE_MEMORY,
				       .addr = symbols.found.addr };
		return NULL;
	}
	if (!file && find_constant(name, ret))
		return NULL;
	if (!file && pc && find_static_here(s, name, &v))
		return value_of_variable(s, &v, ret);
	if (!file && lookup_named_type(s, name, &v))
		return lookup_no_value();
	return error_new(ERROR_NOT_FOUND, "no symbol \"%s\" in %s%s", name,
			 file ? "file " : "current context", file ? file : "");
}

struct error *lookup_name(const struct scope *s, const char *file, const char *name,
			  struct value *ret)
{
	const char *last = name_scopes_last(name);
	taddr pc = scope_lookup_pc(s);
	struct variable v;

	if (!s->session)
		return error_new(ERROR_NOT_FOUND, "no symbol table is loaded: use the \"file\" "
						  "command");
	if (!file && !s->thread && s->given && s->given(s, name, 0, ret))
		return NULL;
	/* The copy of a namespace's variable is called by the last part of its name. */
	if (!file && pc && variables_find_local(s->session->variables, pc, s->level, last, &v) &&
	    (last == name || captured_copied(s, name)))
		return lookup_local(s, &v, last, ret);
	struct error *err = value_of_outside(s, file, name, ret);
	const char *why = err || file || !pc ? NULL : captured_copied(s, name);
	if (why)
		*ret = (struct value){ .type = ret->type, .missing = why };
	return err;
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
