/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <string.h>

#include "ompd/clauses.h"
#include "unit.h"

/* A directive as one line: its name, default, loops, then each row. */
static const struct {
	const char *text, *says;
} directives[] = {
	{ " parallel", "parallel" },
	{ " parallel for simd private(a, b) collapse( 2 )",
	  "parallel for simd; 2 loops; private a; private b" },
	{ " target teams distribute parallel do map(always, tofrom: x(1:n), y) shared(z)",
	  "target teams distribute parallel do; 1 loops; mapped x [tofrom]; mapped y [tofrom]; "
	  "shared z" },
	{ " for reduction(inscan, +: sum , arr[0:n]) lastprivate(conditional: last)",
	  "for; 1 loops; reduction sum [+]; reduction arr [+]; lastprivate last [conditional]" },
	{ " parallel reduction(ns::add : s) default(none)",
	  "parallel; default none; reduction s [ns::add]" },
	{ " parallel private(space::inner::n, ::g)",
	  "parallel; private space::inner::n; private ::g" },
	{ " simd linear(val(i): 2) linear(j) linear(k:1)",
	  "simd; 1 loops; linear i; linear j; linear k" },
	{ " parallel default(firstprivate) firstprivate(a) private(a)",
	  "parallel; default firstprivate; firstprivate a; private a" },
	{ " PARALLEL DO DEFAULT(SHARED) PRIVATE(X)", "parallel do; default shared; 1 loops; "
						     "private X" },
	{ " threadprivate(a, /blk/)",
	  "threadprivate; alone; threadprivate a; threadprivate /blk/" },
	{ " declare simd uniform(n) linear(i:1)", "declare simd; 1 loops; uniform n; linear i" },
	{ " declare target", "declare target; alone" },
	{ " single copyprivate(x), nowait", "single; copyprivate x" },
	{ " parallel copyin(t) num_threads(f(private(x), 4)) if(parallel: a(1, 2))",
	  "parallel; copyin t" },
	{ " task in_reduction(+: r) depend(in: private)", "task; reduction r [+]" },
	{ " barrier", "barrier; alone" },
	{ " taskloop grainsize(2) private(p)", "taskloop; 1 loops; private p" },
	{ " parallel private(", "parallel" },
	{ " parallel private(a", "parallel; private a" },
	{ " parallel )(private))) , private(b)", "parallel; private b" },
	{ " for ordered(3) collapse(99999)", "for; 64 loops; ordered" },
	{ " for ordered(2) schedule( monotonic :\t dynamic,  4 )",
	  "for; 2 loops; 1 in one; schedule monotonic : dynamic, 4; ordered" },
	{ " for ordered collapse(N) schedule()", "for; 1 loops; 0 in one; schedule ; ordered" },
	{ "", "; alone" },
	{ " formula", "; alone" },
};

static void describe(const struct directive *d, struct buf *out)
{
	buf_adds(out, d->name);
	if (d->parts & DIRECTIVE_ALONE)
		buf_adds(out, "; alone");
	if (d->is_none)
		buf_adds(out, "; default none");
	for (int i = 0; i < NUM_SHARINGS; i++) {
		if (d->sharing >> i & 1)
			buf_addf(out, "; default %s", sharing_names[i]);
	}
	if (d->loops)
		buf_addf(out, "; %u loops", d->loops);
	if (d->loops != d->collapse)
		buf_addf(out, "; %u in one", d->collapse);
	if (d->schedule)
		buf_addf(out, "; schedule %s", d->schedule);
	if (d->ordered)
		buf_adds(out, "; ordered");
	vec_for_each (row, &d->rows) {
		buf_addf(out, "; %s %s", sharing_names[row->sharing], row->name);
		if (row->modifier)
			buf_addf(out, " [%s]", row->modifier);
	}
}

START_TEST(what_a_directive_says)
{
	struct directive d;
	AUTO_BUF said = { 0 };

	ck_assert_ptr_null(directive_parse(directives[_i].text, strlen(directives[_i].text), &d));
	describe(&d, &said);
	ck_assert_str_eq(buf_text(&said), directives[_i].says);
	directive_fini(&d);
}
END_TEST

START_TEST(of_a_name)
{
	static const char text[] = "parallel firstprivate(a) lastprivate(a) reduction(max: m) "
				   "private(space::n)";
	const char *modifier;
	struct directive d;

	ck_assert_ptr_null(directive_parse(text, strlen(text), &d));
	ck_assert_uint_eq(directive_sharing(&d, "a", false, &modifier),
			  1U << SHARING_FIRSTPRIVATE | 1U << SHARING_LASTPRIVATE);
	ck_assert_ptr_null(modifier);
	ck_assert_uint_eq(directive_sharing(&d, "m", false, &modifier), 1U << SHARING_REDUCTION);
	ck_assert_str_eq(modifier, "max");
	ck_assert_uint_eq(directive_sharing(&d, "M", false, &modifier), 0);
	ck_assert_uint_eq(directive_sharing(&d, "M", true, &modifier), 1U << SHARING_REDUCTION);
	ck_assert_uint_eq(directive_sharing(&d, "space::n", false, &modifier),
			  1U << SHARING_PRIVATE);
	ck_assert_uint_eq(directive_sharing(&d, "n", false, &modifier), 1U << SHARING_PRIVATE);
	ck_assert_uint_eq(directive_sharing(&d, "::n", false, &modifier), 0);
	ck_assert_uint_eq(directive_sharing(&d, "e::n", false, &modifier), 0);
	directive_fini(&d);
}
END_TEST

/* A clause, and whether what it names begins behind the first element. */
static const struct {
	const char *text;
	bool inside;
} sections[] = {
	{ "for reduction(+: a)", false },         { "for reduction(+: a[:n])", false },
	{ "for reduction(+: a[ 0 :n])", false },  { "for reduction(+: a[1:n])", true },
	{ "for reduction(+: a[f(x[0])])", true }, { "for reduction(+: a[0:2][k:1])", true },
	{ "for reduction(+: a[ 0 ])", false },    { "for reduction(+: a[1:", true },
	{ "for reduction(+: a[", false },
};

START_TEST(of_a_section)
{
	struct directive d;

	ck_assert_ptr_null(directive_parse(sections[_i].text, strlen(sections[_i].text), &d));
	ck_assert_uint_eq(d.rows.len, 1);
	ck_assert_int_eq(d.rows.items[0].inside, sections[_i].inside);
	directive_fini(&d);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("clauses");

	unit_table(s, what_a_directive_says, directives);
	unit_case(s, "names", of_a_name);
	unit_table(s, of_a_section, sections);
	return unit_run(s);
}
