/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/listing_keys.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "base/text.h"
#include "debugger/merge.h"

void cell_fini(struct cell *c)
{
	buf_fini(&c->text);
	*c = (struct cell){ 0 };
}

/* ---- kinds of cells ----------------------------------------------------------------------- */

static void set_text(struct cell *ret, const char *text)
{
	ret->kind = text && *text ? CELL_TEXT : CELL_NONE;
	buf_adds(&ret->text, text ? text : "");
}

static void set_number(struct cell *ret, long number)
{
	ret->kind = CELL_NUMBER;
	ret->number = number;
	buf_addf(&ret->text, "%ld", number);
}

/* -1: not known, or none. */
static void set_natural(struct cell *ret, long number)
{
	if (number >= 0)
		set_number(ret, number);
}

static void set_address(struct cell *ret, taddr address)
{
	ret->kind = address ? CELL_TEXT : CELL_NONE;
	if (address)
		buf_addf(&ret->text, "0x%" PRIxTADDR, address);
}

static void set_threads(const struct listing *l, struct cell *ret, const int *threads, size_t len)
{
	if (!len)
		return;
	ret->kind = CELL_THREADS;
	ret->items = threads;
	ret->len = len;
	merge_add_thread_set(&ret->text, l->picture, threads, len);
}

/* Larger ones are text. */
static void set_wide(struct cell *ret, const struct listing_number *n)
{
	if (!n->known)
		return;
	set_number(ret, (long)n->bits);
	if (n->is_unsigned && n->bits > LONG_MAX) {
		buf_clear(&ret->text);
		buf_addf(&ret->text, "%" PRIu64, n->bits);
		ret->kind = CELL_TEXT;
	}
}

/* A getter of a text; NULL: there is none. */
#define TEXT_KEY(name, text)                                                                       \
	static void name(const struct listing *l, const struct listing_row *row, struct cell *ret) \
	{                                                                                          \
		(void)l;                                                                           \
		set_text(ret, text);                                                               \
	}

/* ---- who ---------------------------------------------------------------------------------- */

static const struct picture_thread *thread_of(const struct listing *l,
					      const struct listing_row *row)
{
	return picture_thread(l->picture, row->thread);
}

static const struct picture_region *region_of(const struct listing *l,
					      const struct listing_row *row)
{
	return picture_region(l->picture, row->region);
}

static const struct picture_task *task_of(const struct listing *l, const struct listing_row *row)
{
	return picture_task(l->picture, row->task);
}

static void get_thread(const struct listing *l, const struct listing_row *row, struct cell *ret)
{
	const struct picture_thread *t = thread_of(l, row);

	if (!picture_is_numbered(t))
		return;
	ret->kind = CELL_THREAD;
	picture_add_thread_name(&ret->text, l->picture, row->thread);
}

static void get_lwp(const struct listing *l, const struct listing_row *row, struct cell *ret)
{
	const struct picture_thread *t = thread_of(l, row);

	if (t && t->lwp > 0)
		set_number(ret, t->lwp);
}

TEXT_KEY(get_role, thread_of(l, row) && thread_of(l, row)->role != ROLE_NONE
			   ? picture_role_name(thread_of(l, row)->role)
			   : NULL)

static void get_region(const struct listing *l, const struct listing_row *row, struct cell *ret)
{
	set_natural(ret, picture_region_id(l->picture, row->region));
}

static void get_parent(const struct listing *l, const struct listing_row *row, struct cell *ret)
{
	const struct picture_region *r = region_of(l, row);

	set_natural(ret, r ? picture_region_id(l->picture, r->parent) : -1);
}

static void get_level(const struct listing *l, const struct listing_row *row, struct cell *ret)
{
	const struct picture_region *r = region_of(l, row);

	if (r && r->level > 0)
		set_number(ret, r->level);
}

static void get_size(const struct listing *l, const struct listing_row *row, struct cell *ret)
{
	const struct picture_region *r = region_of(l, row);

	if (r && r->size > 0)
		set_number(ret, r->size);
}

static void get_by(const struct listing *l, const struct listing_row *row, struct cell *ret)
{
	long team;
	size_t number;

	if (!picture_starter(l->picture, row->region, &team, &number))
		return;
	ret->kind = CELL_TEXT;
	buf_addf(&ret->text, "%ld.%zu", team, number);
}

static void get_threads(const struct listing *l, const struct listing_row *row, struct cell *ret)
{
	set_threads(l, ret, row->threads.items, row->threads.len);
}

