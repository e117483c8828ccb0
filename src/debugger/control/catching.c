/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/catching.h"

#include <ctype.h>
#include <string.h>

#include "base/text.h"
#include "debugger/values/compile.h"
#include "ompd/outlined.h"

/*
 * Nothing in it depends on the frame: no names but those of the debugger's variables. The frame of
 * an event is the program's, which the tracer does not look for.
 */
static bool is_free_of_names(const char *condition)
{
	bool inside = false;

	for (const char *s = condition; *s; s++) {
		bool letter = isalpha((unsigned char)*s) || *s == '_' || *s == '$';
		if (letter && !inside && *s != '$')
			return false;
		inside = isalnum((unsigned char)*s) || *s == '_' || *s == '$';
	}
	return true;
}

/* What of the condition the tracer can judge. */
static struct error *compile(struct control *c, struct breakpoint *b, struct buf *ret)
{
	const bool own = is_free_of_names(b->condition);
	struct compiled how = { .early = own && !control_session(c) };
	struct error *err = NULL;

	if (own && control_session(c))
		err = compile_conditions(control_session(c), 0,
					 (const char *const[]){ b->condition, NULL }, ret, &how);
	b->asks = !how.whole;
	b->early = how.early;
	if (!err && b->counts && !how.whole && !how.early)
		err = error_new(ERROR_UNSUPPORTED,
				"the condition of a catchpoint that counts is to be computed where "
				"the program is traced, without the program's names");
	return err;
}

struct error *catching_update(struct control *c, struct breakpoint *b)
{
	struct probe_wish *wish = probes_wish(c->probes, b->wish);

	if (!wish)
		return NULL;
	const event_set all = EVENT_BIT(EVENT_BARRIER_ALL_ARRIVED);
	const bool arrives = b->events & all;
	*wish = (struct probe_wish){ .events = b->events, .counts = b->counts, .asks = !b->counts };
	if (arrives) { /* who leaves is to be heard of, too */
		wish->told = all | EVENT_BIT(EVENT_BARRIER_EXIT);
		wish->events |= wish->told;
	}
	if (!b->enabled)
		wish->events = 0;
	if (b->condition) {
		b->judged.len = 0;
		struct error *err = compile(c, b, &b->judged);
		if (err)
			return err;
		wish->condition = (const uint8_t *)b->judged.data;
		wish->condition_size = b->judged.len;
		wish->told |= b->asks ? b->events : 0;
	}
	const struct probe_context context = control_probes(c);
	return probes_renew(c->probes, &context);
}

struct error *catching_remove(struct control *c, struct breakpoint *b)
{
	probes_drop(c->probes, b->wish);
	b->wish = 0;
	const struct probe_context context = control_probes(c);
	return probes_renew(c->probes, &context);
}

/* ---- what cannot be had ------------------------------------------------------------------- */

struct reasons {
	event_set events;
	struct buf text; /* "libgomp: why; libomp: why", of those of a module once */
	const char *last;
	bool any, had; /* there is a runtime; one of the events can be had */
};

static bool add_reason(void *context, const struct runtime_ops *ops, const char *module,
		       const struct event_row *row, size_t functions)
{
	struct reasons *r = context;

	(void)module;
	r->any = true;
	if (!(r->events & EVENT_BIT(row->event)))
		return true;
	r->had |= functions;
	if (row->when == WHEN_NEVER && row->note != r->last) {
		buf_addf(&r->text, "%s%s: %s", r->text.len ? "; " : "", ops->name, row->note);
		r->last = row->note;
	}
	return !r->had;
}

struct error *catching_check(struct control *c, event_set events)
{
	const struct probe_context context = control_probes(c);
	struct reasons r = { .events = events };

	if (!context.session)
		return NULL;
	struct error *err = probes_rows(&context, add_reason, &r);
	if (!err && r.any && !r.had)
		err = error_new(ERROR_UNSUPPORTED, "it cannot be had in this program (%s)",
				r.text.len ? buf_text(&r.text)
					   : "no function of its OpenMP runtime shows it");
	buf_fini(&r.text);
	return err;
}

struct omissions {
	event_set events;
	struct buf text; /* a reason, or several; each once */
	const char *last;
	bool any; /* there is a runtime */
};

