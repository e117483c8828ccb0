/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <string.h>

#include "ompd/enclosing.h"
#include "ompd/sharing_rules.h"
#include "unit.h"

/* A text, a line of it, a variable; what becomes of that, and which construct's line says so. */
static const struct {
	const char *text;
	int line;
	struct sharing_variable v;
	const char *sharing;
	int of; /* 0: none */
} rows[] = {
#define C                                                                                          \
	"#pragma omp parallel for private(a) reduction(+:s)\nfor (int i = 0; i < n; i++) {\nf(); " \
	"}"
	{ C, 3, { .name = "a" }, "private", 1 },
	{ C, 3, { .name = "s" }, "reduction(+)", 1 },
	{ C, 3, { .name = "i" }, "private", 1 },
	{ C, 3, { .name = "tmp" }, "shared", 1 },
	{ C, 3, { .name = "in", .line = 3 }, "private", 1 },
	{ C, 3, { .name = "in", .line = 3, .is_static = true }, "shared", 1 },
	{ C, 3, { .name = "t", .is_threadlocal = true }, "threadprivate", 0 },
#undef C
#define C                                                                                          \
	"#pragma omp parallel firstprivate(p)\n{ int q;\n#pragma omp for lastprivate(l)\n"         \
	"for (i = 0; ;) {\n#pragma omp task\n{\nf(); } } }"
	{ C, 7, { .name = "p" }, "firstprivate", 5 },
	{ C, 7, { .name = "x" }, "shared", 5 },
	{ C, 7, { .name = "q", .line = 2 }, "firstprivate", 5 },
	{ C, 7, { .name = "l" }, "firstprivate", 5 },
	{ C, 7, { .name = "i" }, "firstprivate", 5 },
	{ C, 4, { .name = "l" }, "lastprivate", 3 },
	{ C, 4, { .name = "p" }, "firstprivate", 1 },
	{ C, 4, { .name = "i" }, "private", 3 },
	{ C, 4, { .name = "x" }, "shared", 1 },
#undef C
	/* Orphans. */
	{ "#pragma omp for\nfor (i = 0;;) f();", 2, { .name = "x" }, "private", 0 },
	{ "#pragma omp for\nfor (i = 0;;) f();",
	  2,
	  { .name = "x", .is_static = true },
	  "shared",
	  0 },
	{ "#pragma omp for\nfor (i = 0;;) f();",
	  2,
	  { .name = "r", .is_by_reference = true },
	  "",
	  0 },
	{ "#pragma omp task\nf();", 2, { .name = "x" }, "firstprivate", 1 },
	{ "#pragma omp task\nf();", 2, { .name = "x", .is_static = true }, "shared", 1 },
	{ "f();", 1, { .name = "x" }, "private", 0 },

	/* Comments. */
	{ "#pragma omp parallel /* all */ private(x) // shared(x)\nf();",
	  2,
	  { .name = "x" },
	  "private",
	  1 },
	{ "#pragma omp parallel /* in\ntwo lines */ private(x)\nf();",
	  3,
	  { .name = "x" },
	  "private",
	  1 },

	{ "#pragma omp task default(shared)\nf();", 2, { .name = "x" }, "shared", 1 },
	{ "#pragma omp parallel default(none) shared(y)\nf();", 2, { .name = "x" }, "", 1 },
	{ "#pragma omp parallel default(none) shared(y)\nf();", 2, { .name = "y" }, "shared", 1 },
	{ "#pragma omp parallel default(private)\n{\n#pragma omp task\nf(); }",
	  4,
	  { .name = "x" },
	  "firstprivate",
	  3 },
	{ "#pragma omp parallel\n{\n#pragma omp task private(x)\n{\n#pragma omp task\nf(); } }",
	  6,
	  { .name = "x" },
	  "firstprivate",
	  5 },
	{ "#pragma omp parallel\n{\n#pragma omp task\n{\n#pragma omp task\nf(); } }",
	  6,
	  { .name = "x" },
	  "shared",
	  5 },
	{ "#pragma omp simd\nfor (i = 0;;) f();", 2, { .name = "i" }, "linear", 1 },
	{ "#pragma omp simd collapse(2)\nfor (i = 0;;) for (j = 0;;) f();",
	  2,
	  { .name = "j" },
	  "lastprivate",
	  1 },
	{ "#pragma omp loop bind(parallel)\nfor (i = 0;;) f();",
	  2,
	  { .name = "i" },
	  "lastprivate",
	  1 },
	{ "#pragma omp target\nf();", 2, { .name = "x", .is_scalar = true }, "firstprivate", 1 },
	{ "#pragma omp target\nf();", 2, { .name = "x" }, "mapped", 1 },
	{ "#pragma omp target map(x)\nf();", 2, { .name = "x", .is_scalar = true }, "mapped", 1 },
	{ "#pragma omp target map(x)\n{\n#pragma omp task\nf(); }",
	  4,
	  { .name = "x" },
	  "shared",
	  3 },
	{ "#pragma omp target\n{\n#pragma omp task\nf(); }",
	  4,
	  { .name = "n", .is_scalar = true },
	  "firstprivate",
	  3 },
	{ "#pragma omp for firstprivate(x) lastprivate(x)\nfor (;;) f();",
	  2,
	  { .name = "x" },
	  "firstprivate lastprivate",
	  1 },
	{ "#pragma omp parallel private(x)\n{\n#pragma omp single copyprivate(x)\nf(); }",
	  4,
	  { .name = "x" },
	  "private copyprivate",
	  1 },
	{ "#pragma omp threadprivate(t)\n#pragma omp parallel copyin(t)\nf();",
	  3,
	  { .name = "t" },
	  "threadprivate copyin",
	  0 },
	{ "#pragma omp declare simd uniform(n)\nvoid f(int n) {\ng(); }",
	  3,
	  { .name = "n", .line = 2 },
	  "uniform",
	  1 },
};