static void get_missing(const struct listing *l, const struct listing_row *row, struct cell *ret)
{
	set_threads(l, ret, row->missing.items, row->missing.len);
}

static void get_count(const struct listing *l, const struct listing_row *row, struct cell *ret)
{
	(void)l;
	set_number(ret, (long)row->threads.len);
}

/* ---- tasks -------------------------------------------------------------------------------- */

static void get_task(const struct listing *l, const struct listing_row *row, struct cell *ret)
{
	set_natural(ret, picture_task_id(l->picture, row->task));
}

static void get_creator(const struct listing *l, const struct listing_row *row, struct cell *ret)
{
	const struct picture_task *t = task_of(l, row);

	set_natural(ret, t ? picture_task_id(l->picture, t->creator) : -1);
}

static void set_tasks(const struct listing *l, struct cell *ret, const int *tasks, size_t len)
{
	ret->kind = CELL_TASKS;
	ret->items = tasks;
	ret->len = len;
	for (size_t i = 0; i < len; i++)
		buf_addf(&ret->text, "%s%ld", i ? " " : "", picture_task_id(l->picture, tasks[i]));
}

static void get_awaited(const struct listing *l, const struct listing_row *row, struct cell *ret)
{
	const struct picture_task *t = task_of(l, row);

	if (t && (t->waits_for.len || t->waits))
		set_tasks(l, ret, t->waits_for.items, t->waits_for.len);
	if (t && t->waits && !t->waits_for.len)
		buf_adds(&ret->text, "its tasks");
}

static void get_followers(const struct listing *l, const struct listing_row *row, struct cell *ret)
{
	if (row->followers.len)
		set_tasks(l, ret, row->followers.items, row->followers.len);
}

static void get_unfinished(const struct listing *l, const struct listing_row *row, struct cell *ret)
{
	(void)l;
	set_natural(ret, row->unfinished);
}

/* ---- what they do ------------------------------------------------------------------------- */

static void get_state(const struct listing *l, const struct listing_row *row, struct cell *ret)
{
	const struct picture_task *task = task_of(l, row);
	const struct picture_thread *t = thread_of(l, row);

	if (row->share)
		set_text(ret, row->share->state);
	else if (l->kind == LIST_TASKS)
		set_text(ret, task ? picture_task_state_name(task->state) : NULL);
	else if (l->kind == LIST_STATES && row->threads.len)
		set_text(ret, listing_state_name(&l->picture->threads.items[*row->threads.items]));
	else
		set_text(ret, t ? listing_state_name(t) : NULL);
}

TEXT_KEY(get_wait,
	 row->wait && row->wait->kind != WAIT_NONE && wait_kind_whom(row->wait->kind) != FOR_WORK
		 ? picture_wait_name(row->wait)
		 : NULL)

static void get_object(const struct listing *l, const struct listing_row *row, struct cell *ret)
{
	const struct picture_wait *w = row->wait;
	const struct picture_hold *h = row->hold;
	const char *name = h ? h->name : NULL;

	(void)l;
	if (!name && w)
		name = w->variable ? w->variable : w->name;
	if (name)
		set_text(ret, name);
	else if (h || (w && wait_kind_whom(w->kind) == FOR_HOLDER))
		set_address(ret, h && h->object ? h->object : w ? w->object : 0);
}

static void get_address(const struct listing *l, const struct listing_row *row, struct cell *ret)
{
	const struct picture_task *task = task_of(l, row);
	const struct picture_region *region = region_of(l, row);
	const taddr waited = row->wait ? row->wait->object : 0;

	if (l->kind == LIST_TASKS)
		set_address(ret, task ? task->handle : 0);
	else if (l->kind == LIST_REGIONS)
		set_address(ret, region ? region->handle : 0);
	else
		set_address(ret, row->hold && row->hold->object ? row->hold->object : waited);
}

static void get_holder(const struct listing *l, const struct listing_row *row, struct cell *ret)
{
	if (picture_thread(l->picture, row->holder))
		set_threads(l, ret, &row->holder, 1);
}

/* How sure the holder is. */
static void get_held(const struct listing *l, const struct listing_row *row, struct cell *ret)
{
	const bool likely = row->holder_source == SOURCE_INFERRED;

	if (!picture_thread(l->picture, row->holder))
		return;
	set_text(ret, !likely                           ? "surely"
		      : !row->hold || row->hold->always ? "probably"
							: "perhaps");
}

