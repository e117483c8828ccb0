/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/flow/held.h"

#include <string.h>

enum { COUNT_MAX = 8 };

static int order(const struct held_by *a, const struct held_by *b)
{
	if (a->call != b->call)
		return a->call < b->call ? -1 : 1;
	if (a->inner != b->inner)
		return a->inner < b->inner ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return a->before - b->before;
}

/* Where it is, or belongs. */
static size_t index_of(const struct held *h, const struct held_by *by)
{
	size_t i = 0;

	while (i < h->len && order(&h->items[i].by, by) < 0)
		i++;
	return i;
}

static struct held_item *find(struct held *h, const struct held_by *by)
{
	size_t i = index_of(h, by);

	return i < h->len && order(&h->items[i].by, by) == 0 ? &h->items[i] : NULL;
}

static void insert(struct held *h, const struct held_item *item)
{
	size_t i = index_of(h, &item->by);

	if (h->len == HELD_MAX) {
		h->overflow = true;
		return;
	}
	memmove(&h->items[i + 1], &h->items[i], (h->len - i) * sizeof(*h->items));
	h->items[i] = *item;
	h->len++;
}

static void drop_unheld(struct held *h)
{
	size_t kept = 0;

	for (size_t i = 0; i < h->len; i++) {
		if (h->items[i].most)
			h->items[kept++] = h->items[i];
	}
	h->len = kept;
}

/* What the same call has taken in an earlier turn of a loop is something else now. */
static void make_earlier(struct held *h, struct held_item *item)
{
	struct held_by by = item->by;

	by.before = true;
	struct held_item *earlier = find(h, &by);
	if (earlier) {
		earlier->object = term_lost();
		earlier->least = earlier->least > item->least ? earlier->least : item->least;
		item->most = 0;
		drop_unheld(h);
		return;
	}
	item->by.before = true; /* it stays in order: it comes last of its call */
}

/* Who gets something that can be had only once did not have it any more. */
static void drop_same(struct held *h, const struct terms *all, int kind, struct term object)
{
	for (size_t i = 0; i < h->len; i++) {
		struct held_item *item = &h->items[i];
		if (item->by.kind == kind && terms_equal(all, item->object, object))
			item->most = 0;
	}
	drop_unheld(h);
}

void held_take(struct held *h, const struct terms *all, struct held_by by, struct term object,
	       uint32_t tried)
{
	unsigned int sure = tried == TERM_NUMBER;

	if (by.once && sure)
		drop_same(h, all, by.kind, object);
	struct held_item *item = find(h, &by);

	if (item && terms_equal(all, item->object, object) && item->tried == tried) {
		/* If it may not be held, then it was not: a lock is not taken twice. */
		item->most = item->least && item->most < COUNT_MAX ? item->most + 1 : 1;
		item->least += sure && item->least < COUNT_MAX;
		return;
	}
	if (item)
		make_earlier(h, item);
	insert(h, &(struct held_item){ by, object, tried, sure, 1 });
}

static void give_one(struct held_item *item)
{
	item->least -= item->least > 0;
	item->most--;
}

/* The same object, taken last; NULL: none is known to be the same. */
static struct held_item *find_object(struct held *h, const struct terms *all, int kind,
				     struct term object)
{
	struct held_item *found = NULL;

	for (size_t i = 0; i < h->len; i++) {
		if (h->items[i].by.kind == kind && terms_equal(all, h->items[i].object, object))
			found = &h->items[i];
	}
	return found;
}

/*
 * What is given back may be any of the same kind whose object is not known, which may still be held
 * then. If its own object is not known either, it is taken to be the last of those, by the order of
 * the code; only if there is none it may be any of the others.
 */
