/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/points.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"

static void fini(struct set_point *p)
{
	free((void *)(uintptr_t)p->point.condition);
	free((void *)(uintptr_t)p->point.tally);
	tally_fini(&p->tally);
}

void points_fini(struct points *ps)
{
	vec_for_each (p, ps)
		fini(p);
	vec_fini(ps);
}

static bool is_data(enum point_kind kind)
{
	return kind != POINT_CODE && kind != POINT_CODE_HARD;
}

struct error *points_check(const struct point *p)
{
	size_t n = p->size;

	if (!p->id)
		return error_new(ERROR_USAGE, "a point has no number");
	if (is_data(p->kind) && n != 1 && n != 2 && n != 4 && n != 8)
		return error_new(ERROR_USAGE,
				 "the processor watches 1, 2, 4 or 8 bytes at once, not %zu", n);
	if (is_data(p->kind) && p->addr % n)
		return error_new(ERROR_USAGE,
				 "the processor watches %zu bytes only at a multiple of %zu, not "
				 "at 0x%" PRIxTADDR,
				 n, n, p->addr);
	struct error *err = p->condition ? condition_check(p->condition, p->condition_size) : NULL;
	return err || !p->tally ? err : condition_check(p->tally, p->tally_size);
}

/* Index of the first point whose number is not below id. */
static size_t place_of(const struct points *ps, unsigned int id)
{
	size_t at = 0;

	while (at < ps->len && ps->items[at].point.id < id)
		at++;
	return at;
}

struct set_point *points_find(const struct points *ps, unsigned int id)
{
	size_t at = place_of(ps, id);

	return at < ps->len && ps->items[at].point.id == id ? &ps->items[at] : NULL;
}

static bool copy_program(const uint8_t *program, size_t size, const uint8_t **ret)
{
	uint8_t *copy = program ? malloc(size + 1) : NULL;

	if (copy)
		memcpy(copy, program, size);
	*ret = copy;
	return copy || !program;
}

static struct error *copy(const struct point *p, struct set_point *ret)
{
	ret->point = *p;
	ret->point.tally = NULL;
	if (copy_program(p->condition, p->condition_size, &ret->point.condition) &&
	    copy_program(p->tally, p->tally_size, &ret->point.tally))
		return NULL;
	fini(ret);
	return &error_nomem;
}

struct error *points_set(struct points *ps, const struct point *p)
{
	struct set_point *known = points_find(ps, p->id);
	struct set_point new = { .placed = true };
	size_t at = place_of(ps, p->id);
	struct error *err = copy(p, &new);

	if (err)
		return err;
	if (known) {
		new.state = known->state;
		new.tally = known->tally;
		known->tally = (struct tally){ 0 };
		fini(known);
	} else if (!vec_push(ps, new)) {
		fini(&new);
		return &error_nomem;
	} else {
		memmove(ps->items + at + 1, ps->items + at,
			(ps->len - 1 - at) * sizeof(*ps->items));
	}
	new.state.ignore = p->ignore;
	ps->items[at] = new;
	return NULL;
}

struct error *points_copy(const struct points *from, struct points *to)
{
	vec_for_each (p, from) {
		struct error *err = points_set(to, &p->point);
		if (err)
			return err;
		to->items[to->len - 1].state = p->state;
		to->items[to->len - 1].placed = p->placed;
	}
	return NULL;
}

void points_drop(struct points *ps, struct set_point *p)
{
	fini(p);
	ps->len--;
	memmove(p, p + 1, (size_t)(ps->items + ps->len - p) * sizeof(*p));
}

size_t points_count(const struct points *ps, enum point_kind kind, taddr addr)
{
	size_t n = 0;

	vec_for_each (p, ps)
		n += p->placed && p->point.kind == kind && p->point.addr == addr;
	return n;
}

bool points_count_hit(struct set_point *p)
{
	p->state.hits++;
	if (!p->state.ignore)
		return true;
	p->state.ignore--;
	return false;
}

/* The stack pointer is at the return address. */
static void note(const struct set_point *p, const struct arrival *arrival)
{
	const struct condition_subject *s = &arrival->subject;
	struct note note = { .lwp = arrival->lwp,
			     .function = p->point.addr,
			     .sp = arrival->sp + sizeof(uint64_t) };

	for (size_t i = 0; i < ARCH_ARGUMENTS; i++)
		note.arguments[i] =
			arch_get(s->arch->code_regs[s->arch->code_arguments[i]], s->general);
	error_ignore(notes_add(arrival->notes, &note)); /* without memory its return is not seen */
}

static void count_row(struct set_point *p, const struct arrival *arrival,
		      const struct condition_subject *subject)
{
	uint64_t key = 0;

	(void)condition_value(p->point.tally, p->point.tally_size, subject, &key);
	tally_add(&p->tally, arrival->lwp, key, 1, clock_us());
}

void points_end_arrival(const struct arrival *arrival)
{
	notes_end(arrival->notes, arrival->lwp, arrival->sp);
}

bool points_judge(struct set_point *p, const struct arrival *arrival)
{
	const struct point *point = &p->point;
	struct condition_subject subject = arrival->subject;
	bool failed = false, holds = true;

	if (point->lwp && point->lwp != arrival->lwp)
		return false;
	if (point->sp_above && arrival->sp <= point->sp_above)
		return false;
	if (point->returns) {
		const struct note *call =
			notes_find(arrival->notes, arrival->lwp, point->returns, arrival->sp);
		if (!call)
			return false;
		subject.arguments = call->blank ? NULL : call->arguments;
		p->state.argued = !call->blank;
		memcpy(p->state.arguments, call->arguments, sizeof(call->arguments));
	}
	if (point->condition)
		holds = condition_holds(point->condition, point->condition_size, &subject, &failed);
	p->state.condition_failed |= failed;
	if (!holds && !(failed && point->asks))
		return false;
	if (point->notes)
		note(p, arrival);
	if (point->tally)
		count_row(p, arrival, &subject);
	return (point->asks || points_count_hit(p)) && !point->quiet;
}
