/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Durations, with the unit of their ratio; points in time, by the clock of the system also as a
 * date (UTC).
 */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "debugger/values/container_parts.h"

/* A duration, by its class. */
struct duration {
	struct number count;
	int64_t above, below; /* seconds that one of them takes: above / below */
};

static bool read_count(const struct container_reading *r, const struct value *v,
		       struct duration *ret)
{
	const struct type *ratio = container_argument(type_strip(v->type), 1);
	struct value count;

	if (!ratio || !container_get(r, v, "__r|__rep_", &count) ||
	    !container_argument_number(type_strip(ratio), 0, &ret->above) ||
	    !container_argument_number(type_strip(ratio), 1, &ret->below))
		return false;
	struct error *err = value_number(&count, &ret->count);
	error_ignore(err);
	return !err;
}

/* "250ms" */
static void add_duration(struct buf *out, const struct duration *d)
{
	static const struct {
		int64_t above, below;
		const char *unit;
	} units[] = {
		{ 1, 1000000000, "ns" }, { 1, 1000000, "us" }, { 1, 1000, "ms" },
		{ 1, 1, "s" },           { 60, 1, "min" },     { 3600, 1, "h" },
	};

	if (d->count.is_float)
		buf_addf(out, "%g", (double)d->count.real);
	else
		buf_addf(out, "%" PRId64, (int64_t)d->count.bits);
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (units[i].above == d->above && units[i].below == d->below) {
			buf_adds(out, units[i].unit);
			return;
		}
	}
	buf_addf(out, " [%" PRId64 "/%" PRId64 "]s", d->above, d->below);
}

static bool read_duration(struct container_reading *r)
{
	struct duration d;

	if (!read_count(r, r->v, &d))
		return false;
	r->ret->form = CONTAINER_EMPTY;
	buf_adds(&r->ret->head, "std::chrono::duration = { ");
	add_duration(&r->ret->head, &d);
	buf_adds(&r->ret->head, " }");
	return true;
}

/* Seconds since the epoch. false: that is not known, or out of reach. */
static bool seconds_of(const struct duration *d, time_t *ret)
{
	if (d->count.is_float || d->above < 1 || d->below < 1)
		return false;
	__int128 ticks = (__int128)(int64_t)d->count.bits * d->above, whole = ticks / d->below;
	whole -= ticks % d->below < 0;
	*ret = (time_t)whole;
	return whole == *ret;
}

static void add_date(struct buf *out, const struct duration *d)
{
	char text[64];
	struct tm tm;
	time_t at;

	if (seconds_of(d, &at) && gmtime_r(&at, &tm) &&
	    strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm))
		buf_addf(out, " [%s]", text);
}

/* "std::chrono::system_clock::time_point = { 5ns [1970-01-01 00:00:00] }" */
static bool read_time_point(struct container_reading *r)
{
	const struct type *clock = container_argument(r->type, 0);
	struct value inner;
	struct duration d;

	if (!clock || !container_get(r, r->v, "__d|__d_", &inner) || !read_count(r, &inner, &d))
		return false;
	const char *last = type_strip(clock)->name ? type_strip(clock)->name : "";
	for (const char *c = last; *c; c++)
		if (*c == ':')
			last = c + 1;
	buf_addf(&r->ret->head, "std::chrono::%s::time_point = { ", last);
	add_duration(&r->ret->head, &d);
	if (!strcmp(last, "system_clock"))
		add_date(&r->ret->head, &d);
	buf_adds(&r->ret->head, " }");
	r->ret->form = CONTAINER_EMPTY;
	return true;
}

const struct container_row container_chrono_rows[] = {
	{ "chrono::duration", read_duration },
	{ "chrono::time_point", read_time_point },
	{ NULL, NULL },
};
