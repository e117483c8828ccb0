/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/awaited.h"
#include "unit.h"

/* What stands behind a task in line 2, which ends in line 3; of C++, too: and whether it is waited
 * for. */
static const struct {
	const char *behind;
	bool cxx, awaited;
} texts[] = {
	{ "#pragma omp taskwait\n}\n", true, true },
	{ "h();\n#pragma omp taskwait\n}\n", false, true },
	{ "h();\n#pragma omp taskwait\n}\n", true, false },
	{ "if (x) { h(); } else h();\n_Pragma(\"omp barrier\") }\n", false, true },
	{ "}\n#pragma omp taskwait\n}\n", true, true },
	{ "}\nvoid g(void) {\n#pragma omp taskwait\n}\n", false, false },
	{ "};\n#pragma omp taskwait\n}\n", true, false },
	{ "if (x) {\n#pragma omp taskwait\n}\n}\n", false, false },
	{ "if (x) return;\n#pragma omp taskwait\n}\n", false, false },
	{ "#ifdef WAIT\n#pragma omp taskwait\n#endif\n}\n", false, false },
	{ "#pragma omp taskwait depend(in : x)\n}\n", false, false },
	{ "#pragma omp taskwait", false, true },
	{ "", false, false },
};

START_TEST(a_task_is_waited_for)
{
	const struct awaited_task task = { 2, 3, 0 }, within = { 2, 3, 3 };
	AUTO_BUF text = { 0 };

	buf_addf(&text, "void f(void) { {\n#pragma omp task\ng(1);\n%s", texts[_i].behind);
	ck_assert_int_eq(awaited_is(buf_text(&text), text.len, texts[_i].cxx, &task),
			 texts[_i].awaited);
	ck_assert(!awaited_is(buf_text(&text), text.len, texts[_i].cxx, &within));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("awaited");

	unit_table(s, a_task_is_waited_for, texts);
	return unit_run(s);
}
