/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/job/job_counts.h"

#include <string.h>

enum { COLUMNS_MOST = 1000 }; /* what is beyond is left out */

static void fini_row(struct job_counts_row *row)
{
	vec_fini(&row->ranks);
	vec_fini(&row->values);
}

void job_counts_fini(struct job_counts *c)
{
	vec_for_each (row, &c->rows)
		fini_row(row);
	vec_fini(&c->rows);
	vec_fini(&c->columns);
}

/* COLUMNS_MOST: there are too many. false: out of memory. */
static bool get_column(struct job_counts *c, const char *what, size_t *ret)
{
	for (*ret = 0; *ret < c->columns.len; ++*ret) {
		if (!strcmp(c->columns.items[*ret], what))
			return true;
	}
	return *ret == COLUMNS_MOST || vec_push(&c->columns, what);
}

static bool set_value(struct job_counts_row *row, size_t column, long value)
{
	bool whole = true;

	while (whole && row->values.len <= column)
		whole = vec_push(&row->values, 0);
	if (whole)
		row->values.items[column] = value;
	return whole;
}

static long value_of(const struct job_counts_row *row, size_t column)
{
	return column < row->values.len ? row->values.items[column] : 0;
}

static bool are_same(const struct job_counts *c, const struct job_counts_row *a,
		     const struct job_counts_row *b)
{
	for (size_t i = 0; i < c->columns.len; i++) {
		if (value_of(a, i) != value_of(b, i))
			return false;
	}
	return true;
}

/* Takes the row, also on failure. */
static bool add_row(struct job_counts *c, struct job_counts_row *row, int rank)
{
	vec_for_each (known, &c->rows) {
		if (are_same(c, known, row)) {
			fini_row(row);
			return vec_push(&known->ranks, rank);
		}
	}
	if (vec_push(&row->ranks, rank) && vec_push(&c->rows, *row))
		return true;
	fini_row(row);
	return false;
}

bool job_counts_make(const struct rank_report *ranks, size_t n, struct job_counts *ret)
{
	bool whole = true;

	for (size_t i = 0; whole && i < n; i++) {
		struct job_counts_row row = { 0 };
		if (!ranks[i].report || !ranks[i].report->counts.len)
			continue;
		vec_for_each (count, &ranks[i].report->counts) {
			size_t column;
			whole = whole && get_column(ret, count->what, &column) &&
				(column == COLUMNS_MOST || set_value(&row, column, count->n));
		}
		whole = add_row(ret, &row, ranks[i].rank) && whole;
	}
	vec_for_each (row, &ret->rows)
		whole = whole &&
			(!ret->columns.len ||
			 set_value(row, ret->columns.len - 1, value_of(row, ret->columns.len - 1)));
	return whole;
}
