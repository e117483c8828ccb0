/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The tables of all runtimes that ompdb knows: nothing is forgotten in them, and no row hides
 * another one.
 */
#include "ompd/picture/runtime_ops.h"

#include "ompd/libgomp/libgomp.h"
#include "ompd/libomp/libomp.h"
#include "ompd/runtimes.h"
#include "unit.h"

#define FOR_EACH_RUNTIME(r) for (const struct runtime_ops *const *r = runtimes_known; *r; r++)

START_TEST(each_runtime_has_what_it_must_have)
{
	FOR_EACH_RUNTIME(r)
	{
		ck_assert((*r)->name && (*r)->signs && (*r)->entries && (*r)->detaching);
		ck_assert((*r)->begin && (*r)->is_idle && (*r)->add_tasks && (*r)->holder);
	}
}
END_TEST

START_TEST(no_row_hides_another)
{
	FOR_EACH_RUNTIME(r)
	{
		for (size_t i = 0; (*r)->entries[i]; i++) {
			for (const struct runtime_entry *e = (*r)->entries[i]; e->start; e++)
				ck_assert_msg(runtime_entry(*r, e->start) == e, "%s", e->start);
		}
	}
}
END_TEST

START_TEST(what_has_an_effect_on_a_lock_says_on_which_kind)
{
	FOR_EACH_RUNTIME(r)
	{
		for (size_t i = 0; (*r)->entries[i]; i++) {
			for (const struct runtime_entry *e = (*r)->entries[i]; e->start; e++)
				ck_assert_msg(e->effect == FLOW_NOTHING ||
						      wait_kind_traits(e->kind)->is_lock,
					      "%s", e->start);
		}
	}
}
END_TEST

static const struct {
	const struct runtime_ops *ops;
	const char *name;
	enum wait_kind waits;
	enum flow_effect effect;
	enum span_call calls;
	enum task_point point;
} names[] = {
	{ &libgomp_ops, "GOMP_barrier_cancel", WAIT_BARRIER },
	{ &libomp_ops, "GOMP_barrier", WAIT_BARRIER },
	{ &libomp_ops, "__kmpc_cancel_barrier", WAIT_BARRIER },
	{ &libgomp_ops, "GOMP_parallel_start", WAIT_REGION_END, .calls = SPAN_PARALLEL },
	{ &libomp_ops, "__kmpc_fork_call_if", WAIT_REGION_END, .calls = SPAN_PARALLEL },
	{ &libgomp_ops, "GOMP_critical_name_start", WAIT_CRITICAL, FLOW_TAKE },
	{ &libgomp_ops, "GOMP_critical_name_end", WAIT_RUNTIME, FLOW_GIVE },
	{ &libgomp_ops, "omp_set_lock_", WAIT_LOCK, FLOW_TAKE },
	{ &libomp_ops, "omp_test_nest_lock", WAIT_RUNTIME, FLOW_TRY },
	{ &libomp_ops, "__kmpc_critical_with_hint", WAIT_CRITICAL, FLOW_TAKE },
	{ &libgomp_ops, "GOMP_taskwait_depend", WAIT_DEPENDENCE, .point = POINT_TASKWAIT },
	{ &libgomp_ops, "GOMP_taskgroup_end", WAIT_TASKGROUP, .point = POINT_TASKGROUP },
	{ &libgomp_ops, "GOMP_loop_dynamic_next", WAIT_RUNTIME },
	{ &libgomp_ops, "__kmpc_barrier", WAIT_RUNTIME },
	{ &libgomp_ops, "main", WAIT_RUNTIME },
	{ &libgomp_ops, NULL, WAIT_RUNTIME },
};

START_TEST(names_tell_what_their_functions_do)
{
	const struct runtime_entry *e = runtime_entry(names[_i].ops, names[_i].name);

	ck_assert_int_eq(runtime_entry_wait(e), names[_i].waits);
	ck_assert_int_eq(e ? e->effect : FLOW_NOTHING, names[_i].effect);
	ck_assert_int_eq(e ? e->calls : SPAN_WAITS, names[_i].calls);
	ck_assert_int_eq(e ? e->point : POINT_BARRIER, names[_i].point);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("runtime_ops");
	TCase *all = tcase_create("all");

	tcase_add_test(all, each_runtime_has_what_it_must_have);
	tcase_add_test(all, no_row_hides_another);
	tcase_add_test(all, what_has_an_effect_on_a_lock_says_on_which_kind);
	suite_add_tcase(s, all);
	unit_table(s, names_tell_what_their_functions_do, names);
	return unit_run(s);
}