/* What a runtime offers beside its own functions, programs of other compilers call. */
static bool is_own(const struct runtime_ops *ops, const struct event_row *row)
{
	const struct event_row *const own[] = { ops->events[0], NULL };
	const struct event_row *at = NULL;

	while ((at = runtime_event_next(own, at)) && at != row)
		continue;
	return at;
}

static bool add_omission(void *context, const struct runtime_ops *ops, const char *module,
			 const struct event_row *row, size_t functions)
{
	struct omissions *o = context;

	(void)module;
	o->any = true;
	if (!functions || !row->omits || row->note == o->last ||
	    !(o->events & EVENT_BIT(row->event)) || !is_own(ops, row))
		return true;
	buf_addf(&o->text, "%s%s", o->text.len ? "; " : "", row->note);
	o->last = row->note;
	return true;
}

struct error *catching_tell(struct control *c, struct breakpoint *b)
{
	const struct probe_context context = control_probes(c);
	struct omissions o = { .events = b->events };

	/* Whoever wants many events gets what there is. */
	if (b->noted || (b->events & (b->events - 1)) || !context.session)
		return NULL;
	struct error *err = probes_rows(&context, add_omission, &o);
	b->noted = o.any;
	if (!err && o.text.len)
		control_warn(c, error_new(ERROR_UNSUPPORTED, "Catchpoint %d (omp %s): %s",
					  b->number, b->text, buf_text(&o.text)));
	buf_fini(&o.text);
	return err;
}

/* ---- catchpoints -------------------------------------------------------------------------- */

struct error *catching_add(struct control *c, struct catching *what, struct breakpoint **ret)
{
	struct breakpoint *b = breakpoint_add(&c->breakpoints, BREAK_CATCH);

	if (!b || !probes_add(c->probes, &b->wish)) {
		free(what->words);
		free(what->condition);
		return &error_nomem;
	}
	b->catches = CATCH_OMP;
	b->temporary = what->temporary;
	b->fate = what->temporary ? FATE_DELETE : FATE_KEEP;
	b->text = what->words;
	b->condition = what->condition;
	b->events = what->events;
	b->counts = what->counts;
	struct error *err = catching_update(c, b);
	if (err) {
		error_ignore(catching_remove(c, b));
		breakpoint_remove(&c->breakpoints, b);
		c->breakpoints.last--;
		return err;
	}
	convenience_set_int(c->values, "bpnum", b->number);
	*ret = b;
	return NULL;
}

/* ---- counts ------------------------------------------------------------------------------- */

static int number_of(const struct control *c, pid_t lwp)
{
	vec_for_each (th, &c->threads.items) {
		if (th->lwp == lwp)
			return th->number;
	}
	return 0;
}

/* What has been unmapped since was known when it was there. */
static struct error *remember(const struct breakpoint *b, struct counted_events *ret)
{
	const struct counted_events *known = NULL;

	vec_for_each (old, &b->named)
		known = old->at == ret->at ? old : known;
	if (!known)
		return NULL;
	ret->function = known->function ? strdup(known->function) : NULL;
	ret->file = known->file ? strdup(known->file) : NULL;
	ret->module = known->module ? strdup(known->module) : NULL;
	ret->line = known->line;
	const bool whole = (ret->function || !known->function) && (ret->file || !known->file) &&
			   (ret->module || !known->module);
	return whole ? NULL : &error_nomem;
}

/* Of code without names there is the file: threads begin in the runtime's own. */
static struct error *name_module(const struct control *c, struct counted_events *ret)
{
	const struct module *m = module_at(c->live->modules, ret->at);

	ret->module = m && m->path ? strdup(m->path) : NULL;
	return ret->module || !m || !m->path ? NULL : &error_nomem;
}

/* "region () at a.c:43": the construct that code belongs to. */
static struct error *name(struct control *c, const struct breakpoint *b, struct counted_events *ret)
{
	const struct source_frame *levels;
	const char *outlined;
	size_t len;

	if (ret->gone)
		return remember(b, ret);
	struct error *err = symbol_locate(c->live->symbols, ret->at, &levels, &len);
	if (err || !len)
		return err ? err : name_module(c, ret);
	const struct source_place place = { ret->at, 0, levels[0].file, levels[0].line };
	ret->function = outlined_text(c->live->symbols, &place, false, &outlined);
	ret->file = levels[0].file ? strdup(levels[0].file) : NULL;
	ret->line = levels[0].line;
	if (!ret->function && !levels[0].file)
		return name_module(c, ret);
	return ret->file || !levels[0].file ? NULL : &error_nomem;
}

