/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/sharing.h"

#include <string.h>
#include <strings.h>

#include "debugger/control/members.h"
#include "debugger/control/sharing_places.h"
#include "debugger/values/captured.h"
#include "debugger/values/lookup.h"
#include "debugger/values/reach.h"
#include "debugger/values/source_around.h"
#include "ompd/outlined.h"
#include "target/symbols/name_scopes.h"

enum { ROWS_MAX = 1024, FRAME_MAX = 1 << 16 };

/* Of which a variable has one address in all threads, or one in each. */
enum {
	ONE = 1 << SHARING_SHARED,
	EACH = 1 << SHARING_PRIVATE | 1 << SHARING_FIRSTPRIVATE | 1 << SHARING_LASTPRIVATE |
	       1 << SHARING_REDUCTION | 1 << SHARING_LINEAR | 1 << SHARING_THREADPRIVATE,
};

static void row_fini(struct sharing_row *row)
{
	free(row->name);
	free(row->in_code);
	sharing_answer_fini(&row->answer);
	vec_fini(&row->places);
}

void sharing_fini(struct sharings *s)
{
	vec_for_each (row, &s->rows)
		row_fini(row);
	vec_fini(&s->rows);
	vec_fini_all(&s->notes);
	constructs_fini(&s->around);
	if (s->team)
		members_fini(s->team);
	free(s->team);
	s->team = NULL;
}

static struct error *add_note(struct sharings *s, struct buf *text)
{
	char *copy = buf_ok(text) ? strdup(buf_text(text)) : NULL;

	if (copy && vec_push(&s->notes, copy))
		return NULL;
	free(copy);
	return &error_nomem;
}

/* ---- what the source says ----------------------------------------------------------------- */

static bool is_outlined(const struct member *m)
{
	struct outlined o;

	if (!m || m->level >= m->frames.items.len)
		return false;
	const char *function = m->frames.items.items[m->level].function;
	return function && outlined_parse(function, &o);
}

/* The line at which the code of a frame begins, which the compiler has made of a construct; 0: not
 * known. */
static int first_line(struct session *s, const struct frame *frame)
{
	const taddr pc = frame->exact || !frame->pc ? frame->pc : frame->pc - 1;
	const struct source_frame *levels;
	struct variable function;
	size_t n = 0;

	if (!variables_function(s->variables, pc, frame->level, &function))
		return 0;
	if (!variable_line(&function) && function.entry)
		error_ignore(symbol_locate(s->symbols, function.entry, &levels, &n));
	return n ? levels[n - 1].line : variable_line(&function);
}

/*
 * Where threads stand that have not entered the construct of a line, or have left it, the line is
 * the same: their code is not outlined, or that of a construct around it, which begins before.
 */
static void leave_construct(struct sharings *s, bool outlined, int first)
{
	struct construct *c = s->around.items.items;
	const unsigned int parts =
		DIRECTIVE_PARALLEL | DIRECTIVE_TASK | DIRECTIVE_TEAMS | DIRECTIVE_TARGET;
	const bool entered = outlined && (!first || first >= s->line);

	if (!s->around.items.len || entered || !(c->directive.parts & parts) || c->line != s->line)
		return;
	construct_fini(c);
	memmove(c, c + 1, --s->around.items.len * sizeof(*c));
}

static struct error *read_source(struct control *c, struct sharings *s, const struct frame *frame,
				 bool outlined)
{
	struct error *err = source_around(c->live, s->file, s->line, &s->around, &s->has_text);

	if (!err && s->has_text)
		leave_construct(s, outlined, outlined ? first_line(c->live, frame) : 0);
	return err;
}

/* Code that the compiler has made of a construct lies in one, where the text is what was compiled.
 */
static struct error *check_text(struct sharings *s, bool outlined)
{
	const unsigned int parts =
		DIRECTIVE_PARALLEL | DIRECTIVE_TASK | DIRECTIVE_TEAMS | DIRECTIVE_TARGET;
	AUTO_BUF note = { 0 };

