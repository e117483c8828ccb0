/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/deciding.h"

#include <stdlib.h>
#include <string.h>

#include "base/source.h"
#include "debugger/values/deciding_words.h"
#include "debugger/values/eval.h"
#include "debugger/values/lookup.h"
#include "debugger/values/raw_scope.h"
#include "debugger/values/source_around.h"
#include "target/symbols/places.h"

enum {
	VALUES_MAX = 1 << 13, /* of all threads                                        */
	FRAMES_MAX = 3,       /* of one thread, from the place of its wait outward     */
	CONDITIONS_MAX = 4,   /* of one of them, from the inside out                   */
	OWN_MAX = 12,         /* values of one thread                                  */
	TEXT_MAX = 32,        /* characters of a text                                  */
};

/* What is to be asked for at a line. */
struct asked_line {
	const char *file; /* borrowed; as the place, and of the condition */
	int place, line;
	bool own;                    /* it is the place's, not that of a condition */
	struct deciding_words words; /* owned */
};

/* One of those words that has no value where a level of a frame is, whichever thread is there. */
struct idle_word {
	taddr pc;
	size_t level;
	const char *text; /* borrowed of its line */
};

struct finding {
	struct session *session;
	const struct snapshot *from;
	struct deciding *ret;
	struct convenience *values; /* owned; there are none */
	struct shown_limits limits;
	VEC(struct asked_line) lines; /* of each place together */
	VEC(struct idle_word) idle;
	size_t own;  /* values of the present thread */
	bool failed; /* memory is out */
};

/* One level of a frame of a thread. */
struct visit {
	struct finding *f;
	int thread;
	bool further;
	struct scope scope; /* has no registers until they are needed */
	const struct source_frame *at;
	size_t first; /* of its values */
	uint64_t registers[SCOPE_REGISTERS_MAX];
};

void deciding_fini(struct deciding *d)
{
	vec_for_each (item, &d->items) {
		free(item->text);
		shown_fini(&item->value);
	}
	vec_fini(&d->items);
}

/* ---- what the source asks --------------------------------------------------------------- */

static void add_line(struct finding *f, const struct source_frame *at, int line, const char *text,
		     bool own)
{
	struct asked_line asked = { .file = at->file, .place = at->line, .line = line, .own = own };
	bool fortran = enclosing_form(at->file) != SOURCE_C;

	f->failed |= deciding_words_add(&asked.words, text, fortran, own) != NULL ||
		     !vec_push(&f->lines, asked);
	if (f->failed)
		deciding_words_fini(&asked.words);
}

/* Conditions that are not compiled, as the preprocessor leaves them out. */
static void drop_others(const struct finding *f, const struct source_frame *at, taddr pc,
			struct constructs *ret)
{
	for (size_t i = ret->conditions.len; i-- > 0;) {
		const struct condition *c = &ret->conditions.items[i];
		if (c->doubtful && !places_have_line(f->session->symbols, pc, at->file, c->line))
			enclosing_drop_conditions(ret, i, i + 1);
	}
}

/* false: it cannot be read. pc: of code of the place. */
static bool read_source(struct finding *f, const struct source_frame *at, taddr pc)
{
	AUTO_CONSTRUCTS around = { 0 };
	AUTO_BUF own = { 0 };
	bool known = false;

	struct error *err = source_around(f->session, at->file, at->line, &around, &known);
	f->failed |= err != NULL;
	error_ignore(err);
	if (f->failed || !known)
		return false;
	drop_others(f, at, pc, &around);
	size_t n = around.conditions.len, first = n > CONDITIONS_MAX ? n - CONDITIONS_MAX : 0;
	for (size_t i = first; i < n && !f->failed; i++) {
		const struct condition *c = &around.conditions.items[i];
		add_line(f, at, c->line, c->text, false);
	}
	/* A place that is asked for is never asked for again, be it that it asks for nothing. */
	if (!source_cache_line(f->session->sources, at->file, at->line, &own))
		buf_clear(&own);
	f->failed |= own.failed;
	if (!f->failed)
		add_line(f, at, at->line, buf_text(&own), true);
	return !f->failed;
}

