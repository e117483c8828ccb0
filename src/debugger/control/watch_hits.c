/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/watch_hits.h"
#include "debugger/values/lock_names.h"

#include <string.h>

#include "base/text.h"
#include "debugger/control/construct_code.h"
#include "debugger/control/placing.h"
#include "debugger/control/team_accesses.h"
#include "debugger/control/watching.h"
#include "debugger/look.h"
#include "ompd/names.h"

/* NULL: it is no watchpoint. */
static struct watched_copy *copy_of(const struct breakpoint *b, size_t location)
{
	return b->copies.len ? &b->copies.items[b->locations.items[location].copy] : NULL;
}

struct error *watch_hits_scope(struct control *c, const struct breakpoint *b, size_t location,
			       struct thread *th, struct scope *ret)
{
	const struct watched_copy *copy = copy_of(b, location);

	if (copy && copy->frame && copy->lwp == th->lwp) {
		struct error *err = watching_scope(c, copy, ret);
		if (!error_is(err, ERROR_NOT_FOUND))
			return err;
		error_ignore(err);
	}
	frames_select(&c->frames, c->live, th, 0);
	return frames_scope(&c->frames, 0, ret);
}

struct error *watch_hits_look(struct control *c, struct breakpoint *b, size_t location,
			      struct report_watch *ret, bool *ret_stops)
{
	struct watched_copy *copy = copy_of(b, location);
	const struct value was = copy->seen;
	bool moved, changed;
	struct error *err =
		watching_look(c, b, b->locations.items[location].copy, &changed, &moved);

	if (!err && moved)
		err = placing_update(c, b);
	*ret_stops = !err && (changed || b->kind != BREAK_CHANGE);
	ret->has_old = changed && b->kind != BREAK_READ;
	ret->was = was;
	ret->is = copy->seen;
	return err;
}

/* What debug registers alone tell. */
static struct error *read_state(struct control *c, const struct breakpoint *b, size_t location,
				struct report_watch *ret)
{
	const struct type *type = copy_of(b, location)->seen.type;
	struct point_state state = { 0 };
	struct error *err =
		target_point_state(c->live->target, b->locations.items[location].point, &state);

	if (err)
		return err;
	ret->nothers = state.nothers;
	memcpy(ret->others, state.others, sizeof(ret->others));
	ret->has_old =
		b->kind == BREAK_CHANGE || (b->kind == BREAK_ACCESS && state.was != state.is);
	if (!type)
		return NULL;
	ret->was = value_of_int(type, state.was);
	ret->is = value_of_int(type, state.is);
	return NULL;
}

static bool is_told(const struct stop_report *r, const struct breakpoint *b, pid_t copy)
{
	vec_for_each (w, &r->watches) {
		if (w->number == b->number && w->copy == copy)
			return true;
	}
	return false;
}

struct error *watch_hits_add(struct control *c, const struct breakpoint *b, size_t location,
			     const struct report_watch *w, struct stop_report *r)
{
	struct report_watch told = *w;
	struct error *err = b->reckoned ? NULL : read_state(c, b, location, &told);

	if (err)
		return err;
	told.number = b->number;
	told.accessed = b->kind != BREAK_CHANGE;
	told.read_only = b->kind == BREAK_READ;
	told.copy = b->copies.len > 1 ? copy_of(b, location)->lwp : 0;
	r->team |= b->team;
	if (is_told(r, b, told.copy))
		return NULL;
	told.expression = strdup(b->text);
	if (told.expression && vec_push(&r->watches, told))
		return NULL;
	free(told.expression);
	return &error_nomem;
}

/* ---- of a team -------------------------------------------------------------------------- */

static bool copy_text(char **to, const char *from)
{
	*to = from ? strdup(from) : NULL;
	return !from || *to;
}

static struct error *add_hold(const struct picture_hold *h, struct stop_report *r)
{
	struct report_hold made = {
		.kind = h->kind, .object = h->object, .always = h->always, .line = h->place.line
	};
	bool fine = copy_text(&made.name, h->name) && copy_text(&made.file, h->place.file);

	if (fine && vec_push(&r->holds, made))
		return NULL;
	free(made.name);
	free(made.file);
	return &error_nomem;
}

static struct error *name_copies(const struct picture *p, struct stop_report *r)
{
	for (size_t i = 0; i < p->threads.len; i++) {
		vec_for_each (w, &r->watches) {
			AUTO_BUF name = { 0 };
			if (w->copy != p->threads.items[i].lwp || w->whose ||
			    !picture_is_numbered(&p->threads.items[i]))
				continue;
			picture_add_thread_name(&name, p, (int)i);
			if (!copy_text(&w->whose, buf_text(&name)))
				return &error_nomem;
		}
	}
	return NULL;
}

