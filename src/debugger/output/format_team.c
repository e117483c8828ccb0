/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_team.h"

#include <math.h>
#include <string.h>

#include "debugger/merge.h"
#include "debugger/output/format_value.h"
#include "debugger/output/json_value.h"
#include "debugger/output/style.h"

enum { MANY = 16, BINS = 8, BAR_MAX = 40 };

static void value_fini(struct team_value *v)
{
	vec_fini(&v->threads);
	buf_fini(&v->text);
	shown_fini(&v->shown);
}

void team_values_fini(struct team_values *l)
{
	vec_for_each (v, l)
		value_fini(v);
	vec_fini(l);
}

bool team_values_add(struct team_values *l, int thread, struct team_value *made)
{
	struct team_value *into = NULL;

	vec_for_each (v, l) {
		if (v->is_error == made->is_error &&
		    !strcmp(buf_text(&v->text), buf_text(&made->text)))
			into = v;
	}
	if (into) {
		value_fini(made);
	} else if (vec_push(l, *made)) {
		into = &l->items[l->len - 1];
	} else {
		value_fini(made);
		return false;
	}
	return vec_push(&into->threads, thread);
}

/* ---- numbers ---------------------------------------------------------------------------- */

struct summary {
	size_t n; /* threads that have a number; 0: not all values are numbers */
	long double least, greatest, sum;
	const struct team_value *least_of, *greatest_of;
	size_t bins[BINS];
};

static size_t bin_of(const struct summary *s, long double number)
{
	long double width = (s->greatest - s->least) / BINS;
	size_t bin = width > 0 ? (size_t)((number - s->least) / width) : 0;

	return bin < BINS ? bin : BINS - 1;
}

static struct summary summarize(const struct team_values *l)
{
	struct summary s = { 0 };

	vec_for_each (v, l) {
		if (v->is_error)
			continue;
		if (!v->is_number || isnan(v->number) || isinf(v->number))
			return (struct summary){ 0 };
		if (!s.n || v->number < s.least) {
			s.least = v->number;
			s.least_of = v;
		}
		if (!s.n || v->number > s.greatest) {
			s.greatest = v->number;
			s.greatest_of = v;
		}
		s.n += v->threads.len;
		s.sum += v->number * (long double)v->threads.len;
	}
	vec_for_each (v, l) {
		if (!v->is_error)
			s.bins[bin_of(&s, v->number)] += v->threads.len;
	}
	return s;
}

static void add_first(struct buf *out, const char *what, const struct team_value *v,
		      const struct picture *p)
{
	buf_addf(out, "%s %s (", what, buf_text(&v->text));
	merge_add_thread_set(out, p, v->threads.items, 1);
	buf_adds(out, v->threads.len > 1 ? " ...)" : ")");
}

/* Bars of the values between the least and the greatest. */
static void add_histogram(struct buf *out, const struct summary *s)
{
	long double width = (s->greatest - s->least) / BINS;
	size_t most = 1;

	if (!(width > 0))
		return;
	for (size_t i = 0; i < BINS; i++)
		most = s->bins[i] > most ? s->bins[i] : most;
	for (size_t i = 0; i < BINS; i++) {
		size_t bar = (s->bins[i] * BAR_MAX + most - 1) / most;
		buf_addf(out, "  from %-12.6Lg %6zu  ", s->least + width * (long double)i,
			 s->bins[i]);
		for (size_t k = 0; k < bar; k++)
			buf_addc(out, '#');
		buf_addc(out, '\n');
	}
}

static void add_summary(struct buf *out, const struct summary *s, const struct picture *p)
{
	add_first(out, "minimum", s->least_of, p);
	add_first(out, ", maximum", s->greatest_of, p);
	buf_addf(out, ", sum %.18Lg, %zu threads\n", s->sum, s->n);
	add_histogram(out, s);
}

/* ---- all -------------------------------------------------------------------------------- */

void format_team(struct buf *out, const struct team_values *l, const struct picture *p, size_t most)
{
	const struct summary s = summarize(l);
	size_t lines = 0, left = 0;

	vec_for_each (v, l) {
		if (lines++ >= most) {
			left++;
			continue;
		}
		merge_add_thread_set(out, p, v->threads.items, v->threads.len);
		buf_adds(out, ": ");
		buf_adds(out, buf_text(&v->text));
		buf_addc(out, '\n');
	}
	if (left)
		buf_addf(out, "... and %zu other values\n", left);
	if (s.n > MANY)
		add_summary(out, &s, p);
}

static void add_threads(struct json *j, const struct team_value *v, const struct picture *p)
{
	json_add_array(j, "threads");
	vec_for_each (thread, &v->threads) {
		AUTO_BUF name = { 0 };
		const struct picture_thread *th = picture_thread(p, *thread);
		json_add_object(j, NULL);
		json_add_integer(j, "lwp", th->lwp);
		if (picture_is_numbered(th))
			picture_add_thread_name(&name, p, *thread);
		json_add_string(j, "thread", name.len ? buf_text(&name) : NULL);
		json_end(j);
	}
	json_end(j);
}

void format_team_reduction(struct buf *out, struct json *j, const struct team_reduction *r)
{
	if (j) {
		json_add_object(j, "so_far");
		json_add_string(j, "operator", r->op);
		json_add_string(j, "unknown", r->why);
		if (!r->why)
			json_value_members(j, r->so_far, r->letter);
		json_end(j);
		return;
	}
	buf_adds(out, "so far: ");
	if (r->why) {
		style_add_between(out, "not known: ", r->why, "\n");
		return;
	}
	format_value(out, r->so_far, r->letter);
	style_add_between(out, "  (", r->op, " of these and the original, ");
	format_value(out, r->original, r->letter);
	buf_adds(out, ")\n");
}

void json_team_members(struct json *j, const struct team_values *l, const struct picture *p,
		       char letter)
{
	json_add_array(j, "values");
	vec_for_each (v, l) {
		json_add_object(j, NULL);
		add_threads(j, v, p);
		if (v->is_error) {
			json_add_string(j, "error", buf_text(&v->text));
		} else {
			json_add_object(j, "value");
			json_value_members(j, &v->shown, letter);
			json_end(j);
		}
		json_end(j);
	}
	json_end(j);
}
