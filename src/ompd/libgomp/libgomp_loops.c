/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/libgomp/libgomp_loops.h"

#include "ompd/gomp/gomp_extra.h"

/*
 * Of the calls that begin a loop only their place counts: what they are passed is also in what asks
 * for the next chunk. Longer names before those that they begin with.
 */
const struct loop_call libgomp_loop_calls[] = {
	{ "GOMP_loop_ull_", "_next", LOOP_NEXT, .lower = 1, .upper = 2, .bytes = 8,
	  .is_unsigned = true },
	{ "GOMP_loop_", "_next", LOOP_NEXT, .lower = 1, .upper = 2, .bytes = 8 },
	{ "GOMP_loop_", "start", LOOP_BEGIN },
	{ "GOMP_loop_end", "", LOOP_END },
	{ "GOMP_sections_next", "", LOOP_NEXT, .sections = true },
	{ "GOMP_sections", "start", LOOP_BEGIN, .sections = true },
	{ "GOMP_sections_end", "", LOOP_END, .sections = true },
	{ NULL },
};

/* Numbers of a loop, in the direction in which it goes. */
static bool is_before(const struct loop_facts *l, uint64_t a, uint64_t b)
{
	if (l->step < 0)
		return l->is_unsigned ? b < a : (int64_t)b < (int64_t)a;
	return l->is_unsigned ? a < b : (int64_t)a < (int64_t)b;
}

/* Iterations from a number on, up to another one, which is none of them. */
static uint64_t count(const struct loop_facts *l, uint64_t from, uint64_t end)
{
	uint64_t step = l->step < 0 ? 0 - (uint64_t)l->step : (uint64_t)l->step;
	uint64_t distance = l->step < 0 ? from - end : end - from;

	return is_before(l, from, end) ? (distance - 1) / step + 1 : 0;
}

static struct schedule schedule_of(const struct gomp_work_share *share)
{
	static const enum schedule_kind kinds[] = { SCHEDULE_RUNTIME, SCHEDULE_STATIC,
						    SCHEDULE_DYNAMIC, SCHEDULE_GUIDED,
						    SCHEDULE_AUTO };
	struct schedule ret = { .kind = kinds[share->schedule], .monotonic = share->monotonic };
	int64_t chunk = (int64_t)share->chunk;

	if (ret.kind == SCHEDULE_DYNAMIC)
		chunk /= (int64_t)share->increment;
	ret.chunk = chunk > 0 ? (uint64_t)chunk : 0;
	return ret;
}

/* The upper end of a chunk is the first number behind it. */
static void close_chunk(struct loop_facts *l, uint64_t end)
{
	l->has_chunk =
		l->has_chunk && is_before(l, l->first, l->last) && !is_before(l, end, l->last);
	if (l->has_chunk)
		l->last = l->first + (count(l, l->first, l->last) - 1) * (uint64_t)l->step;
}

static void use_share(const struct gomp_work_share *share, struct loop_facts *l)
{
	l->has_step = true;
	l->step = (int64_t)share->increment;
	l->in_force = schedule_of(share);
	l->object = share->address;
	close_chunk(l, share->end);
	/* What static loops have left no thread knows of the others. */
	l->has_left = l->in_force.kind == SCHEDULE_DYNAMIC || l->in_force.kind == SCHEDULE_GUIDED;
	l->left = l->has_left ? count(l, share->next, share->end) : 0;
	l->has_next = l->left;
	l->next = share->next;
}

/* Sections: the number of the next one, and of the last one plus one; those begin with 1. */
static void use_sections(const struct gomp_work_share *share, struct loop_facts *l)
{
	l->has_left = share->next >= 1 && share->next <= share->end;
	l->left = l->has_left ? share->end - share->next : 0;
	l->has_total = l->has_left;
	l->total = share->end - 1;
	l->object = share->address;
}

void libgomp_loops_read(struct walk *w, int thread, int inner, struct loop_facts *ret)
{
	struct gomp_work_share share;
	ompd_parallel_handle_t *around = inner >= 0 ? w->region_handles.items[inner] : NULL;
	bool found = w->handles[thread] && (inner < 0 || around) &&
		     gomp_extra_work_share(w->handles[thread], around, &share) == ompd_rc_ok;

	if (found && ret->sections)
		use_sections(&share, ret);
	else if (found && share.increment && share.schedule)
		use_share(&share, ret);
	else
		ret->has_chunk = false; /* which numbers are in it nothing tells */
}

/* libgomp's taskloop.c writes the bounds of each task where its arguments begin. */
void libgomp_loops_read_task(struct walk *w, const struct picture_task *task,
			     struct loop_facts *ret)
{
	uint64_t bounds[2];

	if (!task->arguments ||
	    !memory_try_read(w->target->memory, task->arguments, bounds, sizeof(bounds)))
		return;
	ret->has_chunk = ret->open = true;
	ret->first = bounds[0];
	ret->last = bounds[1];
}
