/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/libomp/libomp_barriers.h"

#include <string.h>

#include "ompd/libomp/libomp_taskdata.h"

/* LLVM's kmp.h: what of each barrier there is in a team, and in a thread. LLVM 14 to 19. */
enum kind { PLAIN, FORKJOIN, REDUCTION, KINDS };

enum {
	LINE = 64,        /* all of it is aligned to cache lines                              */
	STEP = 4,         /* for each barrier; the bits below tell who sleeps                 */
	STRIDES = 4,      /* from one barrier of a thread to the next: two lines, or more     */
	PLACES = 48,      /* lines of kmp_info_t at which they may begin                      */
	MEMBERS_MAX = 16, /* whom to ask for the place                                       */
	/* A thread whose number is a multiple of it may wait for others, at barriers and
	   reductions. */
	FAN_OUT = 4,
	REDUCTION_FAN_OUT = 2,
	INFO_MAX = PLACES * LINE,
	FRAMES_MAX = 4096, /* bytes of a stack, from the one who spins to the runtime's entry */
};

struct counts {
	uint64_t of[KINDS];
};

/* kmp_team_t begins with a cache line of its own and its barriers, a line each. */
static bool read_team(struct memory *memory, taddr team, struct counts *ret)
{
	for (int i = 0; i < KINDS; i++) {
		uint64_t *passed = &ret->of[i];
		if (!memory_try_read(memory, team + (taddr)(i + 1) * LINE, passed,
				     sizeof(*passed)) ||
		    *passed % STEP || *passed > INT32_MAX)
			return false;
	}
	return true;
}

long libomp_barriers_passed(struct memory *memory, taddr team)
{
	struct counts passed;

	if (!read_team(memory, team, &passed))
		return -1;
	return (long)((passed.of[PLAIN] + passed.of[FORKJOIN] + passed.of[REDUCTION]) / STEP);
}

static bool read_info(struct memory *memory, taddr info, uint8_t *ret)
{
	return info && info % LINE == 0 && memory_try_read(memory, info, ret, INFO_MAX);
}

static taddr info_of_member(struct memory *memory, const struct libomp_team *team, int number)
{
	taddr info = 0;

	memory_try_read(memory, team->threads + (taddr)number * sizeof(info), &info, sizeof(info));
	return info;
}

/* Where a thread's counts are: nothing tells, but they fit in all threads of a team. */
struct places {
	bool fit[STRIDES][PLACES];
};

/*
 * A thread's counts, if they are there: at the beginning of a line each, the same number of lines
 * apart. It has come as often as its team, or once more.
 */
static bool fits(const uint8_t *info, size_t stride, size_t place, const struct counts *passed,
		 struct counts *ret)
{
	const size_t at = place * LINE, apart = (stride + 2) * LINE;

	if (at + KINDS * apart > INFO_MAX)
		return false;
	for (size_t i = 0; i < KINDS; i++) {
		uint64_t arrived;
		memcpy(&arrived, info + at + i * apart, sizeof(arrived));
		ret->of[i] = arrived - arrived % STEP;
		if (ret->of[i] != passed->of[i] && ret->of[i] != passed->of[i] + STEP)
			return false;
	}
	return true;
}

/* Takes those out that do not fit in a thread. */
static void sift(struct places *p, const uint8_t *info, const struct counts *passed)
{
	struct counts its;

	for (size_t i = 0; i < STRIDES; i++) {
		for (size_t at = 0; at < PLACES; at++)
			p->fit[i][at] = p->fit[i][at] && fits(info, i, at, passed, &its);
	}
}

/* The primary thread counts for the team alone. */
static void find_places(struct memory *memory, const struct libomp_team *team,
			const struct counts *passed, struct places *ret)
{
	uint8_t info[INFO_MAX];

	memset(ret, true, sizeof(*ret));
	for (int i = 1; i < team->size && i <= MEMBERS_MAX; i++) {
		if (read_info(memory, info_of_member(memory, team, i), info))
			sift(ret, info, passed);
	}
}

/* The barriers, a bit each, to which a thread may have come that waits like that. */
static unsigned int kinds_of(const struct picture_wait *wait)
{
	const bool reduces = !wait->entry || strstr(wait->entry->start, "reduce");

	if (wait->kind == WAIT_REGION_END)
		return 1U << FORKJOIN;
	return 1U << PLAIN | (reduces ? 1U << REDUCTION : 0);
}

