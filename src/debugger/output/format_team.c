/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_team.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "debugger/merge.h"
#include "debugger/output/format_value.h"
#include "debugger/output/json_value.h"
#include "debugger/output/style.h"

enum { MANY = 16, BINS = 8, BAR_MAX = 40, DIGITS_MIN = 6, DIGITS_MAX = 21, LABEL_MAX = 64 };

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
	size_t n;        /* threads that have a finite number; 0: not all values are numbers */
	size_t left_out; /* those that have nan or inf */
	long double least, greatest, sum;
	const struct team_value *least_of, *greatest_of;
	size_t nbins; /* 0: all numbers are the same */
	int digits;   /* in which their beginnings differ */
	size_t bins[BINS];
};

static long double bin_start(const struct summary *s, size_t bin)
{
	return s->least + (s->greatest - s->least) / (long double)s->nbins * (long double)bin;
}

static size_t bin_of(const struct summary *s, long double number)
{
	long double width = (s->greatest - s->least) / (long double)s->nbins;
	size_t bin = (size_t)((number - s->least) / width);

	return bin < s->nbins ? bin : s->nbins - 1;
}

static bool starts_differ(const struct summary *s)
{
	char before[LABEL_MAX] = "", label[LABEL_MAX];

	for (size_t i = 0; i < s->nbins; i++) {
		snprintf(label, sizeof(label), "%.*Lg", s->digits, bin_start(s, i));
		if (!strcmp(before, label))
			return false;
		memcpy(before, label, sizeof(before));
	}
	return true;
}

/* Large numbers that are close to each other need more digits, and may be too few for all bins. */
static void choose_bins(struct summary *s)
{
	for (s->nbins = s->greatest > s->least ? BINS : 0; s->nbins; s->nbins--) {
		for (s->digits = DIGITS_MIN; s->digits <= DIGITS_MAX; s->digits++) {
			if (starts_differ(s))
				return;
		}
	}
}

static bool is_finite(const struct team_value *v)
{
	return !v->is_error && isfinite(v->number);
}

static struct summary summarize(const struct team_values *l)
{
	struct summary s = { 0 };

	vec_for_each (v, l) {
		if (v->is_error)
			continue;
		if (!v->is_number)
			return (struct summary){ 0 };
		if (!is_finite(v)) {
			s.left_out += v->threads.len;
			continue;
		}
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
	choose_bins(&s);
	vec_for_each (v, l) {
		if (s.nbins && is_finite(v))
			s.bins[bin_of(&s, v->number)] += v->threads.len;
	}
	return s;
}

/* The first n of those that have a value: "0.[0-2]", of ranks "[0-2]". */
static void add_set(struct buf *out, const struct picture *p, const struct team_value *v, size_t n)
{
	VEC(long) ranks = { 0 };

	if (p) {
		merge_add_thread_set(out, p, v->threads.items, n);
		return;
	}
	for (size_t i = 0; i < n; i++)
		out->failed |= !vec_push(&ranks, v->threads.items[i]);
	buf_addc(out, '[');
	text_add_ranges(out, ranks.items, ranks.len, ',');
	buf_addc(out, ']');
	vec_fini(&ranks);
}

static void add_first(struct buf *out, const char *what, const struct team_value *v,
		      const struct picture *p)
{
	buf_addf(out, "%s %s (", what, buf_text(&v->text));
	add_set(out, p, v, 1);
	buf_adds(out, v->threads.len > 1 ? " ...)" : ")");
}

/* Bars of the values between the least and the greatest. */
static void add_histogram(struct buf *out, const struct summary *s)
{
	size_t most = 1;

	for (size_t i = 0; i < s->nbins; i++)
		most = s->bins[i] > most ? s->bins[i] : most;
	for (size_t i = 0; i < s->nbins; i++) {
		size_t bar = (s->bins[i] * BAR_MAX + most - 1) / most;
		buf_addf(out, "  from %-12.*Lg %6zu  ", s->digits, bin_start(s, i), s->bins[i]);
		for (size_t k = 0; k < bar; k++)
			buf_addc(out, '#');
		buf_addc(out, '\n');
	}
}

static void add_summary(struct buf *out, const struct summary *s, const struct picture *p)
{
	add_first(out, "minimum", s->least_of, p);
	add_first(out, ", maximum", s->greatest_of, p);
	buf_addf(out, ", sum %.18Lg, %zu %s", s->sum, s->n, p ? "threads" : "ranks");
	if (s->left_out)
		buf_addf(out, "; left out: %zu without a finite number", s->left_out);
	buf_addc(out, '\n');
	if (s->n + s->left_out > MANY)
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
		add_set(out, p, v, v->threads.len);
		buf_adds(out, ": ");
		buf_adds(out, buf_text(&v->text));
		buf_addc(out, '\n');
	}
	if (left)
		buf_addf(out, "... and %zu other values\n", left);
	if (s.n && (s.n + s.left_out > MANY || (!p && l->len > 1)))
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
