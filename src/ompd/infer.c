/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/infer.h"

#include <stdlib.h>

static int runtime_index(const struct walk *w, const struct runtime *r)
{
	return (int)(r - w->runtimes.items);
}

static bool is_unclaimed(const struct walk *w, const struct picture_thread *th)
{
	return th->runtime < 0 && th->spans.list.len &&
	       !w->known[runtime_index(w, th->spans.list.items[0].runtime)].openmp->space;
}

static struct error *add_region(struct walk *w, int thread, const struct span *s, int *region)
{
	struct picture *p = w->picture;
	struct picture_region r = {
		.parent = *region,
		.runtime = runtime_index(w, s->runtime),
		.active = true,
		.source = SOURCE_INFERRED,
		.primary = thread,
		.generation = -1,
		.function = s->callee,
	};

	if (!vec_push(&r.members, thread))
		return &error_nomem;
	if (!vec_push(&p->regions, r)) {
		vec_fini(&r.members);
		return &error_nomem;
	}
	*region = (int)p->regions.len - 1;
	return vec_push(&w->region_handles, NULL) ? NULL : &error_nomem;
}

/* The regions that a thread has begun, from the outside in. */
static struct error *add_regions_of(struct walk *w, int thread)
{
	struct picture_thread *th = &w->picture->threads.items[thread];
	struct error *err = NULL;

	for (size_t i = th->spans.list.len; !err && i-- > 0;) {
		const struct span *s = &th->spans.list.items[i];
		if (s->call == SPAN_PARALLEL && !s->root)
			err = add_region(w, thread, s, &th->region);
	}
	if (th->region >= 0) {
		th->role = ROLE_PRIMARY;
		th->number = 0;
	}
	return err;
}

/* The only inferred region of that function; -1: none, or several. */
static int only_region(const struct picture *p, taddr function)
{
	int found = -1;

	for (size_t i = 0; function && i < p->regions.len; i++) {
		const struct picture_region *r = &p->regions.items[i];
		if (r->source != SOURCE_INFERRED || r->function != function)
			continue;
		if (found >= 0)
			return -1;
		found = (int)i;
	}
	return found;
}

/* Puts the outermost of a thread's own regions into the one that it is a worker of. */
static void enclose(struct picture *p, int region, int parent)
{
	while (p->regions.items[region].parent >= 0)
		region = p->regions.items[region].parent;
	if (parent < region) /* so that nothing gets around itself */
		p->regions.items[region].parent = parent;
}

static void set_levels(struct picture *p)
{
	vec_for_each (r, &p->regions) {
		size_t level = 1;
		for (int i = r->parent; i >= 0 && level < p->regions.len; level++)
			i = p->regions.items[i].parent;
		if (r->source == SOURCE_INFERRED)
			r->level = (int)level;
	}
}

static struct error *place_worker(struct walk *w, int thread)
{
	struct picture_thread *th = &w->picture->threads.items[thread];
	const struct span *outermost = &th->spans.list.items[th->spans.list.len - 1];

	th->runtime = runtime_index(w, outermost->runtime);
	th->source = SOURCE_INFERRED;
	if (th->role == ROLE_PRIMARY) {
		if (outermost->root)
			enclose(w->picture, th->region, only_region(w->picture, outermost->callee));
		return NULL;
	}
	if (!outermost->root) {
		bool first = th->lwp == w->target->pid;
		th->role = first ? ROLE_INITIAL : ROLE_FOREIGN;
		return NULL;
	}
	th->role = ROLE_WORKER;
	th->region = only_region(w->picture, outermost->callee);
	if (th->region < 0)
		return NULL;
	return vec_push(&w->picture->regions.items[th->region].members, thread) ? NULL
										: &error_nomem;
}

struct error *infer_regions(struct walk *w)
{
	struct picture *p = w->picture;
	struct error *err = NULL;

	for (size_t i = 0; !err && i < p->threads.len; i++) {
		if (is_unclaimed(w, &p->threads.items[i]))
			err = add_regions_of(w, (int)i);
	}
	for (size_t i = 0; !err && i < p->threads.len; i++) {
		if (is_unclaimed(w, &p->threads.items[i]))
			err = place_worker(w, (int)i);
	}
	set_levels(p);
	return err;
}
