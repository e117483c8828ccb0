/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/team_races.h"

#include "base/text.h"

static void access_fini(struct race_access *a)
{
	free(a->what);
	free(a->function);
	free(a->file);
}

void races_fini(struct races *r)
{
	vec_for_each (a, &r->items)
		access_fini(a);
	vec_fini(&r->items);
	r->full = false;
}

static bool same_locks(const struct race_access *a, const struct race_access *b)
{
	for (size_t i = 0; i < a->nlocks && a->nlocks == b->nlocks; i++) {
		if (a->locks[i] != b->locks[i])
			return false;
	}
	return a->nlocks == b->nlocks;
}

static bool same_place(const struct race_access *a, const struct race_access *b)
{
	return a->line == b->line && text_same(a->file, b->file) &&
	       text_same(a->function, b->function) && a->reads == b->reads &&
	       a->writes == b->writes && a->atomic == b->atomic && a->addr == b->addr;
}

struct error *races_add(struct races *r, struct race_access *made)
{
	made->count = 1;
	vec_for_each (a, &r->items) {
		if (a->team != made->team || a->who != made->who || a->epoch != made->epoch ||
		    a->ordered != made->ordered || !same_place(a, made) || !same_locks(a, made))
			continue;
		a->count++;
		access_fini(made);
		return NULL;
	}
	r->full |= r->items.len >= RACE_ACCESSES_MAX;
	if (!r->full && vec_push(&r->items, *made))
		return NULL;
	access_fini(made);
	return r->full ? NULL : &error_nomem;
}

static bool share_lock(const struct race_access *a, const struct race_access *b)
{
	for (size_t i = 0; i < a->nlocks; i++) {
		for (size_t j = 0; j < b->nlocks; j++) {
			if (a->locks[i] == b->locks[j])
				return true;
		}
	}
	return false;
}

static bool conflict(const struct race_access *a, const struct race_access *b)
{
	const bool between = a->ordered && b->ordered && a->epoch != b->epoch;

	return a->addr == b->addr && a->team == b->team && a->who != b->who && !between &&
	       (a->writes || b->writes) && !(a->atomic && b->atomic) && !share_lock(a, b);
}

/* One row for all threads and epochs. */
static bool is_listed(const struct races *r, struct race_pairs *l, const struct race_pair *made)
{
	vec_for_each (pair, l) {
		const struct race_access *a = &r->items.items[pair->a];
		const struct race_access *b = &r->items.items[pair->b];
		const struct race_access *x = &r->items.items[made->a];
		const struct race_access *y = &r->items.items[made->b];
		if (!(same_place(a, x) && same_place(b, y)) &&
		    !(same_place(a, y) && same_place(b, x)))
			continue;
		pair->count++;
		pair->doubtful &= made->doubtful;
		return true;
	}
	return false;
}

struct error *races_find(const struct races *r, struct race_pairs *ret)
{
	for (size_t i = 0; i < r->items.len; i++) {
		for (size_t j = i + 1; j < r->items.len; j++) {
			const struct race_access *a = &r->items.items[i], *b = &r->items.items[j];
			const struct race_pair made = {
				.a = i, .b = j, .count = 1, .doubtful = !a->ordered || !b->ordered
			};
			if (!conflict(a, b) || is_listed(r, ret, &made))
				continue;
			if (!vec_push(ret, made))
				return &error_nomem;
		}
	}
	return NULL;
}
