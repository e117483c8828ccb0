/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/captured.h"

#include <string.h>
#include <strings.h>

#include "debugger/values/source_around.h"
#include "ompd/outlined.h"
#include "target/symbols/source_unit.h"

static const char not_told[] = "not known: the source does not tell whether this is a copy";

static const char no_place[] = "not available: nothing tells where the construct has its copy";

static const char only_section[] =
	"not available: clang describes the section of it that is reduced as "
	"if it began at the first element";

enum {
	COPIED = 1 << SHARING_PRIVATE | 1 << SHARING_FIRSTPRIVATE | 1 << SHARING_LASTPRIVATE |
		 1 << SHARING_REDUCTION | 1 << SHARING_LINEAR,
	OUTLINED = DIRECTIVE_PARALLEL | DIRECTIVE_TASK | DIRECTIVE_TEAMS | DIRECTIVE_TARGET,
};

static bool names(const char *name, const char *variable, const char *block)
{
	size_t len = strlen(block);

	return !strcasecmp(name, variable) ||
	       (*name == '/' && !strncasecmp(name + 1, block, len) && name[1 + len] == '/');
}

static bool has_copy(const struct construct *c, const struct variable *v)
{
	bool shared = false;

	vec_for_each (row, &c->directive.rows) {
		bool its = names(row->name, v->name, v->common);
		if (its && COPIED >> row->sharing & 1)
			return true;
		shared |= its && row->sharing == SHARING_SHARED;
	}
	vec_for_each (loop, &c->loops) {
		if (loop->variable && !strcasecmp(loop->variable, v->name))
			return true;
	}
	vec_for_each (name, &c->sequential) {
		if (!strcasecmp(*name, v->name))
			return true;
	}
	return !shared && c->directive.sharing & COPIED;
}

/* The level of the scope's code that it is. NULL: not known. */
static const struct source_frame *find_level(const struct scope *s)
{
	const struct source_frame *levels;
	size_t n = 0;

	error_ignore(symbol_locate(s->session->symbols, scope_lookup_pc(s), &levels, &n));
	return s->level < n ? &levels[s->level] : NULL;
}

/* The constructs around a line. false: that cannot be told, or memory is out. */
static bool find_constructs(const struct scope *s, const struct source_frame *at,
			    struct constructs *ret)
{
	bool known = false;
	struct error *err = at ? source_around(s->session, at->file, at->line, ret, &known) : NULL;

	known &= !err;
	error_ignore(err);
	return known;
}

/* ---- copies that are not described ---------------------------------------------------------- */

/*
 * The construct of that line, or one around it, whose code has a copy of what was declared in
 * another line; up to that of which the function was made. NULL: none.
 */
static const struct construct *find_copying(const struct constructs *around, int line,
					    const char *name, int declared)
{
	const char *modifier;

	vec_for_each (c, &around->items) {
		/* On the line of the directive some of its code has the copies, and some not. */
		unsigned int sharing =
			c->line == line || (declared >= c->line && declared <= c->end)
				? 0
				: directive_sharing(&c->directive, name, around->fortran,
						    &modifier);
		if (sharing & COPIED)
			return c;
		if (c->directive.parts & OUTLINED)
			break;
	}
	return NULL;
}

bool captured_is_outlined(const struct scope *s)
{
	const struct source_frame *levels;
	struct outlined o;
	size_t n = 0;

	error_ignore(symbol_locate(s->session->symbols, scope_lookup_pc(s), &levels, &n));
	for (size_t i = s->level; i < n; i++) {
		if (levels[i].function && outlined_parse(levels[i].function, &o))
			return true;
	}
	return false;
}

/* Who has made the scope's code, which obeys directives. NULL: it does not, or that is not known.
 */
static const char *find_producer(const struct scope *s)
{
	struct source_unit unit;

	if (!source_unit_at(s->session->symbols, scope_lookup_pc(s), &unit) || !unit.producer ||
	    !(strstr(unit.producer, "-fopenmp") || captured_is_outlined(s)))
		return NULL;
	return unit.producer;
}

