/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <string.h>

#include "ompd/enclosing.h"
#include "unit.h"

/* A text whose line with "HERE" is asked for, and what is around it from the inside out:
 * "LINE-END NAME" with its clauses, iterators, other loops; then what is threadprivate. */
static const struct {
	const char *text, *says;
	enum source_form form;
} texts[] = {
	{ "void f(void) {\n"
	  "#pragma omp parallel private(a)\n"
	  "  {\n"
	  "    g();\n"
	  "#pragma omp for \\\n"
	  "  lastprivate(b) /* all */ \n"
	  "    for (int i = 0; i < n; i++)\n"
	  "      HERE;\n"
	  "  }\n"
	  "}\n",
	  "5-8 for lastprivate(b) loop(i); 2-9 parallel private(a)", SOURCE_C },
	{ "#pragma omp parallel\n{ }\nHERE;\n#pragma omp parallel\n{ }\n", "", SOURCE_C },
	{ "void f() {\n#pragma omp barrier\nHERE;\n}\n", "", SOURCE_C },
	{ "#pragma omp threadprivate(t, u)\nvoid f() {\n#pragma omp task\nHERE;\nh();\n}\n",
	  "3-4 task; tp(t); tp(u)", SOURCE_C },
	{ "#define VARS a, b\n#define LIST private(VARS)\n#pragma omp parallel LIST\nHERE;\n",
	  "3-4 parallel private(a) private(b)", SOURCE_C },
	{ "#ifdef X\n#define HOW private(a)\n#else\n#define HOW shared(a)\n#endif\n"
	  "#pragma omp parallel HOW\nHERE;\n#pragma omp task\n;\n",
	  "6-7 parallel shared(a) several", SOURCE_C },
	{ "#define PAR _Pragma(\"omp parallel for private(tmp)\")\nvoid f()\n{\nPAR\n"
	  "for (i = 0; i < 2; i++) {\nHERE; }\n}",
	  "4-6 parallel for private(tmp) loop(i) macro", SOURCE_C },
	{ "#define DO_PRAGMA(x) _Pragma(#x)\n#define OMP(...) DO_PRAGMA(omp __VA_ARGS__)\n"
	  "void f() { OMP(parallel firstprivate(a, b)) {\nHERE; } }",
	  "3-4 parallel firstprivate(a) firstprivate(b) macro", SOURCE_C },
	{ "_Pragma(\"omp parallel reduction(+:\\\"x\\\" y)\") HERE;", "1-1 parallel", SOURCE_C },
	{ "void f() { [[omp::directive(parallel, private(x))]] { HERE; } }",
	  "1-1 parallel private(x)", SOURCE_C },
	{ "#if 0\n#pragma omp parallel\n{\n#endif\nHERE;\n", "", SOURCE_C },
	{ "#ifndef _OPENMP\n#pragma omp single\n#elif X\n#else\n#endif\n"
	  "#if defined(_OPENMP) /* so */\n#pragma omp task\n#else\n#pragma omp parallel\n#endif\n"
	  "{ HERE; }\n",
	  "7-11 task", SOURCE_C },
	{ "#if !defined _OPENMP\n#pragma omp single\n#else\n#if 1\n#pragma omp task\n#elif Y\n"
	  "#pragma omp parallel\n#else\n#pragma omp parallel\n#endif\n#endif\n{ HERE; }\n",
	  "5-12 task", SOURCE_C },
	{ "#if _OPENMP > 201511\n#pragma omp single\n#else\n#pragma omp task\n#endif\nHERE;\n",
	  "4-6 task several; 2-6 single several", SOURCE_C },
	{ "#ifdef X\nvoid f() {\n#pragma omp task\nHERE; }\n#else\n#endif\n", "3-4 task",
	  SOURCE_C },
	{ "char c = '\\'', *s = \"{\\\"\"; /* { */ // {\n#pragma omp task shared(x)\n"
	  "if (c) { HERE; } else if (d) e(); else { }\nf();\n",
	  "2-3 task shared(x)", SOURCE_C },
	{ "#pragma omp single\ndo { HERE; } while (x);\ny();\n", "1-2 single", SOURCE_C },
	{ "#pragma omp for collapse(2)\nfor (i = 0; i < 2; i++)\nfor (std::it j = b; ;)\n"
	  "for (k = 0;;) {\nHERE; }",
	  "1-5 for loop(i) loop(j)", SOURCE_C },
	{ "#pragma omp declare simd uniform(n)\nint f(int n)\n{\nHERE; }\nint g() { }\n",
	  "1-4 declare simd uniform(n)", SOURCE_C },
	{ "auto s = R\"x(\n#pragma omp parallel\n{ )x\";\nvoid f() {\n#pragma omp target\n"
	  "run([&] {\nHERE; });\n}",
	  "5-7 target", SOURCE_C },
	{ "switch (x) {\ncase 1:\n#pragma omp task\nHERE;\nlabel:\nf();\n}", "3-4 task", SOURCE_C },
	{ "enum e { A, B };\nint v[] = { 1, 2 };\n#pragma omp parallel\n{ int a[] = { 1 };\n"
	  "HERE; }\n",
	  "3-5 parallel", SOURCE_C },
	{ "#pragma omp parallel private(x)\n/* HERE */ \n{ }\n", "1-3 parallel private(x)",
	  SOURCE_C },
	{ "#pragma omp parallel\n{\n", "1-2 parallel", SOURCE_C },
	{ "}}}} HERE ((({", "", SOURCE_C },

	{ "subroutine s\n"
	  "!$omp parallel do private(tmp) &\n"
	  "!$omp& shared(a), &\n"
	  "!$omp   reduction(+:total)\n"
	  "do i = 1, n\n"
	  "  do j = 1, n ; x = 'it''s; ! do'\n"
	  "   HERE\n"
	  "  end do\n"
	  "enddo\n"
	  "!$omp end parallel do\n"
	  "end subroutine\n",
	  "2-9 parallel do private(tmp) shared(a) reduction(total) loop(i) do(j)", SOURCE_FREE },
	{ "!$OMP PARALLEL DEFAULT(NONE)\n!$omp do\ndo i = 1, 2\nend do\n!$omp end do\nHERE\n"
	  "!$omp single\nx = 1\n!$omp end single copyprivate(x)\n!$omp end parallel\n",
	  "1-10 parallel", SOURCE_FREE },
	{ "!$omp single\nHERE = 1\n!$omp end single copyprivate(x)\n", "1-3 single copyprivate(x)",
	  SOURCE_FREE },
	{ "!$omp parallel do\ndo i = 1, 2\n!$omp parallel do\nouter: do j = 1, 2\nend do outer\n"
	  "!$omp end parallel do\nHERE\nend do\n",
	  "1-8 parallel do loop(i)", SOURCE_FREE },
	{ "      subroutine s\n"
	  "c$omp parallel do private(a,\n"
	  "c$omp+  b)\n"
	  "C HERE it is not\n"
	  "      do 10 i = 1, n\n"
	  "      do 10 j = 1, n\n"
	  "      HERE\n"
	  " 10   continue\n"
	  "      end\n",
	  "2-8 parallel do private(a) private(b) loop(i) do(j)", SOURCE_FIXED },
	{ "!$omp parallel do ordered\ndo i = 1, 2\n!$omp ordered\nx = i\n!$omp end ordered\nend "
	  "do\n"
	  "HERE\n",
	  "", SOURCE_FREE },
	{ "!$omp parallel private(a) & ! behind\n\n! between\n!$omp & shared(b) firstpri&\n"
	  "!$omp&vate(c)\nHERE\n!$omp end parallel\n",
	  "1-7 parallel private(a) shared(b) firstprivate(c)", SOURCE_FREE },
	{ "c$omp parallel private(a)\nc     between\n*$OMP+ shared(b)\nc$omp1firstprivate(c)\n"
	  "      HERE\nc$omp end parallel\n",
	  "1-6 parallel private(a) shared(b) firstprivate(c)", SOURCE_FIXED },
	{ "!$omp threadprivate(/blk/, t)\n!$omp parallel\nend subroutine\nHERE\n",
	  "tp(/blk/); tp(t)", SOURCE_FREE },
	{ "!$omp task firstprivate(k)\ndo concurrent (m = 1:2)\nHERE\nend do\n!$omp end task\n",
	  "1-5 task firstprivate(k) do(m)", SOURCE_FREE },
};

