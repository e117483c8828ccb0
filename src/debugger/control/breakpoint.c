/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/breakpoint.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ompd/outlined.h"

const char *const catch_names[NUM_CATCHES] = {
	[CATCH_FORK] = "fork",       [CATCH_VFORK] = "vfork",     [CATCH_EXEC] = "exec",
	[CATCH_SIGNAL] = "signal",   [CATCH_SYSCALL] = "syscall", [CATCH_LOAD] = "load",
	[CATCH_UNLOAD] = "unload",   [CATCH_THROW] = "throw",     [CATCH_CATCH] = "catch",
	[CATCH_RETHROW] = "rethrow", [CATCH_OMP] = "omp",
};

/* Where the C++ runtime library does it (Itanium C++ ABI: Exception Handling, 2.4, 2.5). */
static const char *const catch_functions[NUM_CATCHES] = {
	[CATCH_THROW] = "__cxa_throw",
	[CATCH_CATCH] = "__cxa_begin_catch",
	[CATCH_RETHROW] = "__cxa_rethrow",
};

/* ---- the list --------------------------------------------------------------------------- */

static void location_fini(struct breakpoint_location *l)
{
	free(l->function);
	free(l->shown);
	free(l->file);
	free(l->invalid);
}

void counted_events_fini(struct counted_events *n)
{
	free(n->function);
	free(n->file);
	free(n->module);
}

void counted_list_fini(struct counted_list *l)
{
	vec_for_each (n, l)
		counted_events_fini(n);
	vec_fini(l);
}

void breakpoint_forget_counts(struct breakpoint *b)
{
	counted_list_fini(&b->counted);
	b->uncounted = 0;
}

static void breakpoint_free(struct breakpoint *b)
{
	linespec_fini(&b->spec);
	free(b->text);
	vec_fini(&b->regions);
	free(b->condition);
	free(b->commands);
	free(b->format);
	vec_for_each (l, &b->locations)
		location_fini(l);
	vec_fini(&b->locations);
	vec_fini(&b->copies);
	vec_fini(&b->which);
	free(b->library);
	free(b->caught);
	breakpoint_forget_counts(b);
	counted_list_fini(&b->named);
	buf_fini(&b->judged);
	arrivals_fini(&b->arrivals);
	free(b);
}

void breakpoints_fini(struct breakpoints *bs)
{
	vec_for_each (b, &bs->items)
		breakpoint_free(*b);
	vec_fini(&bs->items);
}

struct breakpoint *breakpoint_add(struct breakpoints *bs, enum breakpoint_kind kind)
{
	struct breakpoint *b = calloc(1, sizeof(*b));

	if (!b || !vec_push(&bs->items, b)) {
		free(b);
		return NULL;
	}
	b->number = ++bs->last;
	b->kind = kind;
	b->enabled = true;
	return b;
}

void breakpoint_remove(struct breakpoints *bs, struct breakpoint *b)
{
	size_t kept = 0;

	for (size_t i = 0; i < bs->items.len; i++) {
		if (bs->items.items[i] != b)
			bs->items.items[kept++] = bs->items.items[i];
	}
	bs->items.len = kept;
	breakpoint_free(b);
}

struct breakpoint *breakpoint_find(const struct breakpoints *bs, int number)
{
	vec_for_each (b, &bs->items) {
		if ((*b)->number == number)
			return *b;
	}
	return NULL;
}

struct breakpoint *breakpoint_of_point(const struct breakpoints *bs, unsigned int point,
				       size_t *ret_location)
{
	vec_for_each (b, &bs->items) {
		for (size_t i = 0; i < (*b)->locations.len; i++) {
			if ((*b)->locations.items[i].point == point) {
				*ret_location = i;
				return *b;
			}
		}
	}
	return NULL;
}

bool breakpoint_is_watch(const struct breakpoint *b)
{
	return b->kind == BREAK_CHANGE || b->kind == BREAK_READ || b->kind == BREAK_ACCESS;
}

bool breakpoint_is_local(const struct breakpoint *b)
{
	vec_for_each (copy, &b->copies) {
		if (copy->scope_point)
			return true;
	}
	return b->copies.len > 1;
}

bool breakpoint_is_pending(const struct breakpoint *b)
{
	return (b->kind == BREAK_CODE || b->kind == BREAK_PRINT) && !b->locations.len;
}

bool breakpoint_has_code(const struct breakpoint *b)
{
	return b->kind == BREAK_CODE || b->kind == BREAK_PRINT ||
	       (b->kind == BREAK_CATCH && catch_functions[b->catches]);
}

/* ---- locations -------------------------------------------------------------------------- */

static bool copy(char **to, const char *from)
{
	*to = from ? strdup(from) : NULL;
	return !from || *to;
}

size_t breakpoint_hidden_calls(const struct breakpoint_location *l, struct session *s,
			       struct code_block *ret)
{
	struct code_block blocks[CODE_BLOCKS_MAX];
	size_t calls = places_calls(blocks, places_blocks(s->symbols, l->addr, blocks)), hidden = 0;