/* Those, a bit each, to which it has come and its team has not passed. */
static unsigned int kinds_ahead(const struct counts *its, const struct counts *passed)
{
	unsigned int ret = 0;

	for (unsigned int i = 0; i < KINDS; i++)
		ret |= its->of[i] != passed->of[i] ? 1U << i : 0;
	return ret;
}

/*
 * Whether a thread has come to a barrier that its team has not passed yet: to one of those kinds;
 * places that tell of another one are none. *ret_known: there is a place, and all agree: where a
 * count is 0, other words are like it.
 */
static bool is_ahead(struct memory *memory, const struct places *p, taddr at,
		     const struct counts *passed, unsigned int kinds, bool *ret_known)
{
	uint8_t info[INFO_MAX];
	bool ahead = false, behind = false;
	struct counts its;

	*ret_known = false;
	if (!read_info(memory, at, info))
		return false;
	for (size_t i = 0; i < STRIDES; i++) {
		for (size_t line = 0; line < PLACES; line++) {
			if (!p->fit[i][line] || !fits(info, i, line, passed, &its))
				continue;
			const unsigned int here = kinds_ahead(&its, passed);
			ahead |= here & kinds;
			behind |= !here;
		}
	}
	*ret_known = ahead != behind;
	return ahead;
}

/* A team at one of whose barriers threads wait. */
struct watched {
	struct memory *memory;
	taddr team; /* 0: none */
	bool fits;  /* it could be read */
	struct libomp_team data;
	struct counts passed;
	struct places places;
	bool in_flux; /* some have gone through more barriers than others */
	bool gone_on; /* the primary thread has left its last one: so have those in its state  */
	uint8_t state;
	bool unbegun; /* some have never run: they have come to no barrier  */
};

/* A worker that has been made sets its number when it runs for the first time. */
static bool has_begun(const struct walk *w, const struct libomp_task_layout *l,
		      const struct libomp_symbols *symbols, taddr info)
{
	for (size_t i = 0; i < w->target->threads.len; i++) {
		if (libomp_taskdata_info(l, symbols, w->target->threads.items[i]) == info)
			return true;
	}
	return false;
}

static bool has_unbegun(const struct walk *w, const struct libomp_task_layout *l,
			const struct libomp_symbols *symbols, const struct libomp_team *team)
{
	for (int i = 1; i < team->size && i <= MEMBERS_MAX; i++) {
		if (!has_begun(w, l, symbols, info_of_member(l->memory, team, i)))
			return true;
	}
	return false;
}

/*
 * Each barrier that a thread has left behind changes its th_task_state, which tells it which of
 * its team's two task teams to use: 0 or 1, the same in all threads of a team that stand still. It
 * stands behind th_current_task.
 */
static bool read_state(const struct libomp_task_layout *l, taddr info, uint8_t *ret)
{
	return info &&
	       memory_try_read(l->memory, info + l->info + l->its_task + sizeof(taddr), ret, 1) &&
	       *ret <= 1;
}

static bool is_in_flux(const struct libomp_task_layout *l, const struct libomp_team *team)
{
	uint8_t first = 0, its;

	for (int i = 0; i < team->size; i++) {
		if (!read_state(l, info_of_member(l->memory, team, i), &its))
			return false;
		if (i && its != first)
			return true;
		first = its;
	}
	return false;
}

/* It waits at no barrier. */
static bool has_gone_on(const struct walk *w, const struct libomp_task_layout *l,
			const struct libomp_symbols *symbols, taddr info)
{
	for (size_t i = 0; i < w->target->threads.len; i++) {
		const enum wait_kind kind = picture_thread(w->picture, (int)i)->wait.kind;
		if (libomp_taskdata_info(l, symbols, w->target->threads.items[i]) == info)
			return kind != WAIT_PASSING && !wait_kind_traits(kind)->is_barrier;
	}
	return false;
}

static void watch(const struct libomp_task_layout *l, taddr team, struct watched *ret)
{
	*ret = (struct watched){ .memory = l->memory, .team = team };
	ret->fits = libomp_taskdata_read_team(l, team, &ret->data) &&
		    read_team(l->memory, team, &ret->passed);
	if (ret->fits)
		find_places(l->memory, &ret->data, &ret->passed, &ret->places);
	ret->in_flux = ret->fits && is_in_flux(l, &ret->data);
}

static void watch_flux(const struct walk *w, const struct libomp_task_layout *l,
		       const struct libomp_symbols *symbols, struct watched *ret)
{
	const taddr primary = info_of_member(ret->memory, &ret->data, 0);

	if (!ret->in_flux)
		return;
	ret->unbegun = has_unbegun(w, l, symbols, &ret->data);
	ret->gone_on = read_state(l, primary, &ret->state) && has_gone_on(w, l, symbols, primary);
}

