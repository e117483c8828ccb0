/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/outlined.h"
#include "unit.h"

static const struct {
	const char *name;
	const char
		*user; /* the user's function that it tells; NULL: it is none of the compiler's */
	const char *construct;
} names[] = {
	{ "work._omp_fn.0", "work", NULL },
	{ "work._omp_fn.0.cold", "work", NULL },
	{ "work._omp_cpyfn.3", "work", NULL },
	{ "sim::solver::run() [clone ._omp_fn.1]", "sim::solver::run()", NULL },
	{ "__mesh_MOD_relax._omp_fn.0", "__mesh_MOD_relax", NULL },
	{ ".omp_outlined.", "", NULL },
	{ ".omp_outlined._debug__.12", "", NULL },
	{ "main.omp_outlined", "main", NULL },
	{ "main.omp_outlined_debug__.1", "main", NULL },
	{ "_ZN1S3runEv.omp_outlined", "_ZN1S3runEv", NULL },
	{ ".omp_task_entry.", "", "task" },
	{ ".omp_task_entry..4", "", "task" },
	{ ".omp_task_privates_map.", "", "task" },
	{ ".omp.reduction.reduction_func", "", NULL },
	{ ".omp.copyprivate.copy_func", "", NULL },
	{ "__omp_offloading_10_1f_main_l95", "main", "target" },
	{ "__omp_offloading_10_1f_main_l95_debug__", "main", "target" },
	{ "__omp_offloading_10_1f_main_l95_debug__.omp_outlined", "main", NULL },
	{ "__omp_offloading_fe00_aa2567_to_line_l7.omp_outlined_debug__", "to_line", NULL },
	{ "__omp_offloading_fe00_aa2567__ZN1S3runEv_l95_1", "_ZN1S3runEv", "target" },
	{ "__omp_offloading_fe00_aa2567_a_l1_l95", "a_l1", "target" },
	{ "__omp_offloading_main_l95", "", "target" },
	{ "__omp_offloading_10_1f_l95", "", "target" },
	{ "__omp_offloading_10_1f__l95", "", "target" },
	{ "__omp_offloading_", "", "target" },
	{ "main", NULL, NULL },
	{ "omp_outlined", NULL, NULL },
	{ "work_omp_fn", NULL, NULL },
	{ "", NULL, NULL },
};

START_TEST(names_tell_the_function_and_the_construct)
{
	struct outlined found = { 0 };
	bool is_outlined = outlined_parse(names[_i].name, &found);

	ck_assert_int_eq(is_outlined, names[_i].user != NULL);
	if (!is_outlined)
		return;
	ck_assert_uint_eq(found.len, strlen(names[_i].user));
	ck_assert_int_eq(strncmp(found.user, names[_i].user, found.len), 0);
	ck_assert_pstr_eq(found.construct, names[_i].construct);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("outlined");

	unit_table(s, names_tell_the_function_and_the_construct, names);
	return unit_run(s);
}
