/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/listing.h"

#include "base/text.h"
#include "debugger/wait_words.h"

static const struct listing_row nothing = {
	.thread = -1, .region = -1, .task = -1, .runtime = -1, .holder = -1, .unfinished = -1
};

static void fini(struct listing_row *row)
{
	ints_fini(&row->threads);
	ints_fini(&row->missing);
	ints_fini(&row->followers);
}

static bool add(struct listing *l, struct listing_row row)
{
	if (vec_push(&l->rows, row))
		return true;
	fini(&row);
	return false;
}

/* ---- threads, regions, tasks -------------------------------------------------------------- */

static struct listing_row row_of_thread(const struct picture *p, int thread)
{
	const struct picture_thread *t = &p->threads.items[thread];
	struct listing_row row = nothing;

	row.thread = thread;
	row.region = t->region;
	row.task = t->task;
	row.runtime = t->runtime;
	row.wait = &t->wait;
	row.holder = t->wait.holder;
	row.holder_source = t->wait.holder_source;
	row.place = &t->wait.place;
	row.source = t->source;
	return row;
}

static bool add_threads(struct listing *l)
{
	bool whole = true;

	for (int i = 0; whole && i < (int)l->picture->threads.len; i++)
		whole = add(l, row_of_thread(l->picture, i));
	return whole;
}

static bool add_regions(struct listing *l)
{
	bool whole = true;

	for (int i = 0; whole && i < (int)l->picture->regions.len; i++) {
		const struct picture_region *r = &l->picture->regions.items[i];
		struct listing_row row = nothing;
		row.thread = r->primary;
		row.region = i;
		row.runtime = r->runtime;
		row.place = &r->place;
		row.source = r->source;
		for (size_t n = 0; whole && n < r->members.len; n++)
			whole = r->members.items[n] < 0 ||
				vec_push(&row.threads, r->members.items[n]);
		whole = add(l, row) && whole;
	}
	return whole;
}

/* Where the runtime does not count them and yet lists all tasks, they are counted here. */
static void count_unfinished(struct listing *l)
{
	const struct picture *p = l->picture;

	for (size_t i = 0; i < l->rows.len; i++) {
		const struct picture_task *t = &p->tasks.items[i];
		const int runtime = l->rows.items[i].runtime;
		const bool lists =
			(size_t)runtime < p->runtimes.len && p->runtimes.items[runtime].lists_tasks;
		l->rows.items[i].unfinished = t->unfinished < 0 && lists ? 0 : t->unfinished;
	}
	for (size_t i = 0; i < l->rows.len; i++) {
		const struct picture_task *t = &p->tasks.items[i];
		const struct picture_task *creator = picture_task(p, t->creator);
		if (creator && creator->unfinished < 0 && t->kind != TASK_IMPLICIT &&
		    l->rows.items[t->creator].unfinished >= 0)
			l->rows.items[t->creator].unfinished++;
	}
}

/* Who waits for each. */
static bool add_followers(struct listing *l)
{
	bool whole = true;

	for (int i = 0; i < (int)l->rows.len; i++) {
		vec_for_each (other, &l->picture->tasks.items[i].waits_for)
			whole = whole && (!picture_task(l->picture, *other) ||
					  vec_push(&l->rows.items[*other].followers, i));
	}
	return whole;
}

static bool add_tasks(struct listing *l)
{
	bool whole = true;

	for (int i = 0; whole && i < (int)l->picture->tasks.len; i++) {
		const struct picture_task *t = &l->picture->tasks.items[i];
		const struct picture_region *r = picture_region(l->picture, t->region);
		struct listing_row row = nothing;
		row.thread = t->thread;
		row.region = t->region;
		row.task = i;
		row.runtime = r ? r->runtime : -1;
		row.place = &t->place;
		row.source = t->source;
		whole = add(l, row);
	}
	if (whole)
		count_unfinished(l);
	return whole && add_followers(l);
}

/* ---- waits -------------------------------------------------------------------------------- */

static bool add_waits(struct listing *l)
{
	bool whole = true;

	for (int i = 0; whole && i < (int)l->picture->threads.len; i++) {
		struct listing_row row = row_of_thread(l->picture, i);
		if (!wait_kind_is_wait(row.wait->kind))
			continue;
		row.source = row.wait->source;
		whole = add(l, row);
	}
	return whole;
}

