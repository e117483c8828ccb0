/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/libomp/libomp_turns.h"

#include <string.h>

#include "ompd/libomp/libomp_dispatch.h"
#include "ompd/libomp/libomp_taskdata.h"
#include "target/code/code.h"

/* A runtime that is asked about its threads. */
struct asked {
	struct walk *w;
	struct memory *memory;
	const struct runtime *runtime;
	const struct libomp_symbols *symbols;
	struct libomp_task_layout layout;
};

static bool ask(struct walk *w, int thread, const struct span *span, struct asked *ret)
{
	const struct openmp *o = walk_session(w, thread, span);

	*ret = (struct asked){ .w = w,
			       .memory = w->target->memory,
			       .runtime = span->runtime,
			       .symbols = o ? o->context.own : NULL };
	return ret->symbols && libomp_task_layout_read(ret->symbols, ret->memory, &ret->layout);
}

/* Its kmp_info_t; 0: not known. */
static taddr info_of(const struct asked *a, int thread)
{
	return libomp_taskdata_info(&a->layout, a->symbols, a->w->target->threads.items[thread]);
}

/* ---- ordered ---------------------------------------------------------------------------- */

/* The iterations that a thread has, and the one whose turn it is: numbers from 0 on. */
struct turn {
	taddr shared; /* what all threads of the loop have */
	uint64_t now, first, last;
	/* The function by which they wait, and where that has "first". */
	taddr function;
	size_t place;
};

struct ordered_search {
	const struct asked *asked;
	struct turn found; /* or of another thread, before */
};

/*
 * Where ordered_lower is; ordered_upper is behind it. Of LLVM 14 to 16 it lies behind the
 * parameters of the schedule, of LLVM 19 before them: the function that waits tells, which loads
 * it. 0: it does not.
 */
static size_t place_of_first(const struct asked *a, taddr function, size_t size)
{
	const uint64_t before = size == 4 ? 32 : 48, behind = size == 4 ? 64 : 96;
	taddr pc, end;
	struct insn insn;

	if (!unwind_function(a->w->unwinder, function, &pc, &end))
		return 0;
	for (; pc < end && code_insn_at(a->w->target, pc, &insn); pc += insn.size) {
		const uint64_t at = insn.displacement;
		if (insn.kind == INSN_LOAD && insn.bytes == size && insn.index == INSN_NO_REG &&
		    (at == before || at == behind))
			return at;
	}
	return 0;
}

/* Of loops that are not ordered the two functions are not set, or are those of an error; they are
 * in none that the thread waits in. */
static bool is_ordered(void *context, const struct libomp_dispatch *d, const uint8_t *own)
{
	struct ordered_search *s = context;
	const struct asked *a = s->asked;
	enum { TRIPS = 4, NOW = 2 }; /* numbers that stand before */

	if (!own || runtime_at(&a->w->runtimes, d->enter_ordered) != a->runtime ||
	    runtime_at(&a->w->runtimes, d->leave_ordered) != a->runtime)
		return false;
	size_t size = libomp_number_at(own + LIBOMP_OWN_TYPE_SIZE, 0, sizeof(uint32_t));
	if (size != sizeof(uint32_t) && size != sizeof(uint64_t))
		return false;
	struct turn t = { .shared = d->shared,
			  .function = d->enter_ordered,
			  .place = s->found.place };
	if (t.function != s->found.function)
		t.place = place_of_first(a, t.function, size);
	t.first = libomp_number_at(own + t.place, 0, size);
	t.last = libomp_number_at(own + t.place, 1, size);
	if (!t.place || t.first > t.last || t.last >= libomp_number_at(own, TRIPS, size) ||
	    !memory_try_read(a->memory, d->shared + NOW * size, &t.now, size))
		return false;
	s->found = t;
	return true;
}

/* *ret_offset: see libomp_dispatch.h. */
static bool find_turn(const struct asked *a, int thread, struct turn *ret, taddr *ret_offset)
{
	struct ordered_search s = { .asked = a };
	const taddr info = info_of(a, thread);
	const bool found =
		info && libomp_dispatch_find(a->memory, info, is_ordered, &s, ret_offset);

	*ret = s.found;
	return found;
}

/* Whether the thread has the iteration whose turn it is, in the loop that another one is in, too.
 */
static bool has_turn(const struct asked *a, int thread, const struct turn *other, taddr offset)
{
	struct ordered_search s = { a, *other };
	const taddr info = info_of(a, thread);
	const struct turn *its = &s.found;

	return info && libomp_dispatch_at(a->memory, info + offset, is_ordered, &s) &&
	       its->shared == other->shared && its->first <= its->now && its->now <= its->last;
}

int libomp_turns_holder(struct walk *w, int thread, const struct span *span)
{
	const struct picture_region *r =
		picture_region(w->picture, picture_thread(w->picture, thread)->region);
	struct asked asked;
	struct turn mine;
	taddr offset;

	if (!r || !ask(w, thread, span, &asked) || !find_turn(&asked, thread, &mine, &offset))
		return -1;
	vec_for_each (member, &r->members) {
		if (*member >= 0 && *member != thread && has_turn(&asked, *member, &mine, offset))
			return *member;
	}
	return -1;
}

