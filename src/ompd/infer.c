/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/infer.h"

static int runtime_index(const struct walk *w, const struct runtime *r)
{
	return (int)(r - w->runtimes.items);
}

static bool is_unclaimed(const struct walk *w, const struct picture_thread *th)
{
	return th->runtime < 0 && th->spans.list.len &&
	       !w->known[runtime_index(w, th->spans.list.items[0].runtime)].openmp->space;
}

/* The regions that a thread has begun, from the outside in. */
static void add_regions_of(struct walk *w, int thread)
{
	struct picture_thread *th = picture_thread(w->picture, thread);

	for (size_t i = th->spans.list.len; !w->failed && i-- > 0;) {
		const struct span *s = &th->spans.list.items[i];
		const struct picture_region region = {
			.parent = th->region,
			.runtime = runtime_index(w, s->runtime),
			.active = true,
			.source = SOURCE_INFERRED,
			.primary = thread,
			.generation = -1,
			.function = s->callee,
		};
		if (s->call == SPAN_PARALLEL && !s->root)
			th->region = walk_add_region(w, &region, NULL, 1, thread);
	}
	if (th->region >= 0) {
		th->role = ROLE_PRIMARY;
		th->number = 0;
	}
}

/* The only inferred region of that function; -1: none, or several. */
static int only_region(const struct picture *p, taddr function)
{
	int found = -1;

	for (int i = 0; function && i < (int)p->regions.len; i++) {
		const struct picture_region *r = picture_region(p, i);
		if (r->source != SOURCE_INFERRED || r->function != function)
			continue;
		if (found >= 0)
			return -1;
		found = i;
	}
	return found;
}

/* Puts the outermost of a thread's own regions into the one that it is a worker of. */
static void enclose(struct picture *p, int region, int parent)
{
	while (picture_region(p, region)->parent >= 0)
		region = picture_region(p, region)->parent;
	if (parent < region) /* so that nothing gets around itself */
		picture_region(p, region)->parent = parent;
}

static void set_levels(struct picture *p)
{
	vec_for_each (r, &p->regions) {
		size_t level = 1;
		for (int i = r->parent; i >= 0 && level < p->regions.len; level++)
			i = picture_region(p, i)->parent;
		if (r->source == SOURCE_INFERRED)
			r->level = (int)level;
	}
}

static void place_worker(struct walk *w, int thread)
{
	struct picture_thread *th = picture_thread(w->picture, thread);
	const struct span *outermost = &th->spans.list.items[th->spans.list.len - 1];

	th->runtime = runtime_index(w, outermost->runtime);
	th->source = SOURCE_INFERRED;
	if (th->role == ROLE_PRIMARY) {
		if (outermost->root)
			enclose(w->picture, th->region, only_region(w->picture, outermost->callee));
		return;
	}
	if (!outermost->root) {
		bool first = th->lwp == w->target->pid;
		th->role = first ? ROLE_INITIAL : ROLE_FOREIGN;
		return;
	}
	th->role = ROLE_WORKER;
	th->region = only_region(w->picture, outermost->callee);
	struct picture_region *region = picture_region(w->picture, th->region);
	w->failed |= region && !vec_push(&region->members, thread);
}

void infer_regions(struct walk *w)
{
	static void (*const steps[])(struct walk *, int) = { add_regions_of, place_worker };

	for (size_t step = 0; step < 2; step++) {
		for (int i = 0; !w->failed && i < (int)w->picture->threads.len; i++) {
			if (is_unclaimed(w, picture_thread(w->picture, i)))
				steps[step](w, i);
		}
	}
	set_levels(w->picture);
}