static struct listing_row *find_state(struct listing *l, const struct picture_thread *t)
{
	vec_for_each (row, &l->rows) {
		if (picture_wait_kind(row->wait) == picture_wait_kind(&t->wait) &&
		    l->picture->threads.items[*row->threads.items].held == t->held)
			return row;
	}
	return NULL;
}

static bool add_states(struct listing *l)
{
	bool whole = true;

	for (int i = 0; whole && i < (int)l->picture->threads.len; i++) {
		const struct picture_thread *t = &l->picture->threads.items[i];
		struct listing_row *row = find_state(l, t), fresh = nothing;
		fresh.wait = &t->wait;
		fresh.source = t->wait.source;
		if (!row && !add(l, fresh))
			return false;
		row = row ? row : &l->rows.items[l->rows.len - 1];
		whole = vec_push(&row->threads, i);
	}
	return whole;
}

/* ---- barriers ----------------------------------------------------------------------------- */

static struct listing_row *find_barrier(struct listing *l, int region, const struct picture_wait *w)
{
	vec_for_each (row, &l->rows) {
		if (row->region == region && place_shares_line(row->place, &w->place) &&
		    picture_wait_kind(row->wait) == picture_wait_kind(w))
			return row;
	}
	return NULL;
}

static bool has_arrived(const struct picture_thread *t, int region)
{
	return t && t->region == region && wait_kind_traits(t->wait.kind)->is_barrier;
}

/* Who of the team is at none of its barriers. */
static bool fill_missing(const struct listing *l, struct listing_row *row)
{
	const struct picture_region *r = picture_region(l->picture, row->region);
	bool whole = true;

	for (size_t n = 0; whole && r && n < r->members.len; n++) {
		const int member = r->members.items[n];
		const struct picture_thread *t = picture_thread(l->picture, member);
		whole = !t || has_arrived(t, row->region) || vec_push(&row->missing, member);
	}
	return whole;
}

static bool add_barriers(struct listing *l)
{
	bool whole = true;

	for (int i = 0; whole && i < (int)l->picture->threads.len; i++) {
		const struct picture_thread *t = &l->picture->threads.items[i];
		if (!has_arrived(t, t->region))
			continue;
		struct listing_row *row = find_barrier(l, t->region, &t->wait), fresh;
		fresh = row_of_thread(l->picture, i);
		fresh.thread = fresh.task = fresh.holder = -1;
		fresh.source = t->wait.source;
		if (!row && !add(l, fresh))
			return false;
		row = row ? row : &l->rows.items[l->rows.len - 1];
		whole = vec_push(&row->threads, i);
	}
	vec_for_each (row, &l->rows)
		whole = whole && fill_missing(l, row);
	return whole;
}

/* ---- locks -------------------------------------------------------------------------------- */

struct lock {
	enum wait_kind kind;
	taddr object;     /* 0: not known   */
	const char *name; /* NULL: not known */
};

/* The name of a mutex's wait is that of the function. */
static struct lock lock_of(const struct picture_wait *w)
{
	return (struct lock){ w->kind, w->object, w->kind == WAIT_MUTEX ? w->variable : w->name };
}

/* One whose address is not known is the same only as what has its name. */
static bool is_same_lock(const struct lock *a, const struct lock *b)
{
	if (a->kind != b->kind)
		return false;
	if (a->object && b->object)
		return a->object == b->object;
	return a->name && text_same(a->name, b->name);
}

static struct listing_row *find_lock(struct listing *l, const struct picture_wait *w)
{
	vec_for_each (row, &l->rows) {
		const struct picture_hold *h = row->hold;
		const struct lock a =
			h ? (struct lock){ h->kind, h->object, h->name } : lock_of(row->wait);
		const struct lock b = lock_of(w);
		if (is_same_lock(&a, &b))
			return row;
	}
	return NULL;
}

/* Of a nest lock it is told once who has it, and where it was taken first. */
static bool is_listed(const struct listing *l, const struct picture_hold *h)
{
	const struct lock own = { h->kind, h->object, h->name };

	vec_for_each (row, &l->rows) {
		const struct lock other = { row->hold->kind, row->hold->object, row->hold->name };
		if (row->holder == h->thread && is_same_lock(&own, &other))
			return true;
	}
	return false;
}