static void get_arrived(const struct listing *l, const struct listing_row *row, struct cell *ret)
{
	(void)l;
	if (!row->wait || row->wait->total <= 0)
		return;
	ret->kind = CELL_TEXT;
	buf_addf(&ret->text, "%ld of %ld", row->wait->arrived, row->wait->total);
}
TEXT_KEY(get_spinning, row->wait && row->wait->spinning ? "yes" : NULL)

/* ---- kinds, places ------------------------------------------------------------------------ */

static void get_kind(const struct listing *l, const struct listing_row *row, struct cell *ret)
{
	const struct picture_task *t = task_of(l, row);
	const struct picture_region *r = region_of(l, row);

	if (row->share)
		set_text(ret, row->share->construct);
	else if (l->kind == LIST_TASKS)
		set_text(ret, t ? picture_task_kind_name(t->kind) : NULL);
	else if (l->kind == LIST_REGIONS)
		set_text(ret, r && r->league ? "teams" : "parallel");
	else if (row->hold)
		set_text(ret, wait_kind_traits(row->hold->kind)->name);
	else
		set_text(ret, row->wait ? picture_wait_name(row->wait) : NULL);
}

TEXT_KEY(get_construct,
	 l->kind == LIST_TASKS ? task_of(l, row)->construct : region_of(l, row)->construct)
TEXT_KEY(get_function, row->place ? row->place->function : NULL)
TEXT_KEY(get_file, row->place ? row->place->file : NULL)

static void get_line(const struct listing *l, const struct listing_row *row, struct cell *ret)
{
	(void)l;
	if (row->place && row->place->line > 0)
		set_number(ret, row->place->line);
}

static void get_at(const struct listing *l, const struct listing_row *row, struct cell *ret)
{
	const char *file = row->place ? row->place->file : NULL;

	(void)l;
	if (!file)
		return;
	set_text(ret, text_last_part(file));
	if (row->place->line > 0)
		buf_addf(&ret->text, ":%d", row->place->line);
}
TEXT_KEY(get_source, row->source != SOURCE_NONE ? picture_source_name(row->source) : NULL)

/* Of its id. */
static void get_doubt(const struct listing *l, const struct listing_row *row, struct cell *ret)
{
	const struct picture_region *r = region_of(l, row);
	const struct picture_task *t = task_of(l, row);
	const bool doubtful = l->kind == LIST_TASKS ? t && t->doubtful : r && r->doubtful;

	set_text(ret, doubtful ? "maybe seen before" : NULL);
}

/* ---- loops -------------------------------------------------------------------------------- */

TEXT_KEY(get_directive, row->share->directive)
TEXT_KEY(get_schedule, row->share->schedule)
TEXT_KEY(get_now, row->share->now)

/* A getter of a number. */
#define WIDE_KEY(name, number)                                                                     \
	static void name(const struct listing *l, const struct listing_row *row, struct cell *ret) \
	{                                                                                          \
		(void)l;                                                                           \
		set_wide(ret, &row->share->number);                                                \
	}
WIDE_KEY(get_first, first)
WIDE_KEY(get_last, last)
WIDE_KEY(get_rest, rest)
WIDE_KEY(get_left, left)

/* ---- runtimes, ICVs ----------------------------------------------------------------------- */

static const struct picture_runtime *runtime_of(const struct listing *l,
						const struct listing_row *row)
{
	return (size_t)row->runtime < l->picture->runtimes.len
		       ? &l->picture->runtimes.items[row->runtime]
		       : NULL;
}
TEXT_KEY(get_runtime, runtime_of(l, row) ? runtime_of(l, row)->name : NULL)
TEXT_KEY(get_version, runtime_of(l, row) ? runtime_of(l, row)->version : NULL)
TEXT_KEY(get_status, runtime_of(l, row) ? runtime_of(l, row)->status : NULL)
TEXT_KEY(get_provider, runtime_of(l, row) ? runtime_of(l, row)->provider : NULL)
TEXT_KEY(get_path, runtime_of(l, row) ? runtime_of(l, row)->path : NULL)
TEXT_KEY(get_icv, row->icv ? row->icv->name : NULL)
TEXT_KEY(get_value, row->icv ? row->icv->value : NULL)

static void get_scope(const struct listing *l, const struct listing_row *row, struct cell *ret)
{
	static const char *const names[NUM_ICV_SCOPES] = {
		[ICV_PROCESS] = "process",
		[ICV_THREAD] = "thread",
		[ICV_REGION] = "region",
		[ICV_TASK] = "task",
	};

	(void)l;
	set_text(ret, row->icv ? names[row->icv->scope] : NULL);
}

