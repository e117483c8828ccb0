/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/libomp/libomp_loops.h"

#include "ompd/libomp/libomp_dispatch.h"
#include "ompd/libomp/libomp_taskdata.h"

#define CALLS(suffix, size, sign)                                                                  \
	{ "__kmpc_for_static_init",                                                                \
	  suffix,                                                                                  \
	  LOOP_STATIC,                                                                             \
	  .lower = 5,                                                                              \
	  .upper = 6,                                                                              \
	  .schedule = 3,                                                                           \
	  .bytes = (size),                                                                         \
	  .is_unsigned = (sign),                                                                   \
	  .inclusive = true,                                                                       \
	  .counts = true },                                                                        \
		{ "__kmpc_dispatch_init", suffix, LOOP_BEGIN, .schedule = 3, .prepares = true },   \
	{                                                                                          \
		"__kmpc_dispatch_next", suffix, LOOP_NEXT, .lower = 4, .upper = 5,                 \
							   .bytes = (size), .is_unsigned = (sign), \
							   .inclusive = true, .counts = true       \
	}

const struct loop_call libomp_loop_calls[] = {
	CALLS("_4", 4, false),
	CALLS("_4u", 4, true),
	CALLS("_8", 8, false),
	CALLS("_8u", 8, true),
	{ "__kmpc_for_static_fini", "", LOOP_STATIC_END },
	{ "__kmpc_dispatch_deinit", "", LOOP_END },
	{ NULL },
};

/* LLVM's kmp.h, enum sched_type: the same in LLVM 9 to 22. */
enum {
	SCHED_MONOTONIC = 1 << 29,
	SCHED_NONMONOTONIC = 1 << 30,
	SCHED_ORDERED = 64, /* the first of those of ordered loops; what begins with 32 is not */
	SCHED_ORDERED_END = 72,
	SCHED_LOWER = 32,
	SCHED_DISTRIBUTE = 91, /* the first of those of "distribute", all of them static       */
	SCHED_DISTRIBUTE_END = 95,
	SCHED_MERGED = 160, /* the first of those of sections and the like                 */
	SCHED_END = 200,
};

struct schedule libomp_loops_schedule(uint64_t number)
{
	static const enum schedule_kind kinds[] = {
		[1] = SCHEDULE_STATIC,      [2] = SCHEDULE_STATIC,  [3] = SCHEDULE_DYNAMIC,
		[4] = SCHEDULE_GUIDED,      [5] = SCHEDULE_RUNTIME, [6] = SCHEDULE_AUTO,
		[7] = SCHEDULE_TRAPEZOIDAL, [8] = SCHEDULE_STATIC,  [9] = SCHEDULE_STATIC,
		[10] = SCHEDULE_GUIDED,     [11] = SCHEDULE_GUIDED, [12] = SCHEDULE_STEALING,
		[13] = SCHEDULE_STATIC,     [14] = SCHEDULE_GUIDED, [15] = SCHEDULE_RUNTIME,
	};
	uint64_t kind = number & ~(uint64_t)(SCHED_MONOTONIC | SCHED_NONMONOTONIC);
	struct schedule ret = { .monotonic = number & SCHED_MONOTONIC,
				.nonmonotonic = number & SCHED_NONMONOTONIC };

	if (kind >= SCHED_DISTRIBUTE && kind < SCHED_DISTRIBUTE_END)
		return (struct schedule){ .kind = SCHEDULE_STATIC, .distributes = true };
	if (kind >= SCHED_MERGED && kind < SCHED_END)
		kind -= SCHED_MERGED - SCHED_LOWER;
	ret.ordered = kind >= SCHED_ORDERED && kind < SCHED_ORDERED_END;
	kind -= ret.ordered ? SCHED_ORDERED : SCHED_LOWER;
	if (kind < sizeof(kinds) / sizeof(*kinds))
		ret.kind = kinds[kind];
	return ret;
}

/* ---- what the runtime keeps ------------------------------------------------------------- */

enum {
	SCHED_STATIC_CHUNKED = 33,
	SCHED_DYNAMIC = 35,
	SCHED_GUIDED_ITERATIVE = 42,
	SCHED_STEAL = 44,
};

/* A loop as one thread has it: dispatch_private_info. */
struct own {
	uint64_t count, upper, lower, step, trips; /* count, upper: of chunks when stealing    */
	uint64_t chunk;
	uint32_t schedule, type_size;
	uint64_t given; /* dispatch_shared_info: chunks, or iterations                     */
};

/*
 * The first parameter is the size of chunks, where the present one has that size. The second one of
 * guided loops is of it: a multiple of it and 1 (kmp_dispatch.cpp).
 */