static int line_of(const char *text)
{
	const char *here = strstr(text, "HERE;");
	int line = 1;

	here = here ? here : strstr(text, "HERE}");
	here = here ? here : strstr(text, "\n      HERE");
	here = here ? here + (*here == '\n') : strstr(text, "HERE");
	for (const char *p = text; here && p < here; p++)
		line += *p == '\n';
	return here ? line : 2;
}

static void add_names(struct buf *out, const char *what, char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buf_addf(out, " %s(%s)", what, names[i]);
}

static void describe(const struct constructs *all, struct buf *out)
{
	vec_for_each (c, &all->items) {
		buf_addf(out, "%s%d-%d %s", out->len ? "; " : "", c->line, c->end,
			 c->directive.name);
		vec_for_each (row, &c->directive.rows)
			buf_addf(out, " %s(%s)", sharing_names[row->sharing], row->name);
		vec_for_each (loop, &c->loops) {
			if (loop->variable)
				add_names(out, "loop", &loop->variable, 1);
		}
		add_names(out, "do", c->sequential.items, c->sequential.len);
		buf_adds(out, c->from_macro ? " macro" : "");
		buf_adds(out, c->several ? " several" : "");
	}
	vec_for_each (name, &all->threadprivate)
		buf_addf(out, "%stp(%s)", out->len ? "; " : "", *name);
}

