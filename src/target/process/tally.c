/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/tally.h"

#include "base/buf.h"
#include "base/hash.h"

void tally_fini(struct tally *t)
{
	map_fini(&t->map);
	vec_fini(t);
	t->rest = 0;
}

static struct tally_row *find(struct tally *t, uint64_t hash, pid_t lwp, uint64_t key)
{
	const struct map_item *item = map_find(&t->map, hash);

	for (size_t at = item ? (size_t)item->number : 0; at; at = t->items[at - 1].next) {
		if (t->items[at - 1].lwp == lwp && t->items[at - 1].key == key)
			return &t->items[at - 1];
	}
	return NULL;
}

static struct tally_row *add(struct tally *t, uint64_t hash, pid_t lwp, uint64_t key)
{
	struct map_item *item = t->len < TALLY_ROWS_MAX ? map_add(&t->map, hash) : NULL;

	if (!item || !vec_push(t, (struct tally_row){
					  .lwp = lwp, .key = key, .next = (size_t)item->number }))
		return NULL;
	item->number = (int64_t)t->len;
	return &t->items[t->len - 1];
}

void tally_add(struct tally *t, pid_t lwp, uint64_t key, uint64_t count, int64_t last)
{
	uint64_t hash = hash_add(hash_add(0, (uint64_t)lwp), key);
	struct tally_row *row = find(t, hash, lwp, key);

	if (!row)
		row = add(t, hash, lwp, key);
	if (!row) {
		t->rest += count;
		return;
	}
	row->count += count;
	row->last = last > row->last ? last : row->last;
}
