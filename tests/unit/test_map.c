/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/map.h"
#include "unit.h"

START_TEST(an_empty_map_has_nothing)
{
	AUTO_MAP m = { 0 };

	ck_assert_ptr_null(map_find(&m, 0));
	ck_assert_ptr_null(map_get(&m, 1));
	map_for_each (item, &m)
		ck_abort_msg("an empty map has no items");
}
END_TEST

START_TEST(every_key_is_one_even_0)
{
	static const uint64_t keys[] = { 0, 1, UINT64_MAX, UINT64_C(1) << 63, UINT64_C(1) << 32 };
	AUTO_MAP m = { 0 };

	for (size_t i = 0; i < COUNT(keys); i++) {
		ck_assert_ptr_null(map_find(&m, keys[i]));
		map_add(&m, keys[i])->number = (int64_t)i;
	}
	ck_assert_uint_eq(m.len, COUNT(keys));
	for (size_t i = 0; i < COUNT(keys); i++) {
		ck_assert_uint_eq(map_find(&m, keys[i])->key, keys[i]);
		ck_assert_int_eq(map_find(&m, keys[i])->number, (int)i);
	}
}
END_TEST

START_TEST(a_known_key_keeps_its_value)
{
	AUTO_MAP m = { 0 };
	int thing = 0;

	ck_assert_ptr_null(map_add(&m, map_key(&thing))->pointer);
	map_add(&m, map_key(&thing))->pointer = &thing;
	ck_assert_ptr_eq(map_add(&m, map_key(&thing))->pointer, &thing);
	ck_assert_ptr_eq(map_get(&m, map_key(&thing)), &thing);
	ck_assert_uint_eq(m.len, 1);
}
END_TEST

/* Steps between keys, among them those of which many fall into one place. */
static const uint64_t steps[] = { 1, 8, 4096, UINT64_C(1) << 32, UINT64_C(0x9e3779b97f4a7c15) };

START_TEST(a_map_grows_and_forgets_nothing)
{
	enum { N = 3000 };
	AUTO_MAP m = { 0 };
	int64_t sum = 0;

	for (int i = 0; i < N; i++) {
		map_add(&m, (uint64_t)i * steps[_i])->number = i;
		ck_assert_int_eq(map_find(&m, (uint64_t)(i / 2) * steps[_i])->number, i / 2);
		ck_assert_ptr_null(map_find(&m, (uint64_t)(i + 1) * steps[_i]));
	}
	ck_assert_uint_eq(m.len, N);
	ck_assert_uint_ge(m.cap, 2 * N);
	map_for_each (item, &m) {
		ck_assert_uint_eq(item->key, (uint64_t)item->number * steps[_i]);
		sum += item->number;
	}
	ck_assert_int_eq(sum, (int64_t)N * (N - 1) / 2);
}
END_TEST

START_TEST(a_finished_map_is_an_empty_one)
{
	AUTO_MAP m = { 0 };

	map_add(&m, 7)->number = 1;
	map_fini(&m);
	ck_assert_ptr_null(map_find(&m, 7));
	ck_assert_uint_eq(m.len + m.cap, 0);
	ck_assert_int_eq(map_add(&m, 7)->number, 0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("map");

	unit_case(s, "map", an_empty_map_has_nothing, every_key_is_one_even_0,
		  a_known_key_keeps_its_value, a_finished_map_is_an_empty_one);
	unit_table(s, a_map_grows_and_forgets_nothing, steps);
	return unit_run(s);
}
