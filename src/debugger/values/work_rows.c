/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/work_rows.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

void work_rows_fini(struct work_rows *r)
{
	vec_for_each (share, &r->shares) {
		free(share->schedule);
		free(share->now);
	}
	vec_fini(&r->shares);
	listing_fini(&r->listing);
}

/* ---- rows --------------------------------------------------------------------------------- */

static struct listing_number number_of(const struct work *w, bool known, uint64_t number)
{
	return (struct listing_number){ known, w->is_unsigned, number };
}

/* NULL: there is none, or memory is out, which buf says. */
static char *schedule_of(const struct work *w, bool *whole)
{
	AUTO_BUF text = { 0 };

	if (w->sections || (w->text && w->text->directive.parts & DIRECTIVE_TASK))
		return NULL;
	schedule_add(&text, &w->in_force);
	char *copy = buf_ok(&text) ? strdup(buf_text(&text)) : NULL;
	*whole &= copy != NULL;
	return copy;
}

/* "4", "4, 2": of each variable, from the outside in. */
static char *now_of(const struct work *w, const struct work_thread *t, bool *whole)
{
	AUTO_BUF text = { 0 };

	if (!t->has_now || !t->nnow)
		return NULL;
	for (size_t i = 0; i < t->nnow; i++)
		buf_addf(&text, w->is_unsigned ? "%s%" PRIu64 : "%s%" PRId64, i ? ", " : "",
			 t->now[i]);
	char *copy = buf_ok(&text) ? strdup(buf_text(&text)) : NULL;
	*whole &= copy != NULL;
	return copy;
}

static bool add_share(struct work_rows *r, const struct worksharing *all, size_t loop,
		      size_t member)
{
	const struct work *w = &all->items.items[loop];
	const struct work_thread *t = &w->threads.items[member];
	bool whole = true;
	struct listing_share share = {
		.loop = loop,
		.member = member,
		.construct = w->sections ? "sections" : "loop",
		.directive = w->text ? w->text->directive.name : NULL,
		.state = work_state_name(t->state),
		.schedule = schedule_of(w, &whole),
		.now = now_of(w, t, &whole),
		.first = number_of(w, t->has_chunk, t->first),
		.last = number_of(w, t->has_chunk, t->last),
		.rest = { t->has_rest, true, t->rest },
		.left = { w->has_left, true, w->left },
	};

	if (whole && vec_push(&r->shares, share))
		return true;
	free(share.schedule);
	free(share.now);
	return false;
}

/* When all shares are there, and stay where they are. */
static bool add_rows(struct work_rows *r, const struct worksharing *all, const struct picture *p)
{
	bool whole = true;

	for (size_t i = 0; whole && i < r->shares.len; i++) {
		const struct listing_share *share = &r->shares.items[i];
		const struct work *w = &all->items.items[share->loop];
		const int thread = w->threads.items[share->member].thread;
		const struct picture_thread *t = picture_thread(p, thread);
		const struct listing_row row = {
			.thread = thread,
			.region = w->region,
			.task = t ? t->task : -1,
			.runtime = t ? t->runtime : -1,
			.holder = -1,
			.unfinished = -1,
			.share = share,
			.place = &w->place,
		};
		whole = vec_push(&r->listing.rows, row);
	}
	return whole;
}

struct error *work_rows_make(const struct worksharing *w, const struct picture *p,
			     struct work_rows *ret)
{
	struct work_rows r = { .listing = { .picture = p, .kind = LIST_LOOPS } };
	bool whole = true;

	for (size_t i = 0; i < w->items.len; i++) {
		for (size_t n = 0; whole && n < w->items.items[i].threads.len; n++)
			whole = add_share(&r, w, i, n);
	}
	if (!whole || !add_rows(&r, w, p)) {
		work_rows_fini(&r);
		return &error_nomem;
	}
	*ret = r;
	return NULL;
}

/* ---- parts of them ------------------------------------------------------------------------ */

static struct work *find_picked(struct worksharing *picked, const struct work *w)
{
	vec_for_each (work, &picked->items) {
		if (work->object == w->object && work->region == w->region &&
		    place_is_same(&work->place, &w->place))
			return work;
	}
	return NULL;
}

static bool pick(struct worksharing *picked, const struct work *w, size_t member)
{
	struct work *work = find_picked(picked, w);

	if (!work) {
		struct work copy = *w;
		memset(&copy.threads, 0, sizeof(copy.threads));
		if (!vec_push(&picked->items, copy))
			return false;
		work = &picked->items.items[picked->items.len - 1];
	}
	return vec_push(&work->threads, w->threads.items[member]);
}

struct error *work_rows_pick(const struct work_rows *r, const struct worksharing *w,
			     const struct listing_lines *lines, size_t *next,
			     struct worksharing *ret)
{
	const struct listing_line *items = lines->items.items;
	const size_t first = *next;
	bool whole = true;

	*ret = (struct worksharing){ 0 };
	for (; whole && *next < lines->items.len && items[*next].group == items[first].group;
	     ++*next) {
		const struct listing_share *share =
			r->listing.rows.items[*items[*next].rows.items].share;
		whole = pick(ret, &w->items.items[share->loop], share->member);
	}
	return whole ? NULL : &error_nomem;
}

void work_rows_drop(struct worksharing *picked)
{
	vec_for_each (work, &picked->items)
		vec_fini(&work->threads);
	vec_fini(&picked->items);
}