	while (hidden < calls && !text_same(blocks[hidden].function, l->function))
		hidden++;
	if (hidden)
		*ret = blocks[hidden - 1];
	return hidden;
}

static struct error *make_location(const struct code_place *place, struct session *s,
				   struct breakpoint_location *ret)
{
	struct breakpoint_location l = { .addr = place->addr,
					 .line = place->line,
					 .resolver = place->resolver,
					 .enabled = true };
	struct code_block call;

	if (!copy(&l.function, place->function))
		return &error_nomem;
	size_t hidden = breakpoint_hidden_calls(&l, s, &call);
	const struct source_place at = { l.addr, hidden, place->file, place->line };
	const char *outlined;
	l.shown = outlined_text(s->symbols, &at, true, &outlined);
	if (!l.shown && l.function)
		l.shown = symbol_demangle(l.function);
	if (!copy(&l.file, place->file)) {
		location_fini(&l);
		return &error_nomem;
	}
	*ret = l;
	return NULL;
}

static void count_location(struct breakpoint *b, struct breakpoint_location *l, struct target *t)
{
	struct point_state state;
	struct error *err = l->point ? target_point_state(t, l->point, &state) : NULL;

	if (l->point && !err) {
		b->hits += state.hits - l->counted;
		l->counted = state.hits;
		if (b->locations.len == 1)
			b->ignore = state.ignore;
	}
	error_ignore(err); /* it ended with the process */
}

void breakpoint_count(struct breakpoint *b, struct target *t)
{
	vec_for_each (l, &b->locations)
		count_location(b, l, t);
}

static struct error *clear_location(struct breakpoint *b, struct breakpoint_location *l,
				    struct target *t)
{
	if (!l->point)
		return NULL;
	count_location(b, l, t);
	struct error *err = target_clear_point(t, l->point);
	if (!err) {
		l->point = 0;
		l->counted = 0;
	}
	return err;
}

static struct breakpoint_location *location_at(struct breakpoint *b, taddr addr)
{
	vec_for_each (l, &b->locations) {
		if (l->addr == addr)
			return l;
	}
	return NULL;
}

/* The new locations, which take over the points of those at the same addresses. */
static struct error *take_places(struct breakpoint *b, const struct breakpoint_context *c,
				 const struct code_places *places)
{
	VEC(struct breakpoint_location) new = { 0 };
	struct error *err = NULL;

	for (size_t i = 0; i < places->len && !err; i++) {
		struct breakpoint_location l;
		struct breakpoint_location *old = location_at(b, places->items[i].addr);
		err = make_location(&places->items[i], c->where.session, &l);
		if (err)
			break;
		if (old) {
			l.point = old->point;
			l.enabled = old->enabled;
			l.counted = old->counted;
			l.invalid = TAKE(old->invalid);
			old->point = 0;
		}
		if (!vec_push(&new, l))
			err = &error_nomem;
	}
	vec_for_each (old, &b->locations) {
		struct error *gone = c->target ? clear_location(b, old, c->target) : NULL;
		error_ignore(gone); /* its module is gone, too */
		location_fini(old);
	}
	vec_fini(&b->locations);
	b->locations.items = new.items;
	b->locations.len = new.len;
	b->locations.cap = new.cap;
	return err;
}

static struct error *find_places(struct breakpoint *b, const struct breakpoint_context *c,
				 struct code_places *ret, int *ret_line)
{
	struct places_query query = { .exact_entry = true };

	if (b->kind != BREAK_CATCH)
		return linespec_resolve(&b->spec, &c->where, ret, ret_line);
	query.name = catch_functions[b->catches];
	struct error *err = places_of_function(c->where.session->symbols, &query, ret);
	if (err || ret->len)
		return err;
	return error_new(ERROR_NOT_FOUND, "the program has no %s()", query.name);
}

struct error *breakpoint_resolve(struct breakpoint *b, const struct breakpoint_context *c,
				 int *ret_line)
{
	struct code_places places = { 0 };

	*ret_line = 0;
	if (!breakpoint_has_code(b))
		return NULL;
	struct error *err = find_places(b, c, &places, ret_line);
	/* What was found in a process that has ended is still where it will be found again. */
	bool keeps = err && !c->target && b->locations.len;
	if (!err || (error_is(err, ERROR_NOT_FOUND) && !keeps)) {
		struct error *taken = take_places(b, c, &places);
		if (taken) {
			error_ignore(err);
			err = taken;
		}
	}
	vec_fini(&places);
	return err;
}

/* ---- points ----------------------------------------------------------------------------- */

static enum point_kind point_kind_of(const struct breakpoint *b)
{
	switch (b->kind) {
	case BREAK_CODE:
	case BREAK_PRINT:
	case BREAK_CATCH:
		return b->hard ? POINT_CODE_HARD : POINT_CODE;
	case BREAK_CHANGE:
		return b->reckoned ? POINT_WRITE : POINT_CHANGE;
	case BREAK_READ:
		return POINT_READ;
	case BREAK_ACCESS:
		return POINT_ACCESS;
	}
	return POINT_CODE;
}