START_TEST(what_is_around_a_line)
{
	const char *text = texts[_i].text;
	AUTO_CONSTRUCTS found = { 0 };
	AUTO_BUF said = { 0 };

	ck_assert_no_error(
		enclosing_find(text, strlen(text), texts[_i].form, line_of(text), &found));
	describe(&found, &said);
	ck_assert_str_eq(buf_text(&said), texts[_i].says);
}
END_TEST

/* What decides whether the line with "HERE" is come to, from the outside in. */
static const struct {
	const char *text, *says;
	enum source_form form;
} decisions[] = {
	{ "void g(int a) { if (a) return; }\nvoid f(int n) {\n  for (int i = 0; i < n; i++)\n"
	  "    if (i == b[n]) {\n      HERE;\n    }\n  if (late)\n    return;\n}\n",
	  "3 int i = 0; i < n; i++ | 4 i == b[n]", SOURCE_C },
	{ "void f() {\n  if (early) return;\n  if (passed) g();\n  while (w) if (in) break;\n"
	  "  if (deep) { if (deeper) goto out; }\n  HERE;\n}\n",
	  "2 early | 5 deep | 5 deeper", SOURCE_C },
	{ "void f() {\n  while (w) {\n    if (skip) continue;\n    HERE;\n    if (x) break;\n"
	  "  }\n}\n",
	  "2 w | 3 skip", SOURCE_C },
	{ "void f() {\n  if (a) {\n    g();\n  } else if (b) {\n    HERE;\n  } else if (c)\n"
	  "    h();\n}\n",
	  "2 a | 4 b", SOURCE_C },
	{ "void f() {\n  if (outside) {\n#pragma omp parallel\n    if (inside) {\n"
	  "#pragma omp critical\n      if (x) HERE;\n    }\n  }\n}\n",
	  "4 inside | 6 x", SOURCE_C },
	{ "void f() {\n  if (t != 2)\n  {\n#pragma omp barrier // HERE\n    g();\n  }\n}\n",
	  "2 t != 2", SOURCE_C },
	{ "void f() {\n  while (!flag) { HERE; }\n}\n", "2 !flag", SOURCE_C },
	{ "void f() {\n  switch (kind) {\n  case 1:\n    if (a) break;\n    HERE;\n  }\n  do {\n"
	  "  } while (z);\n}\n",
	  "2 kind | 4 a", SOURCE_C },
	{ "void f() {\n  for (; a;) {\n#pragma omp task\n    for (; b;)\n#pragma omp task\n"
	  "      if (c) HERE;\n  }\n}\n",
	  "6 c", SOURCE_C },
	{ "#if A\nvoid f() {\n  if (a) return;\n#else\nvoid g() {\n#endif\n#ifdef B\n  if (c)\n"
	  "#endif\n#if 1\n  while (d)\n#endif\n    HERE;\n}\n",
	  "3 a (doubtful) | 8 c (doubtful) | 11 d", SOURCE_C },
	{ "namespace n {\nvoid f() { if (a) return; }\nvoid g() {\n  HERE;\n}\n}\n", "", SOURCE_C },

	{ "subroutine s\n  if (outer) then\n!$omp parallel do\n  do i = 1, n\n"
	  "    if (mod(i, 2) == 0) cycle\n    if (a .and. &\n        & b) then\n      HERE\n"
	  "    end if\n  end do\n!$omp end parallel do\n  end if\nend subroutine\n",
	  "4 i = 1, n | 5 mod(i, 2) == 0 | 6 a .and.  b", SOURCE_FREE },
	{ "subroutine s\nif (x) then\n y = 1\nelse if (z) then\n if (q) call h()\n HERE\nend if\n"
	  "end subroutine\n",
	  "2 x | 4 z", SOURCE_FREE },
	{ "subroutine s\nif (gone) then\n return\nendif\nif (passed) then\n y = 1\nendif\n"
	  "do while (w > 0)\nselect case (k)\ncase (1)\n HERE\nend select\nenddo\nend\n",
	  "2 gone | 8 (w > 0) | 9 k", SOURCE_FREE },
	{ "subroutine r\nif (a) return\nend subroutine\nsubroutine s\nif (b) call HERE\nend\n",
	  "5 b", SOURCE_FREE },
	{ "      subroutine s\n      if (a .or.\n     &    b) then\n      do 10 i = 1, n\n"
	  "      HERE\n 10   continue\n      endif\n      end\n",
	  "2 a .or.    b | 4 i = 1, n", SOURCE_FIXED },
};

