/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/name_hits.h"

#include "unit.h"

/* Strings at 0, 1, 6, 15, 25. */
static const char strings[] = "\0main\0homework\0work<int>\0workers";
static size_t passed;

static void note_passed(void *context, struct cursor bytes)
{
	ck_assert_ptr_eq(context, &passed);
	passed += cursor_left(&bytes);
}

static struct name_sections sections_of(const void *info, size_t len)
{
	return (struct name_sections){
		.info = cursor_of(info, len),
		.str = cursor_of(strings, sizeof(strings)),
		.passed = note_passed,
		.context = &passed,
	};
}

static struct name_hits found, offsets;

static void tear_down(void)
{
	name_hits_fini(&found);
	name_hits_fini(&offsets);
}

START_TEST(references_to_a_name_are_found)
{
	static const uint8_t info[] = { 9, 1, 0, 0, 0, 9, 25, 0, 0, 0, 1, 0, 0 };
	struct name_sections s = sections_of(info, sizeof(info));

	passed = 0;
	ck_assert(name_hits_find(&s, "main", 4, &found, &offsets));
	ck_assert_uint_eq(found.len, 1);
	ck_assert_uint_eq(found.items[0], 1);
	ck_assert_uint_eq(passed, sizeof(strings) + 2 * sizeof(info));
}
END_TEST

START_TEST(the_end_of_a_longer_name_and_instances_of_a_template_count)
{
	static const uint8_t info[] = { 10, 0, 0, 0, 7, 15, 0, 0, 0, 25, 0, 0, 0 };
	struct name_sections s = sections_of(info, sizeof(info));

	ck_assert(name_hits_find(&s, "work", 4, &found, &offsets));
	ck_assert_uint_eq(found.len, 2);
	ck_assert_uint_eq(found.items[0], 0);
	ck_assert_uint_eq(found.items[1], 5);
}
END_TEST

START_TEST(names_that_lie_in_the_entries_are_found)
{
	struct name_sections s = sections_of("\3f\0\1f<int>\0\1ff", 15);

	ck_assert(name_hits_find(&s, "f", 1, &found, &offsets));
	ck_assert_uint_eq(found.len, 3);
	ck_assert_uint_eq(found.items[0], 1);
	ck_assert_uint_eq(found.items[1], 4);
	ck_assert_uint_eq(found.items[2], 13);
}
END_TEST

START_TEST(offsets_of_strings_are_found)
{
	static const uint8_t table[] = { 8, 0, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0 };
	struct name_sections s = sections_of(NULL, 0);

	s.str_offsets = cursor_of(table, sizeof(table));
	ck_assert(name_hits_find(&s, "main", 4, &found, &offsets));
	ck_assert_uint_eq(found.len, 0);
	ck_assert_uint_eq(offsets.len, 1);
	ck_assert_uint_eq(offsets.items[0], 8);
}
END_TEST

START_TEST(nothing_is_lost_where_stretches_meet)
{
	enum { SIZE = 9 << 20, STRETCH = 4 << 20 };
	uint8_t *info = calloc(SIZE, 1);
	struct name_sections s = sections_of(info, SIZE);

	for (size_t i = 0; i < 4; i++)
		memcpy(info + STRETCH - 3 + 5 * i, "xyz", 4);
	memcpy(info + SIZE - 4, "xyz", 4);
	ck_assert(name_hits_find(&s, "xyz", 3, &found, &offsets));
	ck_assert_uint_eq(found.len, 5);
	ck_assert_uint_eq(found.items[0], STRETCH - 3);
	ck_assert_uint_eq(found.items[4], SIZE - 4);
	free(info);
}
END_TEST

START_TEST(of_many_numbers_each_is_found)
{
	enum { N = 3000 };
	uint32_t numbers[N], info[N] = { 0 };
	struct name_sections s = sections_of(info, sizeof(info));

	for (uint32_t i = 0; i < N; i++) {
		numbers[i] = 0x01020304 + i * 0x10001;
		info[N - 1 - i] = numbers[i];
	}
	ck_assert(name_hits_find_numbers(&s, s.info, numbers, N, &found));
	ck_assert_uint_ge(found.len, N);
	for (size_t i = 0, at = 0; i < N; i++) {
		while (at < found.len && found.items[at] < 4 * i)
			at++;
		ck_assert_uint_eq(found.items[at], 4 * i);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("name_hits");
	TCase *tc = tcase_create("name_hits");

	suite_add_tcase(s, tc);
	tcase_add_checked_fixture(tc, NULL, tear_down);
	tcase_add_test(tc, references_to_a_name_are_found);
	tcase_add_test(tc, the_end_of_a_longer_name_and_instances_of_a_template_count);
	tcase_add_test(tc, names_that_lie_in_the_entries_are_found);
	tcase_add_test(tc, offsets_of_strings_are_found);
	tcase_add_test(tc, nothing_is_lost_where_stretches_meet);
	tcase_add_test(tc, of_many_numbers_each_is_found);
	return unit_run(s);
}
