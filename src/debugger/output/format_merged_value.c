/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_merged_value.h"

#include <stdlib.h>
#include <string.h>

#include "debugger/merge.h"
#include "debugger/output/format_value.h"
#include "debugger/output/style.h"

enum {
	WIDTH_MAX = 160, /* of one value                                            */
	GROUPS_MAX = 4,  /* values of one variable before they are a range, or left out */
};

void merged_value_fini(struct merged_value *m)
{
	team_values_fini(&m->values);
}

static bool as_real(const struct shown *s, const struct type *t, long double *ret)
{
	double wide;
	float narrow;

	if (t->kind != TYPE_FLOAT || (s->size != sizeof(wide) && s->size != sizeof(narrow)))
		return false;
	if (s->size == sizeof(wide))
		memcpy(&wide, s->bytes, sizeof(wide));
	else
		memcpy(&narrow, s->bytes, sizeof(narrow));
	*ret = s->size == sizeof(wide) ? (long double)wide : (long double)narrow;
	return *ret - *ret == 0; /* neither infinite nor no number */
}

static bool as_number(const struct shown *s, long double *ret)
{
	const struct type *t = type_strip(s->type);
	uint64_t n = 0;

	if (s->missing || !s->size || s->size > sizeof(n))
		return false;
	if (!type_is_integer(t))
		return as_real(s, t, ret);
	memcpy(&n, s->bytes, s->size);
	*ret = t->is_signed
		       ? (long double)((int64_t)(n << (64 - 8 * s->size)) >> (64 - 8 * s->size))
		       : (long double)n;
	return true;
}

/* Bytes of the text that are shown: characters stay whole. */
static void cut(struct buf *text)
{
	size_t len = WIDTH_MAX;

	if (text->len <= WIDTH_MAX)
		return;
	while (len && ((unsigned char)text->data[len] & 0xc0) == 0x80)
		len--;
	text->len = len;
	text->data[len] = 0;
	buf_adds(text, "...");
}

void merged_value_add(struct buf *out, struct merged_value *m, const struct shown *value,
		      const int *threads, size_t nthreads)
{
	for (size_t k = 0; k < nthreads; k++) {
		struct team_value made = { .is_error = value->missing };
		made.is_number = as_number(value, &made.number);
		format_value(&made.text, value, 0);
		cut(&made.text);
		out->failed |= made.text.failed || !team_values_add(&m->values, threads[k], &made);
	}
	m->threads += nthreads;
	m->missing += value->missing ? nthreads : 0;
}

/* ---- ranges ----------------------------------------------------------------------------- */

/*
 * What is between each of them and the next, if that is the same, and exact; 0: it is not. They
 * differ from each other: so each has a place of its own between the least and the greatest.
 */
static long double step_of(const struct team_values *l, long double least, long double greatest)
{
	long double step = (greatest - least) / (long double)(l->len - 1);

	vec_for_each (v, l) {
		long double place = (v->number - least) / step;
		if (!step || place != (long double)(uint64_t)place ||
		    least + place * step != v->number)
			return 0;
	}
	return step;
}

/* Tenths are none in binary: a step is told if it can be written, and is not the usual one. */
static void add_step(struct buf *out, long double step)
{
	AUTO_BUF text = { 0 };

	buf_addf(&text, "%.9Lg", step);
	if (step && step != 1 && !text.failed && strtold(buf_text(&text), NULL) == step)
		buf_addf(out, " by %s", buf_text(&text));
	out->failed |= text.failed;
}

/* "3..17 (8 threads)" if all values are numbers. */
static bool add_range(struct buf *out, const struct merged_value *m)
{
	const struct team_value *least = m->values.items, *greatest = least;

	vec_for_each (v, &m->values) {
		if (!v->is_number)
			return false;
		least = v->number < least->number ? v : least;
		greatest = v->number > greatest->number ? v : greatest;
	}
	buf_addf(out, "%s..%s", buf_text(&least->text), buf_text(&greatest->text));
	add_step(out, step_of(&m->values, least->number, greatest->number));
	buf_addf(out, " (%zu threads)", m->threads);
	return true;
}

static void add_groups(struct buf *out, const struct merged_value *m, const struct picture *p)
{
	size_t n = 0;

	vec_for_each (v, &m->values) {
		if (n++ >= GROUPS_MAX)
			break;
		buf_adds(out, n > 1 ? "  " : "");
		merge_add_thread_set(out, p, v->threads.items, v->threads.len);
		buf_addf(out, ": %s", buf_text(&v->text));
	}
	if (m->values.len > GROUPS_MAX)
		buf_addf(out, "  ... and %zu other values", m->values.len - GROUPS_MAX);
}

void format_merged_value(struct buf *out, const struct merged_value *m, const struct picture *p,
			 size_t threads)
{
	style_add_between(out, "", m->name, " = ");
	if (m->values.len == 1 && m->threads == threads)
		buf_adds(out, buf_text(&m->values.items[0].text));
	else if (m->values.len <= GROUPS_MAX || !add_range(out, m))
		add_groups(out, m, p);
}