START_TEST(what_decides_that_a_line_is_come_to)
{
	const char *text = decisions[_i].text;
	AUTO_CONSTRUCTS found = { 0 };
	AUTO_BUF said = { 0 };

	ck_assert_no_error(
		enclosing_find(text, strlen(text), decisions[_i].form, line_of(text), &found));
	vec_for_each (c, &found.conditions)
		buf_addf(&said, "%s%d %s%s", said.len ? " | " : "", c->line, c->text,
			 c->doubtful ? " (doubtful)" : "");
	ck_assert_str_eq(buf_text(&said), decisions[_i].says);
}
END_TEST

START_TEST(the_deepest_text_is_given_up)
{
	AUTO_BUF text = { 0 };
	AUTO_CONSTRUCTS found = { 0 };

	for (int i = 0; i < 100000; i++)
		buf_adds(&text, "#pragma omp parallel\n{\n");
	ck_assert_no_error(enclosing_find(buf_text(&text), text.len, SOURCE_C, 150000, &found));
	ck_assert_uint_le(found.items.len, 256);
}
END_TEST

START_TEST(forms_by_name)
{
	ck_assert_int_eq(enclosing_form("/a/b.F"), SOURCE_FIXED);
	ck_assert_int_eq(enclosing_form("x.f90"), SOURCE_FREE);
	ck_assert_int_eq(enclosing_form("x.cc"), SOURCE_C);
	ck_assert_int_eq(enclosing_form("none"), SOURCE_C);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("enclosing");

	unit_table(s, what_is_around_a_line, texts);
	unit_table(s, what_decides_that_a_line_is_come_to, decisions);
	unit_case(s, "rest", the_deepest_text_is_given_up, forms_by_name);
	return unit_run(s);
}