/* Its number in the team, which is likely to be that one; -1: none. */
static int number_in_team(const struct watched *w, taddr info, long likely)
{
	if (likely >= 0 && likely < w->data.size &&
	    info_of_member(w->memory, &w->data, (int)likely) == info)
		return (int)likely;
	for (int i = 0; i < w->data.size; i++) {
		if (info_of_member(w->memory, &w->data, i) == info)
			return i;
	}
	return -1;
}

/* Whether a word is the address of a count of arrivals of one of the team's. Few are one of a
 * cache line's, and a team may be large. */
static bool is_count(const struct watched *w, uint64_t word, unsigned int kinds)
{
	if (!word || word % LINE)
		return false;
	for (int i = 0; i < w->data.size; i++) {
		const taddr info = info_of_member(w->memory, &w->data, i);
		if (!info || info % LINE || word - info >= INFO_MAX)
			continue;
		const size_t line = (word - info) / LINE;
		for (size_t at = 0; at < STRIDES * KINDS; at++) {
			const size_t stride = at / KINDS, kind = at % KINDS;
			const size_t before = kind * (stride + 2);
			if (kinds >> kind & 1 && line >= before && line - before < PLACES &&
			    w->places.fit[stride][line - before])
				return true;
		}
	}
	return false;
}

/*
 * Who waits for others to come watches the count of one of them, or in some patterns of barriers
 * its own: the flag (kmp_flag_64) that is handed on to wait for it holds the count's address, in
 * the frames of the runtime. true also if those cannot be read, or are too many.
 */
static bool watches_count(const struct watched *w, const struct walk *walk, int thread,
			  const struct span *span, unsigned int kinds)
{
	const struct unwind_stack *raw = &walk->raw[thread];
	struct thread *th = walk->target->threads.items[thread];
	uint64_t sp = 0, word;

	error_ignore(target_get_uint(walk->target, th, walk->target->arch->sp, &sp));
	if (!sp || !span->outer || span->outer > raw->len)
		return true;
	const taddr end = raw->items[span->outer - 1].cfa;
	if (end - sp > FRAMES_MAX)
		return true;
	for (taddr at = sp & ~UINT64_C(7); at < end; at += sizeof(word)) {
		if (!memory_try_read(w->memory, at, &word, sizeof(word)) ||
		    is_count(w, word, kinds))
			return true;
	}
	return false;
}

/*
 * Its arrival is counted when those for which it waits itself have come. The primary thread's is
 * not: that lets the others go, and on its way there and back it watches nobody's count.
 */
static bool is_over(const struct watched *w, const struct walk *walk, int thread,
		    const struct span *span, taddr info)
{
	const struct picture_thread *th = picture_thread(walk->picture, thread);
	const unsigned int kinds = kinds_of(&th->wait);
	const int fan_out = kinds & 1U << REDUCTION ? REDUCTION_FAN_OUT : FAN_OUT;
	bool known;

	if (!w->fits || w->unbegun ||
	    is_ahead(w->memory, &w->places, info, &w->passed, kinds, &known))
		return false;
	if (w->in_flux)
		return true;
	const int number = number_in_team(w, info, th->number);
	if (number == 0 || (number % fan_out == 0 && number + 1 < w->data.size))
		return !watches_count(w, walk, thread, span, kinds);
	return known && number > 0;
}

void libomp_barriers_refine(struct walk *w, int runtime)
{
	const struct openmp *o = w->known[runtime].openmp;
	struct libomp_thread_tasks of;
	struct libomp_task_layout l;
	struct watched watched = { 0 };
	uint8_t state;

	if (!libomp_task_layout_read(o->context.own, w->target->memory, &l))
		return;
	for (size_t i = 0; i < w->picture->threads.len; i++) {
		struct picture_thread *th = picture_thread(w->picture, i);
		const struct span *span = spans_innermost(&th->spans);
		if (wait_kind_whom(th->wait.kind) != FOR_TEAM || !span ||
		    walk_session(w, (int)i, span) != o)
			continue;
		const taddr info =
			libomp_taskdata_info(&l, o->context.own, w->target->threads.items[i]);
		if (!libomp_taskdata_read_thread(&l, info, &of))
			continue;
		if (of.team != watched.team) {
			watch(&l, of.team, &watched);
			watch_flux(w, &l, o->context.own, &watched);
		}
		if (watched.gone_on && read_state(&l, info, &state) && state == watched.state)
			continue;
		th->wait.over |= is_over(&watched, w, (int)i, span, info);
	}
}
