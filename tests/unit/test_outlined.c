/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/outlined.h"
#include "unit.h"

static const struct {
	const char *name;
	const char
		*user; /* the user's function that it tells; NULL: it is none of the compiler's */
	const char *construct;
	bool helper;
} names[] = {
	{ "work._omp_fn.0", "work", NULL, false },
	{ "work._omp_fn.0.cold", "work", NULL, false },
	{ "work._omp_cpyfn.3", "work", NULL, true },
	{ "sim::solver::run() [clone ._omp_fn.1]", "sim::solver::run()", NULL, false },
	{ "__mesh_MOD_relax._omp_fn.0", "__mesh_MOD_relax", NULL, false },
	{ ".omp_outlined.", "", NULL, false },
	{ ".omp_outlined._debug__.12", "", NULL, false },
	{ "main.omp_outlined", "main", NULL, false },
	{ "main.omp_outlined_debug__.1", "main", NULL, false },
	{ "_ZN1S3runEv.omp_outlined", "_ZN1S3runEv", NULL, false },
	{ ".omp_task_entry.", "", "task", false },
	{ ".omp_task_entry..4", "", "task", false },
	{ ".omp_task_privates_map.", "", "task", true },
	{ ".omp.reduction.reduction_func", "", NULL, true },
	{ ".omp.copyprivate.copy_func", "", NULL, true },
	{ "__omp_offloading_10_1f_main_l95", "", "target", false },
	{ "main", NULL, NULL, false },
	{ "omp_outlined", NULL, NULL, false },
	{ "work_omp_fn", NULL, NULL, false },
	{ "", NULL, NULL, false },
};

START_TEST(names_tell_the_function_and_the_construct)
{
	struct outlined found = { 0 };
	bool is_outlined = outlined_parse(names[_i].name, &found);

	ck_assert_int_eq(is_outlined, names[_i].user != NULL);
	if (!is_outlined)
		return;
	ck_assert_uint_eq(found.len, strlen(names[_i].user));
	ck_assert_int_eq(strncmp(names[_i].name, names[_i].user, found.len), 0);
	ck_assert_pstr_eq(found.construct, names[_i].construct);
	ck_assert_int_eq(found.helper, names[_i].helper);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("outlined");

	unit_table(s, names_tell_the_function_and_the_construct, names);
	return unit_run(s);
}