void breakpoint_conditions(const struct breakpoint *b, struct breakpoint_conditions *ret)
{
	size_t n = 0;

	*ret = (struct breakpoint_conditions){ .items = { NULL } };
	snprintf(ret->thread, sizeof(ret->thread), "$omp_thread == %d", b->omp.thread);
	snprintf(ret->team, sizeof(ret->team), "$omp_region == %d", b->omp.team);
	if (b->omp.is_thread)
		ret->items[n++] = ret->thread;
	if (b->omp.is_team)
		ret->items[n++] = ret->team;
	if (b->condition)
		ret->items[n++] = b->condition;
}

static struct error *set_location(struct breakpoint *b, struct breakpoint_location *l,
				  const struct breakpoint_context *c)
{
	AUTO_BUF program = { 0 };
	struct compiled how = { .whole = true };
	struct breakpoint_conditions conditions;
	struct error *err = NULL;
	struct point point = {
		.id = l->point ? l->point : *c->next_point + 1,
		.kind = point_kind_of(b),
		.addr = l->addr,
		.size = l->size,
		.lwp = b->own      ? b->copies.items[l->copy].lwp
		       : b->thread ? c->lwp_of(c->context, b->thread)
				   : 0,
		.own = b->own,
		.ignore = b->ignore,
		.asks = b->locations.len > 1 && b->ignore,
	};

	/* Of data: code at any place may change it, where local names mean something else. */
	bool watch = breakpoint_is_watch(b);
	breakpoint_conditions(b, &conditions);
	if (*conditions.items)
		err = c->compile(c->context, conditions.items, watch ? 0 : l->addr, &program, &how);
	if (watch && err && err != &error_nomem) {
		error_ignore(err);
		err = NULL;
		how = (struct compiled){ 0 };
		program.len = 0;
	}
	b->early = how.early;
	point.asks |= !how.whole || b->omp.once;
	if (program.len) {
		point.condition = (const uint8_t *)program.data;
		point.condition_size = program.len;
	}
	if (err && err != &error_nomem) {
		/* The place is new, and the condition means nothing there. */
		l->invalid = strdup(error_message(err));
		error_ignore(err);
		return clear_location(b, l, c->target);
	}
	point.asks |= b->reckoned;
	if (b->reckoned && *conditions.items) { /* behind the question whether it has changed */
		point.condition = NULL;
		point.condition_size = 0;
	}
	b->asks = point.asks;
	if (point.asks)
		point.ignore = 0;
	if (!err)
		err = target_set_point(c->target, &point);
	if (err)
		return err;
	if (!l->point)
		l->counted = 0;
	*c->next_point += !l->point;
	l->point = point.id;
	return NULL;
}

struct error *breakpoint_check(struct breakpoint *b, const struct breakpoint_context *c)
{
	struct breakpoint_conditions conditions;
	struct error *first = NULL;
	size_t wrong = 0;

	if (breakpoint_is_watch(b)) /* it is computed where a thread stands then */
		return NULL;
	breakpoint_conditions(b, &conditions);
	vec_for_each (l, &b->locations) {
		AUTO_BUF program = { 0 };
		struct compiled how;
		struct error *err = *conditions.items ? c->compile(c->context, conditions.items,
								   l->addr, &program, &how)
						      : NULL;
		bool is_wrong = err && !l->resolver;
		free(l->invalid);
		l->invalid = is_wrong ? strdup(error_message(err)) : NULL;
		wrong += is_wrong;
		if (is_wrong && !first)
			first = err;
		else
			error_ignore(err);
	}
	if (wrong == b->locations.len && !b->spec.forced)
		return first;
	error_ignore(first);
	return NULL;
}

struct error *breakpoint_arm(struct breakpoint *b, const struct breakpoint_context *c)
{
	/* That thread is gone; nobody else is to be stopped. */
	bool nobody = b->thread && !c->lwp_of(c->context, b->thread);
	struct error *err = NULL;

	vec_for_each (l, &b->locations) {
		if (b->enabled && l->enabled && !l->invalid && !nobody && !l->resolver)
			err = set_location(b, l, c);
		else
			err = clear_location(b, l, c->target);
		if (err)
			return error_add(err, "Cannot insert breakpoint %d", b->number);
	}
	return NULL;
}

struct error *breakpoint_disarm(struct breakpoint *b, struct target *t)
{
	struct error *err = NULL;

	for (size_t i = 0; i < b->locations.len && !err; i++)
		err = clear_location(b, &b->locations.items[i], t);
	return err;
}

void breakpoint_forget(struct breakpoint *b)
{
	vec_for_each (l, &b->locations) {
		l->point = 0;
		l->counted = 0;
	}
	/* The types of values were the session's, and the threads the process's. */
	b->copies.len = b->copies.len > 0;
	vec_for_each (copy, &b->copies)
		*copy = (struct watched_copy){ 0 };
	vec_for_each (l, &b->locations)
		l->enabled &= !l->copy;
	b->own = false;
	b->told = false;
	b->regions.len = 0;
	counted_list_fini(&b->named);
	b->arrivals.len = b->arrivals.team.len = 0;
}
