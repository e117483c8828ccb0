/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/chosen.h"

#include <stdlib.h>

void chosen_fini(struct chosen *c)
{
	ints_fini(&c->tasks);
	listing_fini(&c->listed);
	free(c->of_threads);
	free(c->of_regions);
	*c = (struct chosen){ 0 };
}

bool chosen_has_thread(const struct chosen *c, int thread)
{
	return c->all || (thread >= 0 && c->of_threads[thread]);
}

bool chosen_has_region(const struct chosen *c, int region)
{
	return c->all || (region >= 0 && c->of_regions[region]);
}

static bool copy_rows(const struct ints *rows, struct ints *ret)
{
	bool whole = true;

	for (size_t i = 0; whole && i < rows->len; i++)
		whole = vec_push(ret, rows->items[i]);
	return whole;
}

/* Who executes a task, and the regions around it. */
static void mark(struct chosen *c, const struct picture *p, int task)
{
	const struct picture_task *t = &p->tasks.items[task];
	int region = t->region;

	if (picture_thread(p, t->thread))
		c->of_threads[t->thread] = true;
	for (; picture_region(p, region) && !c->of_regions[region];
	     region = p->regions.items[region].parent)
		c->of_regions[region] = true;
}

/* Those that have created it, and are not there yet. */
static bool add_creators(struct chosen *c, const struct picture *p, bool *there, int task)
{
	bool whole = true;

	for (int i = p->tasks.items[task].creator; whole && picture_task(p, i) && !there[i];
	     i = p->tasks.items[i].creator) {
		there[i] = true;
		whole = vec_push(&c->tasks, i);
	}
	return whole;
}

/* In the order of the picture. */
static bool put_in_order(struct chosen *c, const bool *there, size_t len)
{
	bool whole = true;

	c->tasks.len = 0;
	for (size_t i = 0; whole && i < len; i++)
		whole = !there[i] || vec_push(&c->tasks, (int)i);
	return whole;
}

static bool leave_out(struct chosen *c, const struct picture *p, const struct ints *rows,
		      bool sorted)
{
	AUTO_FREE bool *there = calloc(p->tasks.len + 1, sizeof(*there));

	c->of_threads = calloc(p->threads.len + 1, sizeof(*c->of_threads));
	c->of_regions = calloc(p->regions.len + 1, sizeof(*c->of_regions));
	bool whole = there && c->of_threads && c->of_regions;
	for (size_t i = 0; whole && i < rows->len; i++) {
		there[rows->items[i]] = true;
		mark(c, p, rows->items[i]);
	}
	for (size_t i = 0; whole && i < rows->len; i++)
		whole = add_creators(c, p, there, rows->items[i]);
	return whole && (sorted || put_in_order(c, there, p->tasks.len));
}

struct error *chosen_find(const struct picture *p, const struct listing_wishes *w,
			  struct chosen *ret)
{
	AUTO_INTS rows = { 0 };
	struct chosen c = { .all = !w->filters.len, .each = w->each };
	struct error *err = listing_make(p, LIST_TASKS, &c.listed);

	if (!err)
		err = listing_choose(&c.listed, w, &rows);
	if (!err &&
	    !(copy_rows(&rows, &c.tasks) && (c.all || leave_out(&c, p, &rows, w->sort != NULL))))
		err = &error_nomem;
	if (err)
		chosen_fini(&c);
	else
		*ret = c;
	return err;
}
