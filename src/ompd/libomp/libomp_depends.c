/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/libomp/libomp_depends.h"

#include "ompd/libomp/libomp_events.h"
#include "ompd/libomp/libomp_taskdata.h"

enum {
	BUCKETS_MOST = 1 << 22,
	CHAIN_MOST = 1 << 12, /* entries of one bucket     */
	SET_MOST = 1 << 16,   /* tasks that name an object */
};

/* kmp.h, LLVM 13 to 19. */
struct dephash {
	taddr buckets;
	uint64_t size;
	taddr last_all; /* of omp_all_memory; before LLVM 15 a small number */
};

struct dephash_entry {
	taddr object, last_out, last_set, prev_set;
	uint64_t last_flag; /* a byte */
	taddr mutex, next;
};

struct set_item {
	taddr node, next;
};

struct search {
	struct walk *w;
	struct libomp_task_layout layout;
	struct dephash hash;
};

#define READ(s, at, variable) memory_try_read((s)->layout.memory, at, variable, sizeof(*(variable)))

/* One that has ended has no task any more. false: it is no node. */
static bool add_node(const struct search *s, taddr node)
{
	struct libomp_taskdata task;
	bool there;

	if (!node)
		return true;
	if (!libomp_taskdata_of_depnode(&s->layout, node, &task, &there))
		return false;
	for (int i = 0; there && i < (int)s->w->picture->tasks.len; i++) {
		if (picture_task(s->w->picture, i)->handle == task.address)
			walk_add_predecessor(s->w, i);
	}
	return true;
}

static bool add_set(const struct search *s, taddr at)
{
	struct set_item item;

	for (size_t i = 0; at && i < SET_MOST; i++, at = item.next) {
		if (!READ(s, at, &item) || !add_node(s, item.node))
			return false;
	}
	return !at;
}

/* false: the table cannot be read. Zeroes: nobody has named the object. */
static bool find_entry(const struct search *s, taddr object, struct dephash_entry *ret)
{
	const uint64_t bucket = (object >> 6 ^ object >> 2) % s->hash.size;
	taddr at;

	*ret = (struct dephash_entry){ 0 };
	if (!READ(s, s->hash.buckets + sizeof(taddr) * bucket, &at))
		return false;
	for (size_t i = 0; at && i < CHAIN_MOST; i++) {
		struct dephash_entry entry;
		if (!READ(s, at, &entry))
			return false;
		if (entry.object == object) {
			*ret = entry;
			return true;
		}
		at = entry.next;
	}
	return !at;
}

static bool add_object(const struct search *s, const struct dependence *d)
{
	struct dephash_entry e;
	const uint8_t flag = libomp_events_depend_flag(d->kind);

	if (!flag || !find_entry(s, d->object, &e))
		return false;
	if (!e.object) /* all memory may have been named, and then the table begins anew */
		return s->hash.last_all < BUCKETS_MOST || add_node(s, s->hash.last_all);
	const uint8_t last = (uint8_t)e.last_flag;
	if (flag == LIBOMP_DEPEND_OUT ? e.last_set != 0 : last && last != flag)
		return add_set(s, e.last_set);
	return add_node(s, e.last_out) && (flag == LIBOMP_DEPEND_OUT || add_set(s, e.prev_set));
}

bool libomp_depends_add(struct walk *w, int task, const struct dependence *all, size_t len)
{
	const struct picture_task *creator = picture_task(w->picture, task);
	const struct picture_region *r = picture_region(w->picture, creator->region);
	const int runtime = r ? r->runtime : picture_thread(w->picture, creator->thread)->runtime;
	struct search s = { .w = w };
	taddr table;

	if (!creator->handle ||
	    !libomp_task_layout_read(w->known[runtime].openmp->context.own, w->target->memory,
				     &s.layout) ||
	    !libomp_taskdata_dephash(&s.layout, creator->handle, &table))
		return false;
	if (!table)
		return true;
	if (!READ(&s, table, &s.hash) || !s.hash.size || s.hash.size > BUCKETS_MOST)
		return false;
	bool whole = true;
	for (size_t i = 0; i < len; i++)
		whole = add_object(&s, &all[i]) && whole;
	return whole;
}