static bool has_come(struct walk *w, int thread, const struct span *span)
{
	struct asked asked;
	struct turn turn;
	taddr offset;

	return ask(w, thread, span, &asked) && find_turn(&asked, thread, &turn, &offset) &&
	       turn.now >= turn.first;
}

/* ---- doacross --------------------------------------------------------------------------- */

/*
 * LLVM's kmp_csupport.cpp, __kmpc_doacross_init() and _wait(): numbers of 8 bytes, first how many
 * loops there are, then the address of a counter that all threads have, then of each loop where it
 * begins, where it ends, and its step, before which those behind the outermost one say how many
 * iterations there are.
 */
enum { LOOPS_MAX = 16, HEAD = 2, EACH = 4, FIRST = 0, LAST = 1, STEP = 2, BEFORE_COUNTER = 8 };

struct doacross {
	struct memory *memory;
	taddr flags;
	int64_t info[1 + EACH * LOOPS_MAX];
};

static bool is_doacross(void *context, const struct libomp_dispatch *d, const uint8_t *own)
{
	struct doacross *s = context;
	struct doacross its = { .memory = s->memory, .flags = d->doacross_flags };
	taddr flags;

	(void)own;
	if (!d->doacross_flags || !d->doacross_info || d->doacross_info % 8 ||
	    !memory_try_read(s->memory, d->doacross_info, its.info, HEAD * sizeof(*its.info)) ||
	    its.info[0] <= 0 || its.info[0] > LOOPS_MAX ||
	    !memory_try_read(s->memory, d->doacross_info, its.info,
			     (size_t)(1 + EACH * its.info[0]) * sizeof(*its.info)) ||
	    /* Beside the counter is what the threads share. */
	    !memory_try_read(s->memory, (taddr)its.info[1] - BEFORE_COUNTER, &flags,
			     sizeof(flags)) ||
	    flags != d->doacross_flags)
		return false;
	*s = its;
	return true;
}

/* The number of an iteration by those of its loops; false: there is none, and nobody waits for it.
 */
static bool number_of(const struct doacross *d, const int64_t *at, uint64_t *ret)
{
	*ret = 0;
	for (int64_t i = 0; i < d->info[0]; i++) {
		const int64_t *loop = &d->info[HEAD + EACH * i];
		const bool up = loop[STEP] > 0;
		const int64_t low = up ? loop[FIRST] : loop[LAST],
			      high = up ? loop[LAST] : loop[FIRST];
		if (!loop[STEP] || at[i] < low || at[i] > high)
			return false;
		const uint64_t distance = up ? (uint64_t)at[i] - (uint64_t)loop[FIRST]
					     : (uint64_t)loop[FIRST] - (uint64_t)at[i];
		const uint64_t step = up ? (uint64_t)loop[STEP] : -(uint64_t)loop[STEP];
		*ret = *ret * (i ? (uint64_t)loop[-1] : 1) + distance / step;
	}
	return true;
}

/* Where the numbers of the iteration are that the thread waits for: the third argument. */
static bool find_iteration(struct walk *w, int thread, const struct span *span, taddr *ret)
{
	const struct unwind_stack *raw = &w->raw[thread];
	struct thread *th = w->target->threads.items[thread];
	uint64_t registers[32];
	uint32_t known;

	return !span->root && !span->nleft && span->outer < raw->len && span->api &&
	       !strcmp(span->api, "__kmpc_doacross_wait") &&
	       unwind_registers(w->unwinder, th, span->outer, registers, &known) &&
	       call_site_passed(w->calls, raw->items[span->outer].pc, 2, registers, known, ret);
}

static bool is_done(struct walk *w, int thread, const struct span *span)
{
	struct doacross d = { .memory = w->target->memory };
	struct asked asked;
	int64_t iteration[LOOPS_MAX];
	uint64_t number;
	uint32_t word;
	taddr at, info, offset;

	if (!ask(w, thread, span, &asked) || !(info = info_of(&asked, thread)) ||
	    !find_iteration(w, thread, span, &at) ||
	    !libomp_dispatch_find(asked.memory, info, is_doacross, &d, &offset) ||
	    !memory_try_read(asked.memory, at, iteration, (size_t)d.info[0] * sizeof(*iteration)))
		return false;
	return !number_of(&d, iteration, &number) ||
	       (memory_try_read(asked.memory, d.flags + number / 32 * sizeof(word), &word,
				sizeof(word)) &&
		word >> number % 32 & 1);
}

bool libomp_turns_have_come(struct walk *w, int thread, const struct span *span)
{
	return picture_thread(w->picture, thread)->wait.kind == WAIT_ORDERED
		       ? has_come(w, thread, span)
		       : is_done(w, thread, span);
}