/* A lambda, or a function of a class, that a construct declares: it has variables of its own. */
static bool is_function_of(const struct scope *s, const struct source_frame *at,
			   const struct construct *c)
{
	struct variable function;
	struct outlined o;

	if ((at->function && outlined_parse(at->function, &o)) ||
	    !variables_function(s->session->variables, scope_lookup_pc(s), s->level, &function))
		return false;
	int line = variable_line(&function);
	return line > c->line && line <= c->end;
}

static bool mentions_sections(const struct scope *s, const struct source_frame *at)
{
	static const char word[] = "sections";
	const struct buf *text =
		at && at->file ? source_cache_get(s->session->sources, at->file) : NULL;

	return text && (memmem(buf_text(text), text->len, word, sizeof(word) - 1) ||
			memmem(buf_text(text), text->len, "SECTIONS", sizeof(word) - 1));
}

/* The section of an array that clang's description of a variable, which is declared in no line, is
 * of: that is as long as it is, and begins where it does. NULL: of none. */
static const struct clause_row *find_section(const struct constructs *around,
					     const struct variable *variable)
{
	vec_for_each (c, &around->items) {
		vec_for_each (row, &c->directive.rows) {
			if (row->sharing == SHARING_REDUCTION && !strcmp(row->name, variable->name))
				return row->section ? row : NULL;
		}
	}
	return NULL;
}

/* One of a single element is described as that. */
static const char *settle_section(const struct scope *s, struct variable *variable)
{
	AUTO_CONSTRUCTS around = { 0 };

	if (!variable->type || !variable->name || variable_line(variable) ||
	    !find_constructs(s, find_level(s), &around))
		return NULL;
	const struct clause_row *row = find_section(&around, variable);
	if (row && row->inside)
		return only_section;
	if (row && type_strip(variable->type)->kind != TYPE_ARRAY)
		variable->type =
			type_array_of(variables_types(s->session->variables), variable->type, 1);
	return variable->type ? NULL : no_place;
}

/* variable, of the scope's function, is what "sections" has a copy of. */
static bool is_behind_sections(const struct scope *s, const struct variable *variable)
{
	AUTO_CONSTRUCTS around = { 0 };

	const struct source_frame *at = find_level(s);
	const char *producer = mentions_sections(s, at) ? find_producer(s) : NULL;
	if (!producer || strncmp(producer, "GNU ", 4) != 0 || !variable->name ||
	    !variables_belong(s->session->variables, variable, scope_lookup_pc(s)) ||
	    !find_constructs(s, at, &around))
		return false;
	const struct construct *c =
		find_copying(&around, at->line, variable->name, variable_line(variable));
	return c && c->directive.parts & DIRECTIVE_SECTIONS && !(c->directive.parts & OUTLINED) &&
	       !is_function_of(s, at, c);
}

static bool is_conditionally_last(const struct construct *c, const char *name)
{
	vec_for_each (row, &c->directive.rows) {
		if (row->sharing == SHARING_LASTPRIVATE && row->modifier &&
		    !strcmp(row->modifier, "conditional") && !strcmp(row->name, name))
			return true;
	}
	return false;
}

/*
 * variable is what the team shares, of which a construct in it has a copy: where clang (measured
 * with 19) describes the copy, its block hides the argument; of one that is last conditionally it
 * describes none (14). Why it has no value; NULL: it is no such one.
 */
static const char *hidden_by_copy(const struct scope *s, const struct variable *variable)
{
	AUTO_CONSTRUCTS around = { 0 };

	const struct source_frame *at = variable->argument && variable->name ? find_level(s) : NULL;
	const char *producer = at && captured_is_outlined(s) ? find_producer(s) : NULL;
	if (!producer || !strstr(producer, "clang") || !find_constructs(s, at, &around))
		return NULL;
	const struct construct *c =
		find_copying(&around, at->line, variable->name, variable_line(variable));
	if (!c || is_function_of(s, at, c))
		return NULL;
	if (is_conditionally_last(c, variable->name))
		return no_place;
	/* Of what a taskgroup reduces its tasks alone have copies. */
	return strcmp(c->directive.name, "taskgroup") != 0 && !(c->directive.parts & OUTLINED)
		       ? "optimized out"
		       : NULL;
}

static bool has_local(const struct scope *s, const char *name)
{
	struct variable v;

	return variables_find_local(s->session->variables, scope_lookup_pc(s), s->level, name, &v);
}

/*
 * variable is what a task has a copy of for a reduction. clang (measured with 19) describes it as
 * if it were shared, where the original is; the runtime alone knows where the copy is.
 */