	if (!outlined || !s->has_text)
		return NULL;
	vec_for_each (c, &s->around.items) {
		if (c->directive.parts & parts)
			return NULL;
	}
	buf_addf(&note,
		 "the code is that of a construct, and around line %d of the source there is none: "
		 "the source has changed since it was compiled, or a macro of another file makes "
		 "the directive; what is said rests on addresses",
		 s->line);
	s->has_text = false;
	return add_note(s, &note);
}

/* ---- a row -------------------------------------------------------------------------------- */

/* An argument that lies in no frame of the function itself. */
static bool is_by_reference(const struct scope *s, const struct variable *v)
{
	const struct type *t = v->type ? type_strip(v->type) : &type_void;
	struct variable settled = *v;
	struct value value;

	if (!v->argument || t->kind == TYPE_REFERENCE || !lookup_is_fortran(s))
		return v->argument && t->kind == TYPE_REFERENCE;
	struct error *err = value_of_variable(s, &settled, &value);
	bool known = !err && !value.missing && value.place == VALUE_MEMORY;
	error_ignore(err);
	return known && (value.addr >= s->cfa || s->cfa - value.addr > FRAME_MAX);
}

/* gcc gives no place to static variables that are declared in a construct; the source names them.
 */
static void describe_unplaced(const struct scope *s, const char *file,
			      struct sharing_variable *made)
{
	enum source_storage storage = source_storage_of(s->session, file, made->line, made->name);

	made->is_static = storage == STORAGE_STATIC;
	made->is_threadlocal = storage == STORAGE_THREAD;
}

/* What clang makes of a variable is declared in no line: further out is what was written. */
static int line_of(const struct scope *s, const struct variable *v)
{
	struct variable_list all = { 0 };
	int line = lookup_is_local(s, v->name) ? variable_line(v) : 0;

	/* A global variable may be declared in another file. */
	if (line || !lookup_is_local(s, v->name))
		return line;
	error_ignore(variables_in_scope(s->session->variables, scope_lookup_pc(s), s->level, &all));
	vec_for_each (other, &all) {
		if (other->name && !strcmp(other->name, v->name) && variable_line(other))
			line = variable_line(other);
	}
	vec_fini(&all);
	return line;
}

static struct sharing_variable describe(const struct scope *s, const struct variable *v,
					const char *file)
{
	const struct location_frame fixed = { .target = s->session->target };
	const struct location_frame thread = { .target = s->session->target, .thread = s->thread };
	const struct type *t = v->type ? type_strip(v->type) : &type_void;
	struct sharing_variable made = { .name = v->name };
	struct variable settled = *v;
	struct location at;

	(void)captured_settle(s, &settled);
	made.common = settled.common;
	variables_locate(s->session->variables, &settled, &fixed, &at);
	made.is_static = at.n == 1 && at.parts[0].kind == LOCATION_MEMORY;
	variables_locate(s->session->variables, &settled, &thread, &at);
	made.is_threadlocal = !made.is_static && at.n == 1 && at.parts[0].kind == LOCATION_MEMORY;
	made.line = line_of(s, v);
	if (!made.is_static && !made.is_threadlocal && made.line)
		describe_unplaced(s, file, &made);
	made.is_by_reference = is_by_reference(s, v);
	if (sharing_places_is_object(v->name)) {
		made.line = 0;
		made.is_by_reference = true;
	}
	t = t->kind == TYPE_REFERENCE && t->target ? type_strip(t->target) : t;
	made.is_scalar = type_is_scalar(t);
	return made;
}