/* ---- the table ---------------------------------------------------------------------------- */

enum {
	T = 1 << LIST_THREADS,
	R = 1 << LIST_REGIONS,
	K = 1 << LIST_TASKS,
	W = 1 << LIST_WAITS,
	L = 1 << LIST_LOCKS,
	B = 1 << LIST_BARRIERS,
	S = 1 << LIST_STATES,
	I = 1 << LIST_ICVS,
	U = 1 << LIST_RUNTIMES,
	O = 1 << LIST_LOOPS,
};

/* In the order in which all of them are told. */
static const struct listing_key keys[] = {
	{ "icv", I, get_icv },
	{ "value", I, get_value },
	{ "scope", I, get_scope },
	{ "thread", T | W | O, get_thread },
	{ "task", T | K | W | I | O, get_task },
	{ "region", T | R | K | W | B | I | O, get_region },
	{ "thread", R | K | I, get_thread },
	{ "lwp", T | R | K | W | I | O, get_lwp },
	{ "role", T | W, get_role },
	{ "parent", R | B, get_parent },
	{ "level", T | R | K | W | B | O, get_level },
	{ "size", R | B, get_size },
	{ "by", R, get_by },
	{ "kind", R | K | L | B | O, get_kind },
	{ "construct", R | K, get_construct },
	{ "directive", O, get_directive },
	{ "schedule", O, get_schedule },
	{ "left", O, get_left },
	{ "state", T | K | S | O, get_state },
	{ "first", O, get_first },
	{ "last", O, get_last },
	{ "now", O, get_now },
	{ "rest", O, get_rest },
	{ "creator", K, get_creator },
	{ "waits-for", K, get_awaited },
	{ "awaited-by", K, get_followers },
	{ "unfinished", K, get_unfinished },
	{ "wait", T | W | S, get_wait },
	{ "object", T | W | L, get_object },
	{ "holder", T | W | L, get_holder },
	{ "held", T | W | L, get_held },
	{ "count", R | L | B | S, get_count },
	{ "threads", R | S, get_threads },
	{ "waiters", L, get_threads },
	{ "arrived", B, get_threads },
	{ "arrived", T | W, get_arrived },
	{ "missing", B, get_missing },
	{ "spinning", T | W, get_spinning },
	{ "function", T | R | K | W | L | B | O, get_function },
	{ "at", T | R | K | W | L | B | O, get_at },
	{ "file", T | R | K | W | L | B | O, get_file },
	{ "line", T | R | K | W | L | B | O, get_line },
	{ "address", T | R | K | W | L | B, get_address },
	{ "runtime", T | R | K | B | I | U | O, get_runtime },
	{ "version", U, get_version },
	{ "status", U, get_status },
	{ "provider", U, get_provider },
	{ "path", U, get_path },
	{ "source", T | R | K | W | L | B | S, get_source },
	{ "doubt", R | K, get_doubt },
};

void listing_get(const struct listing *l, const struct listing_row *row,
		 const struct listing_key *key, struct cell *ret)
{
	*ret = (struct cell){ 0 };
	key->get(l, row, ret);
}

const struct listing_key *listing_next_key(enum listing_kind kind, const struct listing_key *key)
{
	const struct listing_key *end = keys + sizeof(keys) / sizeof(*keys);

	for (key = key ? key + 1 : keys; key < end; key++) {
		if (key->of & 1U << kind)
			return key;
	}
	return NULL;
}

const struct listing_key *listing_key(enum listing_kind kind, const char *name, size_t len)
{
	const struct listing_key *key = NULL;

	while ((key = listing_next_key(kind, key))) {
		if (strlen(key->name) == len && !strncmp(key->name, name, len))
			return key;
	}
	return NULL;
}

struct error *listing_find_key(enum listing_kind kind, const char *name, size_t len,
			       const struct listing_key **ret)
{
	AUTO_BUF all = { 0 };
	const struct listing_key *found = listing_key(kind, name, len), *key = NULL;

	if (found) {
		*ret = found;
		return NULL;
	}
	while ((key = listing_next_key(kind, key)))
		buf_addf(&all, "%s%s", all.len ? ", " : "", key->name);
	return error_new(ERROR_USAGE, "'%.*s' is no key of %s: there are %s", (int)len, name,
			 listing_name(kind), buf_text(&all));
}