bool held_give(struct held *h, const struct terms *all, int kind, struct term object)
{
	struct held_item *item = find_object(h, all, kind, object);
	uint64_t number;
	bool known = terms_number(all, object, &number), any = false;

	if (item) {
		give_one(item);
		drop_unheld(h);
		return true;
	}
	for (size_t i = h->len; i-- > 0 && (known || !any);) {
		item = &h->items[i];
		if (item->by.kind != kind || terms_number(all, item->object, &number))
			continue;
		any = true;
		item->least = 0;
		if (!known)
			give_one(item);
	}
	bool others = !known && !any;
	for (size_t i = 0; i < h->len && others; i++) {
		any |= h->items[i].by.kind == kind;
		h->items[i].least = h->items[i].by.kind == kind ? 0 : h->items[i].least;
	}
	drop_unheld(h);
	return any;
}

void held_leave(struct held *h, struct held *before, taddr back)
{
	for (size_t i = 0; i < h->len; i++) {
		struct held_item *item = &h->items[i];
		const struct held_item *was = find(before, &item->by);
		bool sure = item->least || item->tried != TERM_NUMBER;
		if (sure && (!was || was->by.taken != item->by.taken))
			item->by.taken = back;
	}
}

void held_resolve(struct held *h, uint32_t symbol, bool zero)
{
	for (size_t i = 0; i < h->len; i++) {
		struct held_item *item = &h->items[i];
		if (item->tried != symbol || symbol <= TERM_LOST)
			continue;
		item->tried = TERM_NUMBER;
		item->least = !zero;
		item->most = !zero;
	}
	drop_unheld(h);
}

void held_lose(struct held *h, const struct terms *all, uint32_t symbol)
{
	for (size_t i = 0; i < h->len; i++) {
		struct held_item *item = &h->items[i];
		if (terms_depends(all, item->object, symbol))
			item->object = term_lost();
		if (item->tried == symbol)
			item->tried = TERM_LOST;
	}
}

static void join_one(struct held_item *item, const struct held_item *other)
{
	if (!term_same(item->object, other->object))
		item->object = term_lost();
	if (item->tried != other->tried)
		item->tried = TERM_LOST;
	item->least = item->least < other->least ? item->least : other->least;
	item->most = item->most > other->most ? item->most : other->most;
}

static bool has(const struct held *h, const struct held_by *by)
{
	size_t i = index_of(h, by);

	return i < h->len && order(&h->items[i].by, by) == 0;
}

/* The same object, taken by one call on one way and by another one on the other: that is one. */
static struct held_item *find_counterpart(struct held *h, const struct held *other,
					  const struct held_item *there)
{
	struct held_item *item = find(h, &there->by);

	for (size_t i = 0; !item && i < h->len; i++) {
		struct held_item *candidate = &h->items[i];
		if (candidate->by.kind == there->by.kind && !has(other, &candidate->by) &&
		    there->object.symbol != TERM_LOST &&
		    term_same(candidate->object, there->object))
			item = candidate;
	}
	return item;
}

void held_join(struct held *h, const struct held *other)
{
	bool joined[HELD_MAX] = { false };
	struct held alone = { 0 };

	for (size_t i = 0; i < other->len; i++) {
		struct held_item *item = find_counterpart(h, other, &other->items[i]);
		if (item && !joined[item - h->items]) {
			join_one(item, &other->items[i]);
			joined[item - h->items] = true;
		} else {
			alone.items[alone.len++] = other->items[i];
		}
	}
	for (size_t i = 0; i < h->len; i++)
		h->items[i].least = joined[i] ? h->items[i].least : 0;
	for (size_t i = 0; i < alone.len; i++) {
		alone.items[i].least = 0;
		insert(h, &alone.items[i]);
	}
	h->overflow |= other->overflow;
}

static bool same_item(const struct held_item *a, const struct held_item *b)
{
	return order(&a->by, &b->by) == 0 && term_same(a->object, b->object) &&
	       a->tried == b->tried && a->least == b->least && a->most == b->most;
}

bool held_same(const struct held *a, const struct held *b)
{
	bool same = a->len == b->len && a->overflow == b->overflow;

	for (size_t i = 0; same && i < a->len; i++)
		same = same_item(&a->items[i], &b->items[i]);
	return same;
}