/* The first of those of a place; the end: nothing is known of it. */
static size_t find_lines(struct finding *f, const struct source_frame *at, taddr pc)
{
	for (size_t i = 0; i < f->lines.len; i++) {
		const struct asked_line *l = &f->lines.items[i];
		if (l->place == at->line && !strcmp(l->file, at->file))
			return i;
	}
	size_t first = f->lines.len;
	return read_source(f, at, pc) ? first : f->lines.len;
}

/* ---- values ----------------------------------------------------------------------------- */

static bool is_readable(const struct shown *s)
{
	if (s->missing || s->fault || s->nitems)
		return false;
	return type_is_scalar(s->type) || s->has_text;
}

/* Takes value. */
static void add_value(struct visit *v, int line, const char *text, taddr at, struct shown *value)
{
	struct finding *f = v->f;
	struct deciding_value item = { .thread = v->thread,
				       .file = v->at->file,
				       .line = line,
				       .further = v->further,
				       .at = at,
				       .value = *value };

	item.text = strdup(text);
	if (item.text && vec_push(&f->ret->items, item)) {
		f->own++;
		return;
	}
	f->failed = true;
	free(item.text);
	shown_fini(value);
}

/* Not a constant, which says nothing beyond the source, and not what was computed. */
static bool is_variable(const struct visit *v, const char *text, const struct value *value)
{
	struct variable variable;
	AUTO_FREE char *name = strndup(text, strcspn(text, " .->[%(:"));

	if (value->place == VALUE_MEMORY || value->place == VALUE_REGISTER)
		return true;
	v->f->failed |= !name;
	return name && lookup_variable(&v->scope, NULL, name, &variable);
}

/* The number of the thread in the innermost region. */
static bool thread_number(const struct visit *v, const char *text, struct value *ret)
{
	const struct picture_thread *t = picture_thread(&v->f->from->picture, v->thread);

	if (strcmp(text, DECIDING_THREAD_NUMBER) != 0 || !picture_is_numbered(t))
		return false;
	*ret = value_of_int(type_find_basic("int"), (uint64_t)t->number);
	return true;
}

static bool is_known(const struct visit *v, const char *text)
{
	const struct deciding *all = v->f->ret;

	for (size_t i = v->first; i < all->items.len; i++) {
		if (!strcmp(all->items.items[i].text, text))
			return true;
	}
	return false;
}

static bool is_idle(const struct visit *v, const char *text)
{
	vec_for_each (i, &v->f->idle) {
		if (i->text == text && i->pc == v->scope.pc && i->level == v->scope.level)
			return true;
	}
	return false;
}

static void find_registers(struct visit *v)
{
	const struct scope *s = &v->scope;
	const size_t level = s->level;

	if (s->registers)
		return;
	v->scope = raw_scope(s->session, s->thread, s->raw, s->frame, v->registers);
	v->scope.level = level;
}

/* false: it has no value that can be shown. *ret_ever: elsewhere, or another time, it may have. */
static bool read_value(struct visit *v, const char *text, struct value *ret, bool *ret_ever)
{
	const struct eval_context context = { .scope = &v->scope, .values = v->f->values };

	*ret_ever = true;
	if (thread_number(v, text, ret))
		return true;
	find_registers(v);
	struct error *err = eval_text(&context, text, ret);
	v->f->failed |= err == &error_nomem;
	const bool is_there = !err && !ret->missing;
	/* A name that nothing has: that of a macro. */
	*ret_ever = !err || !error_is(err, ERROR_NOT_FOUND) || strpbrk(text, " .->[%(:");
	error_ignore(err);
	if (!is_there)
		return false;
	*ret_ever = (type_is_scalar(ret->type) || type_is_text(ret->type) ||
		     type_is_string(ret->type)) &&
		    is_variable(v, text, ret);
	return *ret_ever;
}

static void ask(struct visit *v, int line, const char *text)
{
	struct value value;
	struct shown shown = { 0 };
	bool ever;

	if (v->f->failed || v->f->own >= OWN_MAX || is_known(v, text) || is_idle(v, text))
		return;
	if (!read_value(v, text, &value, &ever)) {
		const struct idle_word idle = { v->scope.pc, v->scope.level, text };
		v->f->failed |= !ever && !vec_push(&v->f->idle, idle);
		return;
	}
	struct error *err = shown_make(&v->scope, &value, &v->f->limits, &shown);
	v->f->failed |= err != NULL;
	error_ignore(err);
	if (!v->f->failed && is_readable(&shown))
		add_value(v, line, text, value.place == VALUE_MEMORY ? value.addr : 0, &shown);
	else
		shown_fini(&shown);
}