static bool is_reduced_by_task(const struct scope *s, const struct variable *variable)
{
	const int declared = variable_line(variable);
	AUTO_CONSTRUCTS around = { 0 };
	const char *modifier;

	if (!variable->name || !declared || !captured_is_outlined(s) || !has_local(s, ".privates."))
		return false;
	if (!find_constructs(s, find_level(s), &around))
		return has_local(s, ".task_red.");
	vec_for_each (c, &around.items) {
		if (c->directive.parts & OUTLINED)
			return c->directive.parts & DIRECTIVE_TASK &&
			       (declared < c->line || declared > c->end) &&
			       directive_sharing(&c->directive, variable->name, around.fortran,
						 &modifier) >>
					       SHARING_REDUCTION &
				       1;
	}
	return false;
}

const char *captured_copied(const struct scope *s, const char *name)
{
	const struct source_frame *at = s->originals ? NULL : find_level(s);
	AUTO_CONSTRUCTS around = { 0 };

	if (!at || !find_producer(s) || !find_constructs(s, at, &around))
		return NULL;
	const struct construct *c = find_copying(&around, at->line, name, 0);
	return c && !is_function_of(s, at, c) ? no_place : NULL;
}

/* A variable of that name that the program declares in the functions around. */
static bool is_declared_around(const struct scope *s, const char *name)
{
	struct scope at = *s, next = { 0 };
	const char *why = NULL;
	struct variable v;

	for (size_t n = 0; n < UNWIND_FRAMES_MAX && at.creator; n++, at = next) {
		if (!at.creator(&at, &next, &why))
			return false;
		if (variables_find_local(s->session->variables, scope_lookup_pc(&next), next.level,
					 name, &v) &&
		    variable_line(&v))
			return true;
	}
	return false;
}

bool captured_member(const struct scope *s, const char *name, struct variable *ret)
{
	const char *producer = captured_is_outlined(s) ? find_producer(s) : NULL;

	return producer && strstr(producer, "clang") &&
	       variables_find_local(s->session->variables, scope_lookup_pc(s), s->level, name,
				    ret) &&
	       (ret->argument || !variable_line(ret)) && !is_declared_around(s, name);
}

/* ---- instances of templates ----------------------------------------------------------------- */

/* All instances declare it in the same place, and clang does not tell which one code is of. */
static void settle_reference(const struct scope *s, struct variable *variable)
{
	const int line = variable_line(variable);
	struct scope at = *s, next = { 0 };
	const char *why = NULL;
	struct variable v;

	variable->passing = VARIABLE_BY_REFERENCE;
	for (size_t n = 0; n < UNWIND_FRAMES_MAX && at.creator; n++, at = next) {
		if (!at.creator(&at, &next, &why))
			return;
		if (!variables_find_local(s->session->variables, scope_lookup_pc(&next), next.level,
					  variable->name, &v) ||
		    v.passing || variable_line(&v) != line || !v.type)
			continue;
		if (type_strip(v.type)->kind == TYPE_REFERENCE)
			variable->passing = VARIABLE_BY_VALUE;
		return;
	}
}

/* ---- common blocks -------------------------------------------------------------------------- */

static const char *settle_common(const struct scope *s, struct variable *variable)
{
	AUTO_CONSTRUCTS around = { 0 };
	bool within = false, copy = false;
	struct variable common;

	if (!variables_find_original(s->session->variables, variable, &common) || !common.common)
		return NULL;
	if (!find_constructs(s, find_level(s), &around))
		return not_told;
	vec_for_each (c, &around.items) {
		within |= (c->directive.parts & OUTLINED) != 0;
		copy |= has_copy(c, &common);
	}
	if (!within)
		return not_told;
	if (!copy)
		*variable = common;
	return NULL;
}

const char *captured_settle(const struct scope *s, struct variable *variable)
{
	const char *why = settle_common(s, variable);

	if (variable->passing == VARIABLE_BY_EITHER)
		settle_reference(s, variable);
	why = why ? why : settle_section(s, variable);
	if (why || s->originals)
		return why;
	if (is_behind_sections(s, variable) || is_reduced_by_task(s, variable))
		return no_place;
	return hidden_by_copy(s, variable);
}