static uint64_t chunk_of(const uint8_t *own, const struct own *o, const struct loop_facts *facts)
{
	static const size_t places[] = { LIBOMP_OWN_PARAMETERS_NARROW, LIBOMP_OWN_PARAMETERS };
	uint64_t n = facts->last - facts->first + 1;

	for (size_t i = facts->bytes == 4 ? 0 : 1; i < 2; i++) {
		uint64_t chunk = libomp_number_at(own + places[i], 0, facts->bytes);
		uint64_t second = libomp_number_at(own + places[i], 1, facts->bytes);
		bool fits = chunk == n || (chunk > n && facts->last == o->trips - 1);
		if (o->schedule == SCHED_GUIDED_ITERATIVE
			    ? chunk && second && second % (2 * (chunk + 1)) == 0
			    : facts->has_chunk && fits)
			return chunk;
	}
	return 0;
}

/* A loop that is looked for. */
struct search {
	struct memory *memory;
	const struct loop_facts *facts;
	struct own found;
};

/* It agrees with what the thread's code says of its loop. */
static bool fits(void *context, const struct libomp_dispatch *d, const uint8_t *own)
{
	struct search *s = context;
	const struct loop_facts *facts = s->facts;
	uint8_t size = facts->bytes;

	if (!own)
		return false;
	struct own o = {
		.count = libomp_number_at(own, 0, size),
		.upper = libomp_number_at(own, 1, size),
		.lower = libomp_number_at(own, 2, size),
		.step = libomp_number_at(own, 3, size),
		.trips = libomp_number_at(own, 4, size),
		.schedule = (uint32_t)libomp_number_at(own + LIBOMP_OWN_SCHEDULE, 0, 4),
		.type_size = (uint32_t)libomp_number_at(own + LIBOMP_OWN_TYPE_SIZE, 0, 4),
	};
	o.chunk = chunk_of(own, &o, facts);
	if (o.type_size != size || !libomp_loops_schedule(o.schedule).kind ||
	    !memory_try_read(s->memory, d->shared, &o.given, size) ||
	    (facts->has_chunk && facts->last >= o.trips))
		return false;
	s->found = o;
	return true;
}

static uint64_t without(uint64_t all, uint64_t n)
{
	return n < all ? all - n : 0;
}

static void use_own(const struct own *own, struct loop_facts *l)
{
	bool ordered = l->in_force.ordered, monotonic = l->in_force.monotonic;
	bool chunks = own->chunk && own->chunk <= own->trips;

	l->in_force = libomp_loops_schedule(own->schedule);
	l->in_force.ordered |= ordered;
	l->in_force.monotonic |= monotonic;
	l->has_total = true;
	l->total = own->trips;
	if (own->schedule == SCHED_DYNAMIC && chunks) {
		l->next = own->given < own->trips ? own->given * own->chunk : own->trips;
		l->left = without(own->trips, l->next);
		l->has_left = l->has_next = true;
	} else if (own->schedule == SCHED_GUIDED_ITERATIVE) {
		l->next = own->given;
		l->left = without(own->trips, own->given);
		l->has_left = l->has_next = true;
	} else if (own->schedule == SCHED_STEAL && chunks && own->upper <= own->trips) {
		uint64_t end = own->upper * own->chunk;
		uint64_t from = own->count * own->chunk;
		l->left = own->count < own->upper
				  ? without(end < own->trips ? end : own->trips, from)
				  : 0;
		l->has_left = l->left_own = true;
	}
	if ((l->has_left || own->schedule == SCHED_STATIC_CHUNKED) && chunks)
		l->in_force.chunk = own->chunk;
}

void libomp_loops_read(struct walk *w, int thread, int inner, struct loop_facts *ret)
{
	const struct openmp *o = w->known[picture_thread(w->picture, thread)->runtime].openmp;
	const struct libomp_symbols *symbols = o->context.own;
	struct libomp_task_layout layout;
	struct search search = { .memory = w->target->memory, .facts = ret };
	taddr offset;

	if (inner >= 0 || !ret->counts || !symbols ||
	    !libomp_task_layout_read(symbols, w->target->memory, &layout))
		return;
	taddr info = libomp_taskdata_info(&layout, symbols, w->target->threads.items[thread]);
	if (info && libomp_dispatch_find(w->target->memory, info, fits, &search, &offset))
		use_own(&search.found, ret);
}

/* LLVM's kmp_task_t (kmp.h) has five members; clang adds the bounds, as iterations, and more. */
void libomp_loops_read_task(struct walk *w, const struct picture_task *task, struct loop_facts *ret)
{
	enum { BOUNDS = 40, LOOP_SIZE = 80 };
	uint64_t bounds[2];

	ret->counts = true;
	if (!task->block || task->block_size < LOOP_SIZE ||
	    !memory_try_read(w->target->memory, task->block + BOUNDS, bounds, sizeof(bounds)))
		return;
	ret->has_chunk = true;
	ret->first = bounds[0];
	ret->last = bounds[1];
}