/* Where there is no source. */
static void add_arguments(struct visit *v)
{
	AUTO_SHOWN_VARIABLES all = { 0 };
	find_registers(v);
	struct error *err = shown_arguments(&v->scope, &v->f->limits, &all);

	v->f->failed |= err != NULL;
	error_ignore(err);
	vec_for_each (variable, &all) {
		if (v->f->failed || v->f->own >= OWN_MAX || !variable->name ||
		    !is_readable(&variable->value))
			continue;
		add_value(v, v->at->line, variable->name, 0, &variable->value);
		variable->value = (struct shown){ .type = &type_void };
	}
}

static void visit_level(struct visit *v)
{
	struct finding *f = v->f;

	v->first = f->ret->items.len;
	size_t i = v->at->file ? find_lines(f, v->at, v->scope.pc) : f->lines.len;

	if (i == f->lines.len && !v->further)
		add_arguments(v);
	for (; i < f->lines.len && !f->failed; i++) {
		const struct asked_line line = f->lines.items[i];
		if (line.place != v->at->line || strcmp(line.file, v->at->file) != 0)
			break;
		/* With what it has called decides nothing. */
		for (size_t k = 0; k < line.words.len && !(line.own && v->further); k++)
			ask(v, line.line, line.words.items[k]);
	}
}

static void visit_frame(struct finding *f, int thread, size_t frame, bool further)
{
	const struct unwind_stack *raw = &f->from->stacks->raw[thread];
	struct visit v = { .f = f, .thread = thread, .further = further };
	const struct source_frame *levels;
	size_t len = 0;

	v.scope =
		raw_scope(f->session, f->session->target->threads.items[thread], raw, frame, NULL);
	f->failed |= symbol_locate(f->session->symbols, spans_pc(&raw->items[frame]), &levels,
				   &len) != NULL;
	AUTO_FREE struct source_frame *copy = calloc(len + 1, sizeof(*copy));
	f->failed |= !copy;
	if (f->failed)
		return;
	memcpy(copy, levels, len * sizeof(*copy));
	for (size_t i = len; i-- > 0 && !f->failed;) {
		v.at = &copy[i];
		v.scope.level = i;
		v.further = further || i > 0;
		visit_level(&v);
	}
}

/* ---- threads ---------------------------------------------------------------------------- */

/* Whether what it does can be the reason why others wait, or why it waits itself. */
static bool is_asked(const struct picture_thread *t)
{
	return t->wait.place.pc && (t->region >= 0 || wait_kind_is_wait(t->wait.kind)) &&
	       t->wait.kind != WAIT_REGION_END;
}

static void visit_thread(struct finding *f, int thread)
{
	const struct picture_thread *t = picture_thread(&f->from->picture, thread);
	const struct unwind_stack *raw = &f->from->stacks->raw[thread];
	size_t n = raw->len < t->spans.len ? raw->len : t->spans.len, first = 0, end;

	while (first < n &&
	       (t->spans.hidden[first] || spans_pc(&raw->items[first]) != t->wait.place.pc))
		first++;
	for (end = first; end < n && end < first + FRAMES_MAX && !t->spans.hidden[end]; end++)
		;
	f->own = 0;
	for (size_t i = end; i-- > first && !f->failed;)
		visit_frame(f, thread, i, i > first);
}

struct error *deciding_find(struct session *s, const struct snapshot *from, struct deciding *ret)
{
	struct finding f = { .session = s, .from = from, .ret = ret, .limits = SHOWN_LIMITS };

	deciding_fini(ret);
	f.limits.elements = TEXT_MAX;
	f.limits.symbol = false;
	f.values = convenience_new();
	f.failed = !f.values;
	for (int i = 0; i < (int)from->picture.threads.len && !f.failed; i++) {
		if (is_asked(&from->picture.threads.items[i]) && ret->items.len < VALUES_MAX)
			visit_thread(&f, i);
	}
	vec_for_each (line, &f.lines)
		deciding_words_fini(&line->words);
	vec_fini(&f.lines);
	vec_fini(&f.idle);
	convenience_free(f.values);
	return f.failed ? &error_nomem : NULL;
}