/* A function that it is in was called in an ordered construct of its region. */
static bool is_ordered(struct control *c, const struct unwind_stack *raw)
{
	enum { DEEPEST = 16 };
	enum code_kind kind = CODE_USER;
	bool ret = false;

	for (size_t i = 1; i < raw->len && i < DEEPEST && !ret && kind == CODE_USER; i++) {
		error_ignore(construct_code_kind(c->live, raw->items[i].pc - 1, &kind));
		ret = kind == CODE_USER && team_accesses_ordered(c, raw->items[i].pc - 1);
	}
	return ret;
}

/* One that was watched for a team is kept for the table of those that nothing ordered. */
static struct error *note_access(struct control *c, const struct look *look, int thread,
				 const struct report_watch *w)
{
	const struct picture *p = &look->snapshot->picture;
	const struct picture_thread *th = picture_thread(p, thread);
	const struct picture_region *region = picture_region(p, th->region);
	struct thread *own = target_find_thread(c->live->target, th->lwp);
	const struct breakpoint *b = breakpoint_find(&c->breakpoints, w->number);
	struct race_access made = { .team = th->region, .who = th->number, .writes = true };

	if (!picture_is_numbered(th) || !own || !b || !b->team || !b->locations.len)
		return NULL;
	vec_for_each (l, &b->locations) {
		if (!w->copy || b->copies.items[l->copy].lwp == w->copy)
			made.addr = l->addr;
	}
	made.reads = w->accessed;
	made.writes = !w->accessed || w->has_old;
	made.ordered = region->generation >= 0;
	made.epoch = region->handle * 31 + (uint64_t)region->generation;
	vec_for_each (h, &p->holds) {
		if (h->thread == thread && made.nlocks < RACE_LOCKS_MAX && h->always)
			made.locks[made.nlocks++] = h->object ? h->object : (uint64_t)h->kind;
	}
	if (made.nlocks < RACE_LOCKS_MAX && is_ordered(c, &look->snapshot->stacks->raw[thread]))
		made.locks[made.nlocks++] = (uint64_t)WAIT_ORDERED;
	made.what = strdup(w->expression + (text_starts_with(w->expression, WATCHING_TEAM)
						    ? strlen(WATCHING_TEAM)
						    : 0));
	return team_accesses_note(c, own, &made);
}

static struct error *take_thread(const struct picture *p, int thread, struct stop_report *r)
{
	const struct picture_thread *th = picture_thread(p, thread);
	struct error *err = NULL;

	if (picture_is_numbered(th)) {
		r->region = picture_region_id(p, th->region);
		r->team_number = th->number;
		r->team_size = picture_region(p, th->region)->size;
	}
	for (size_t i = 0; !err && i < p->holds.len; i++) {
		if (p->holds.items[i].thread == thread)
			err = add_hold(&p->holds.items[i], r);
	}
	return err;
}

/* Of the thread that the stop is told of, and of those that have written at the same time. */
static struct error *note_accesses(struct control *c, const struct look *look, int thread,
				   const struct stop_report *r)
{
	const pid_t lwp = look->snapshot->picture.threads.items[thread].lwp;
	struct error *err = NULL;

	vec_for_each (w, &r->watches) {
		bool wrote = lwp == r->lwp;
		for (size_t i = 0; i < w->nothers; i++)
			wrote |= w->others[i] == lwp;
		if (!err && wrote)
			err = note_access(c, look, thread, w);
	}
	return err;
}

struct error *watch_hits_find_team(struct control *c, struct stop_report *r)
{
	const struct snapshot_options options = { .max_frames = UNWIND_FRAMES_DEFAULT,
						  .no_stacks = true,
						  .few_names = true,
						  .holds = true,
						  .more = lock_names_find };
	AUTO_LOOK look = { 0 };

	if (!r->team)
		return NULL;
	struct error *err = look_once(c->live, &options, &look);
	if (err)
		return err;
	struct picture *p = &look.snapshot->picture;
	err = names_find(p, c->live->symbols, c->live->sources);
	r->holds_complete = p->holds_complete;
	for (size_t i = 0; !err && i < p->threads.len; i++) {
		if (p->threads.items[i].lwp == r->lwp)
			err = take_thread(p, (int)i, r);
		if (!err)
			err = note_accesses(c, &look, (int)i, r);
	}
	return err ? err : name_copies(p, r);
}