static int compare(const void *a, const void *b)
{
	const struct counted_events *x = a, *y = b;
	int files = strcmp(x->file ? x->file : "", y->file ? y->file : "");

	return x->event != y->event    ? (int)x->event - (int)y->event
	       : files                 ? files
	       : x->line != y->line    ? x->line - y->line
	       : x->thread - y->thread ? x->thread - y->thread
				       : x->lwp - y->lwp;
}

static bool same(const struct counted_events *x, const struct counted_events *y)
{
	return x->event == y->event && x->line == y->line && x->lwp == y->lwp &&
	       text_same(x->file, y->file);
}

/* A construct may be in several places of the code. */
static void join(struct breakpoint *b)
{
	size_t kept = 0;

	for (size_t i = 0; i < b->counted.len; i++) {
		struct counted_events *now = &b->counted.items[i];
		struct counted_events *last = kept ? &b->counted.items[kept - 1] : NULL;
		if (last && now->line && same(last, now)) {
			last->count += now->count;
			last->last = last->last > now->last ? last->last : now->last;
			counted_events_fini(now);
			continue;
		}
		b->counted.items[kept++] = *now;
	}
	b->counted.len = kept;
}

static struct error *take(struct control *c, const struct breakpoint *b,
			  const struct probe_counts *counts, struct counted_list *ret)
{
	vec_for_each (n, counts) {
		struct counted_events new = { .event = n->event,
					      .at = n->at,
					      .gone = n->gone,
					      .thread = number_of(c, n->lwp),
					      .lwp = n->lwp,
					      .count = n->count,
					      .last = n->last };
		struct error *err = name(c, b, &new);
		if (!err && !vec_push(ret, new))
			err = &error_nomem;
		if (err) {
			counted_events_fini(&new);
			return err;
		}
	}
	return NULL;
}

/* Each construct's own; the rest is what has no row. */
static struct error *read_counts(struct control *c, const struct breakpoint *b,
				 struct counted_list *ret, uint64_t *ret_rest)
{
	const struct probe_context context = control_probes(c);
	struct probe_counts now = { 0 };
	struct error *err = probes_count(c->probes, &context, b->wish, &now);

	if (!err)
		err = take(c, b, &now, ret);
	*ret_rest = now.rest;
	vec_fini(&now);
	return err;
}

struct error *catching_count(struct control *c, struct breakpoint *b)
{
	if (!b->counts || !control_probes(c).session)
		return NULL;
	breakpoint_forget_counts(b);
	struct error *err = read_counts(c, b, &b->counted, &b->uncounted);
	b->hits = b->uncounted;
	vec_for_each (n, &b->counted)
		b->hits += n->count;
	if (b->counted.len)
		qsort(b->counted.items, b->counted.len, sizeof(*b->counted.items), compare);
	join(b);
	return err;
}

struct error *catching_name(struct control *c)
{
	struct error *err = NULL;
	uint64_t rest;

	vec_for_each (b, &c->breakpoints.items) {
		struct counted_list now = { 0 };
		if (!(*b)->counts || err)
			continue;
		err = read_counts(c, *b, &now, &rest);
		counted_list_fini(&(*b)->named);
		(*b)->named = now;
	}
	return err;
}

static int compare_latest(const void *a, const void *b)
{
	const struct counted_events *x = *(const struct counted_events *const *)a;
	const struct counted_events *y = *(const struct counted_events *const *)b;

	return x->thread != y->thread ? x->thread - y->thread
	       : x->lwp != y->lwp     ? x->lwp - y->lwp
				      : (x->last < y->last) - (x->last > y->last);
}

struct error *catching_history(struct control *c, struct catching_history *ret)
{
	struct error *err = NULL;
	bool counts = false;

	vec_for_each (b, &c->breakpoints.items) {
		counts |= (*b)->counts;
		err = err ? err : catching_count(c, *b);
		for (size_t i = 0; !err && i < (*b)->counted.len; i++) {
			const struct counted_events *n = &(*b)->counted.items[i];
			if (n->last >= c->ran_at && !vec_push(ret, n))
				err = &error_nomem;
		}
	}
	if (!err && !counts)
		err = error_new(ERROR_USAGE, "Nothing is counted: 'catch omp all -count' does, "
					     "from then on");
	if (!err && ret->len)
		qsort(ret->items, ret->len, sizeof(*ret->items), compare_latest);
	return err;
}