static void contradict(struct sharing_row *row, const struct sharings *s)
{
	const struct construct *c = row->answer.construct;
	unsigned int sharing = row->answer.sharing;

	/* On the line of "parallel for linear(i)", some of its code has the copies, and some not.
	 */
	if (!s->has_text || !sharing || (c && c->line == s->line))
		return;
	if (sharing & EACH && row->evidence == EVIDENCE_ONE)
		row->contradiction = "the threads have one address: the source may have changed "
				     "since it was compiled";
	/* What nothing writes in the construct need not be passed by reference. Threads in a task's
	 * code are in different tasks, whose creators may have a variable each. */
	bool of_task = c && c->directive.parts & DIRECTIVE_TASK;
	bool copied = row->capture == CAPTURE_VALUE || row->capture == CAPTURE_UNKNOWN;
	if (sharing & ONE && row->evidence == EVIDENCE_EACH && row->capture == CAPTURE_VALUE)
		buf_adds(&row->answer.because, "; nothing writes it there: each thread has a copy");
	if (sharing & ONE && row->evidence == EVIDENCE_EACH && !copied && !of_task)
		row->contradiction = "the threads have addresses of their own: the source may "
				     "have changed since it was compiled";
}

/* Without a source the addresses are what there is. */
static void rest_on_addresses(struct sharing_row *row)
{
	sharing_answer_fini(&row->answer);
	row->answer = (struct sharing_answer){ 0 };
	row->contradiction = NULL;
	if (row->evidence == EVIDENCE_ONE) {
		row->answer.sharing = 1 << SHARING_SHARED;
		buf_adds(&row->answer.because, "one address in all threads");
	} else if (row->evidence == EVIDENCE_EACH && row->capture == CAPTURE_VALUE) {
		buf_adds(&row->answer.because, "a copy for each thread: firstprivate, or shared "
					       "and not written");
	} else if (row->evidence == EVIDENCE_EACH && row->capture == CAPTURE_UNKNOWN) {
		buf_adds(&row->answer.because, "an address for each thread: private, or shared "
					       "and not written");
	} else if (row->evidence == EVIDENCE_EACH) {
		row->answer.sharing = 1 << SHARING_PRIVATE;
		buf_adds(&row->answer.because, "an address for each thread");
	} else {
		buf_adds(&row->answer.because, "neither source nor addresses say");
	}
}

/* nowhere: the rules are those of a variable of which nothing tells where it is declared. */
static void rest(const struct sharings *s, struct sharing_row *row, bool nowhere)
{
	const struct construct *by = row->answer.construct;
	const bool unsure = by && by->several;

	if (!s->has_text || nowhere || unsure)
		rest_on_addresses(row);
	if (unsure)
		buf_addf(&row->answer.because,
			 "; \"%s\" of line %d may be another one: a macro has several "
			 "definitions, or #if decides",
			 by->directive.name, by->line);
}

static struct error *add_row(struct sharings *s, const struct scope *scope,
			     const struct variable *v)
{
	struct sharing_variable described = describe(scope, v, s->file);
	struct sharing_row row = { .name = strndup(v->name, sharing_places_name(v->name)),
				   .in_code = strdup(v->name) };
	struct error *err = row.name && row.in_code ? NULL : &error_nomem;

	described.name = row.name;

	if (!err)
		err = sharing_rules_find(&s->around, &described, &row.answer);
	if (!err)
		err = sharing_places_find(s->team, scope, v, &row);
	if (!err) {
		contradict(&row, s);
		/* What a lambda has captured is declared in no line: it may be inside or outside.
		 */
		bool nowhere = lookup_is_local(scope, row.in_code) && !described.line &&
			       !described.is_by_reference && !described.is_static &&
			       row.capture == CAPTURE_NONE && row.answer.basis == BASIS_RULE &&
			       row.answer.sharing == 1 << SHARING_SHARED;
		rest(s, &row, nowhere);
	}
	if (!err && vec_push(&s->rows, row))
		return NULL;
	row_fini(&row);
	return err ? err : &error_nomem;
}

static bool has_row(const struct sharings *s, const char *name)
{
	size_t len = sharing_places_name(name);

	vec_for_each (row, &s->rows) {
		if (strlen(row->name) == len &&
		    !(s->around.fortran ? strncasecmp(row->name, name, len)
					: strncmp(row->name, name, len)))
			return true;
	}
	return false;
}