static bool add_holds(struct listing *l)
{
	bool whole = true;

	vec_for_each (hold, &l->picture->holds) {
		struct listing_row row = nothing;
		if (is_listed(l, hold))
			continue;
		row.hold = hold;
		row.holder = hold->thread;
		row.holder_source = row.source = SOURCE_INFERRED;
		row.place = &hold->place;
		whole = whole && add(l, row);
	}
	return whole;
}

static bool add_locks(struct listing *l)
{
	bool whole = add_holds(l);

	for (int i = 0; whole && i < (int)l->picture->threads.len; i++) {
		const struct picture_thread *t = &l->picture->threads.items[i];
		if (wait_kind_whom(t->wait.kind) != FOR_HOLDER)
			continue;
		struct listing_row *row = find_lock(l, &t->wait), fresh;
		fresh = row_of_thread(l->picture, i);
		fresh.thread = fresh.region = fresh.task = -1;
		fresh.place = NULL;
		fresh.source = t->wait.source;
		if (!row && !add(l, fresh))
			return false;
		row = row ? row : &l->rows.items[l->rows.len - 1];
		row->wait = &t->wait;
		if (t->wait.holder >= 0 && t->wait.holder_source != SOURCE_INFERRED) {
			row->holder = t->wait.holder;
			row->holder_source = t->wait.holder_source;
		}
		whole = vec_push(&row->threads, i);
	}
	return whole;
}

/* ---- runtimes, ICVs ----------------------------------------------------------------------- */

static bool add_icvs(struct listing *l)
{
	bool whole = true;

	vec_for_each (icv, &l->picture->icvs) {
		struct listing_row row = nothing;
		row.icv = icv;
		row.runtime = icv->runtime;
		row.thread = icv->scope == ICV_THREAD ? icv->of : -1;
		row.region = icv->scope == ICV_REGION ? icv->of : -1;
		row.task = icv->scope == ICV_TASK ? icv->of : -1;
		whole = whole && add(l, row);
	}
	return whole;
}

static bool add_runtimes(struct listing *l)
{
	bool whole = true;

	for (int i = 0; whole && i < (int)l->picture->runtimes.len; i++) {
		struct listing_row row = nothing;
		row.runtime = i;
		whole = add(l, row);
	}
	return whole;
}

/* ---- all of it ---------------------------------------------------------------------------- */

static const struct {
	const char *name;
	bool (*add)(struct listing *l); /* NULL: they are of more than a picture */
} kinds[NUM_LISTINGS] = {
	[LIST_THREADS] = { "threads", add_threads },
	[LIST_REGIONS] = { "regions", add_regions },
	[LIST_TASKS] = { "tasks", add_tasks },
	[LIST_WAITS] = { "waits", add_waits },
	[LIST_LOCKS] = { "locks", add_locks },
	[LIST_BARRIERS] = { "barriers", add_barriers },
	[LIST_STATES] = { "states", add_states },
	[LIST_ICVS] = { "icvs", add_icvs },
	[LIST_RUNTIMES] = { "runtimes", add_runtimes },
	[LIST_LOOPS] = { "loops", NULL },
};

struct error *listing_make(const struct picture *p, enum listing_kind kind, struct listing *ret)
{
	struct listing l = { .picture = p, .kind = kind };

	if (kinds[kind].add && !kinds[kind].add(&l)) {
		listing_fini(&l);
		return &error_nomem;
	}
	*ret = l;
	return NULL;
}

void listing_fini(struct listing *l)
{
	vec_for_each (row, &l->rows)
		fini(row);
	vec_fini(&l->rows);
}

const char *listing_name(enum listing_kind kind)
{
	return kinds[kind].name;
}

const char *listing_state_name(const struct picture_thread *t)
{
	static const char *const names[NUM_WAIT_WHOM] = {
		[FOR_NOT_KNOWN] = "unknown", [FOR_NOBODY] = "runs",   [FOR_TEAM] = "waits",
		[FOR_CHILDREN] = "waits",    [FOR_HOLDER] = "waits",  [FOR_TURN] = "waits",
		[FOR_EVENT] = "waits",       [FOR_LEAGUE] = "waits",  [FOR_SIGNAL] = "waits",
		[FOR_ENDING] = "waits",      [FOR_WORLD] = "blocked", [FOR_RUNTIME] = "runtime",
		[FOR_WORK] = "idle",
	};

	if (t->held)
		return wait_words_held(t->held);
	return t->wait.kind == WAIT_CRASHED ? "crashed" : names[wait_kind_whom(t->wait.kind)];
}