START_TEST(what_becomes_of_a_variable)
{
	AUTO_CONSTRUCTS around = { 0 };
	AUTO_SHARING_ANSWER a = { 0 };
	AUTO_BUF said = { 0 };

	ck_assert_no_error(enclosing_find(rows[_i].text, strlen(rows[_i].text), SOURCE_C,
					  rows[_i].line, &around));
	ck_assert_no_error(sharing_rules_find(&around, &rows[_i].v, &a));
	for (int i = 0; i < NUM_SHARINGS; i++) {
		if (a.sharing >> i & 1)
			buf_addf(&said, "%s%s", said.len ? " " : "", sharing_names[i]);
	}
	if (a.modifier)
		buf_addf(&said, "(%s)", a.modifier);
	ck_assert_str_eq(buf_text(&said), rows[_i].sharing);
	ck_assert_int_eq(a.construct ? a.construct->line : 0, rows[_i].of);
	ck_assert_uint_gt(a.because.len, 0);
}
END_TEST

/* The directive's, and another. */
static const int lines_of_fortran[] = { 1, 3 };

START_TEST(loops_of_fortran)
{
	static const char text[] = "!$omp parallel private(a)\ndo k = 1, 2\nHERE\nend do\n"
				   "!$omp end parallel\n";
	AUTO_CONSTRUCTS around = { 0 };

	ck_assert_no_error(
		enclosing_find(text, strlen(text), SOURCE_FREE, lines_of_fortran[_i], &around));
	static const char *const names[] = { "K", "A" };
	for (size_t i = 0; i < 2; i++) {
		AUTO_SHARING_ANSWER a = { 0 };
		const struct sharing_variable v = { .name = names[i] };
		ck_assert_no_error(sharing_rules_find(&around, &v, &a));
		ck_assert_uint_eq(a.sharing, 1U << SHARING_PRIVATE);
	}
}
END_TEST

/* Loops in what generates no tasks are those of the region around. */
START_TEST(common_blocks)
{
	static const char text[] = "!$omp parallel private(/BLK/)\ncall f()\n!$omp end parallel\n";
	const struct sharing_variable in = { .name = "x", .common = "blk", .is_static = true };
	const struct sharing_variable out = { .name = "x", .common = "other", .is_static = true };
	AUTO_CONSTRUCTS around = { 0 };
	AUTO_SHARING_ANSWER a = { 0 };
	AUTO_SHARING_ANSWER b = { 0 };

	ck_assert_ptr_null(enclosing_find(text, strlen(text), SOURCE_FREE, 2, &around));
	ck_assert_ptr_null(sharing_rules_find(&around, &in, &a));
	ck_assert_uint_eq(a.sharing, 1U << SHARING_PRIVATE);
	ck_assert_ptr_null(sharing_rules_find(&around, &out, &b));
	ck_assert_uint_eq(b.sharing, 1U << SHARING_SHARED);
}
END_TEST

START_TEST(loops_of_fortran_in_other_constructs)
{
	static const char text[] = "!$omp parallel\n!$omp single\ndo k = 1, 2\nHERE\nend do\n"
				   "!$omp end single\n!$omp end parallel\n";
	const struct sharing_variable v = { .name = "k" };

	for (size_t orphan = 0; orphan < 2; orphan++) {
		const char *from = orphan ? strchr(text, '\n') + 1 : text;
		AUTO_CONSTRUCTS around = { 0 };
		AUTO_SHARING_ANSWER a = { 0 };
		ck_assert_no_error(
			enclosing_find(from, strlen(from), SOURCE_FREE, 4 - (int)orphan, &around));
		ck_assert_no_error(sharing_rules_find(&around, &v, &a));
		ck_assert_uint_eq(a.sharing, 1U << SHARING_PRIVATE);
		ck_assert_int_eq(a.construct ? a.construct->line : 0, orphan ? 0 : 1);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("sharing_rules");

	unit_table(s, what_becomes_of_a_variable, rows);
	unit_table(s, loops_of_fortran, lines_of_fortran);
	unit_case(s, "common_blocks", common_blocks);
	unit_case(s, "fortran_in_other_constructs", loops_of_fortran_in_other_constructs);
	return unit_run(s);
}