static struct error *add_given(struct sharings *s, const struct scope *scope, const char *name,
			       int line, const struct value *value)
{
	const struct type *t = value->type ? type_strip(value->type) : &type_void;
	const struct sharing_variable described = { .name = name,
						    .line = line,
						    .is_scalar = type_is_scalar(t) };
	struct sharing_row row = { .name = strdup(name), .in_code = strdup(name) };
	struct error *err = row.name && row.in_code ? NULL : &error_nomem;
	if (!err)
		err = sharing_rules_find(&s->around, &described, &row.answer);
	if (!err)
		err = sharing_places_given(s->team, scope, value, &row);
	if (!err) {
		contradict(&row, s);
		rest(s, &row, false);
	}
	if (!err && vec_push(&s->rows, row))
		return NULL;
	row_fini(&row);
	return err ? err : &error_nomem;
}

struct giving {
	struct sharings *s;
	struct error *err;
};

static bool found_given(void *context, const struct scope *scope, const char *name, int line,
			const struct value *v)
{
	struct giving *g = context;

	if (!has_row(g->s, name) && g->s->rows.len < ROWS_MAX)
		g->err = add_given(g->s, scope, name, line, v);
	return !g->err;
}

/* clang describes nothing that a task shares; what the task was given tells of it. */
static struct error *add_all_given(struct sharings *s, const struct scope *scope)
{
	struct giving g = { .s = s };

	if (scope->thread && scope->given_each)
		scope->given_each(scope, found_given, &g);
	return g.err;
}

/* What a clause names, and no code around uses, need not be in the program. */
static struct error *add_named(struct sharings *s, const struct scope *scope,
			       const struct construct *c, const struct clause_row *named)
{
	struct variable v;
	AUTO_BUF note = { 0 };

	if (has_row(s, name_scopes_last(named->name)) || s->rows.len >= ROWS_MAX ||
	    *named->name == '/')
		return NULL;
	if (lookup_variable(scope, NULL, named->name, &v) && v.name)
		return add_row(s, scope, &v);
	if (lookup_is_outer(scope, named->name))
		return NULL;
	buf_addf(&note,
		 "%s(%s) of line %d: the code here has no such variable: it is not used, was "
		 "optimized out, or the source has changed since",
		 sharing_names[named->sharing], named->name, c->line);
	return add_note(s, &note);
}

/* The object of a lambda, which the source has no name for: gcc calls it so, and clang "this". */
static bool is_closure(const struct variable *v)
{
	const struct type *t = v->type ? type_strip(v->type) : NULL;

	t = t && type_is_pointer(t) && t->target ? type_strip(t->target) : NULL;
	return !strcmp(v->name, "__closure") ||
	       (sharing_places_is_object(v->name) && t && type_is_struct(t) && !t->name);
}

static bool is_hidden(const struct variable *v)
{
	bool is_array = sharing_places_name(v->name) && v->name[sharing_places_name(v->name)];

	return (v->internal && !is_array) || is_closure(v);
}

/* common: the block that it is in; NULL: none. */
static struct error *add_global(struct sharings *s, const struct scope *scope, const char *name,
				const char *common)
{
	struct variable v;

	if (has_row(s, name) || s->rows.len >= ROWS_MAX ||
	    !lookup_variable(scope, NULL, name, &v) || !v.name)
		return NULL;
	v.common = v.common ? v.common : common;
	return add_row(s, scope, &v);
}

/* name: of a variable, or "/blk/" of a common block, which stands for all that it has. */
static struct error *add_threadprivate(struct sharings *s, const struct scope *scope,
				       const char *name)
{
	struct variable_list all = { 0 };
	AUTO_FREE char *block = *name == '/' ? strndup(name + 1, strcspn(name + 1, "/")) : NULL;

	if (*name != '/')
		return add_global(s, scope, name, NULL);
	struct error *err = block ? variables_in_common(scope->session->variables,
							scope_lookup_pc(scope), block, &all)
				  : &error_nomem;
	vec_for_each (found, &all)
		err = err ? err : add_global(s, scope, found->name, found->common);
	vec_fini(&all);
	return err;
}

/* Those of the frame, without what compilers make, then those that clauses name. */
static struct error *add_rows(struct sharings *s, const struct scope *scope)
{
	struct variable_list all = { 0 };
	struct variables *variables = scope->session->variables;
	struct variable v;

	struct error *err =
		variables_in_scope(variables, scope_lookup_pc(scope), scope->level, &all);
	vec_for_each (found, &all) {
		if (err || !found->name || has_row(s, found->name) || is_hidden(found) ||
		    s->rows.len >= ROWS_MAX)
			continue;
		/* The innermost one of a name. */
		if (variables_find_local(variables, scope_lookup_pc(scope), scope->level,
					 found->name, &v))
			err = add_row(s, scope, &v);
	}
	vec_fini(&all);
	err = err ? err : add_all_given(s, scope);
	vec_for_each (c, &s->around.items) {
		vec_for_each (named, &c->directive.rows)
			err = err ? err : add_named(s, scope, c, named);
	}
	vec_for_each (name, &s->around.threadprivate)
		err = err ? err : add_threadprivate(s, scope, *name);
	return err;
}

/* ---- all ---------------------------------------------------------------------------------- */

/* The member that is the selected thread; NULL: none. */
static struct member *selected(const struct control *c, struct members *team)
{
	vec_for_each (m, &team->items) {
		if (m->frames.thread && m->frames.thread->lwp == c->selected)
			return m;
	}
	return NULL;
}

/* That of a name alone. false: there is none. */
static bool keep_row(struct sharings *s, const char *name)
{
	size_t n = 0;

	vec_for_each (row, &s->rows) {
		bool wanted =
			s->around.fortran ? !strcasecmp(row->name, name) : !strcmp(row->name, name);
		if (wanted && !n)
			s->rows.items[n++] = *row;
		else
			row_fini(row);
	}
	s->rows.len = n;
	vec_for_each (note, &s->notes)
		free(*note);
	s->notes.len = 0;
	return n;
}

static struct error *add_wanted(struct sharings *s, const struct scope *scope, const char *name)
{
	struct variable v;

	if (lookup_variable(scope, NULL, name, &v) && v.name)
		return add_row(s, scope, &v);
	struct error *err = add_rows(s, scope);
	if (err)
		return err;
	if (keep_row(s, name))
		return NULL;
	if (lookup_is_outer(scope, name))
		return error_new(ERROR_USAGE,
				 "%s is not in this construct's code: it is a variable of a "
				 "function around, of which the construct uses nothing",
				 name);
	return error_new(ERROR_USAGE, "no symbol \"%s\" in current context", name);
}

struct error *sharing_find(struct control *c, const char *name, struct sharings *ret)
{
	const struct frame *frame;
	struct scope scope;

	*ret = (struct sharings){ .team = calloc(1, sizeof(*ret->team)) };
	if (!ret->team)
		return &error_nomem;
	/* Without a region the directives can be read all the same. */
	struct error *err = members_find(c, false, ret->team);
	bool no_region = error_is(err, ERROR_USAGE) && c->live && c->frames.thread;
	if (no_region) {
		error_ignore(err);
		members_fini(ret->team);
		err = members_find(c, true, ret->team);
	}
	if (!err)
		ret->picture = &ret->team->look.snapshot->picture;
	struct member *own = err ? NULL : selected(c, ret->team);
	if (!err && !own)
		err = error_new(ERROR_USAGE, "No thread selected.");
	if (!err)
		err = frames_get(&own->frames, own->level, &frame);
	if (err)
		return err;
	ret->file = frame ? frame->file : NULL;
	ret->line = frame ? frame->line : 0;
	const bool outlined = is_outlined(own);
	err = read_source(c, ret, frame, outlined);
	if (!err && no_region && !ret->around.items.len)
		err = error_new(ERROR_USAGE, "the selected thread is in no parallel region, and "
					     "the selected line is in no construct");
	if (!err)
		err = check_text(ret, outlined);
	if (!err)
		err = member_scope(own, &scope);
	if (err)
		return err;
	return name ? add_wanted(ret, &scope, name) : add_rows(ret, &scope);
}
