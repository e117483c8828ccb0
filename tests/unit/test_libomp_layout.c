/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The layout words of libomp: which numbers they may be, and where they are in memory. */
#include "unit.h"

#include "ompd/libomp/libomp_layout.h"

enum { WORDS = LIBOMP_LAYOUT_WORDS, MEMORY = 1000 };

static bool begins(const char *name, const char *prefix)
{
	return !strncmp(name, prefix, strlen(prefix));
}

static size_t word_of(const char *name)
{
	size_t word = 0;

	while (strcmp(libomp_layout_name(word), name) != 0)
		ck_assert_uint_lt(++word, WORDS);
	return word;
}

/* Any number that the word may be. */
static uint64_t some_value(size_t word)
{
	static const uint64_t tried[] = { 8, 4, 1 };

	for (size_t i = 0; i < COUNT(tried); i++) {
		if (libomp_layout_fits(word, tried[i]))
			return tried[i];
	}
	ck_abort_msg("%s may be nothing", libomp_layout_name(word));
}

/* Words at "first" of memory that holds other numbers elsewhere. */
static void put_words(uint64_t memory[MEMORY], const struct libomp_layout_place *place)
{
	for (size_t i = 0; i < MEMORY; i++)
		memory[i] = 0x7f0000001000 + i;
	for (size_t i = 0; i < WORDS; i++)
		memory[libomp_layout_index(place, i)] = some_value(i);
}

static const struct libomp_layout_place places[] = {
	{ 0, 1 },          { 317, 1 },  { MEMORY - WORDS, 1 },
	{ WORDS - 1, -1 }, { 400, -1 }, { MEMORY - 1, -1 },
};

START_TEST(words_are_found_in_either_direction)
{
	uint64_t memory[MEMORY];
	struct libomp_layout_place found;
	size_t next;

	put_words(memory, &places[_i]);
	ck_assert(libomp_layout_find(memory, MEMORY, 0, &found, &next));
	ck_assert_uint_eq(found.first, places[_i].first);
	ck_assert_int_eq(found.step, places[_i].step);
	ck_assert(!libomp_layout_find(memory, MEMORY, next, &found, &next));
	/* The last one is not there. */
	size_t last = found.step > 0 ? found.first + WORDS - 1 : found.first;
	ck_assert(!libomp_layout_find(memory, last, 0, &found, &next));
}
END_TEST

START_TEST(one_word_that_cannot_be_is_enough)
{
	uint64_t memory[MEMORY];
	struct libomp_layout_place found, place = { 300, _i ? -1 : 1 };
	size_t next;

	for (size_t i = 0; i < WORDS; i++) {
		put_words(memory, &place);
		memory[libomp_layout_index(&place, i)] = 0x7f0000001000;
		ck_assert_msg(!libomp_layout_find(memory, MEMORY, 0, &found, &next), "%s",
			      libomp_layout_name(i));
	}
}
END_TEST

START_TEST(memory_of_equal_numbers_has_no_words)
{
	uint64_t memory[MEMORY];
	struct libomp_layout_place found;
	size_t next;

	for (uint64_t value = 0; value < 20; value++) {
		for (size_t i = 0; i < MEMORY; i++)
			memory[i] = value;
		ck_assert(!libomp_layout_find(memory, MEMORY, 0, &found, &next));
	}
	ck_assert(!libomp_layout_find(memory, 0, 0, &found, &next));
	ck_assert(!libomp_layout_find(memory, MEMORY, MEMORY + 5, &found, &next));
}
END_TEST

START_TEST(names_are_those_of_libomp)
{
	size_t access = 0, size = 0, bit = 0;

	for (size_t i = 0; i < WORDS; i++) {
		const char *name = libomp_layout_name(i);
		access += begins(name, "ompd_access__");
		size += begins(name, "ompd_sizeof__");
		bit += begins(name, "ompd_bitfield__");
		for (size_t other = 0; other < i; other++)
			ck_assert_str_ne(name, libomp_layout_name(other));
	}
	ck_assert_uint_eq(access, 54);
	ck_assert_uint_eq(size, 54 + 26);
	ck_assert_uint_eq(bit, 11);
	/* Two underscores of the list, two of the name. */
	ck_assert_uint_eq(word_of("ompd_sizeof____kmp_gtid"), WORDS - 2);
	ck_assert_uint_eq(word_of("ompd_access__kmp_base_info_t__th_current_task"), 0);
}
END_TEST

START_TEST(values_are_bounded)
{
	static const struct {
		const char *name;
		uint64_t value;
		bool fits;
	} cases[] = {
		{ "ompd_access__kmp_info_t__th", 0, true },
		{ "ompd_access__kmp_info_t__th", 0x3fff, true },
		{ "ompd_access__kmp_info_t__th", 0x4000, false },
		{ "ompd_access__kmp_info_t__th", UINT64_MAX, false },
		{ "ompd_sizeof__char", 1, true },
		{ "ompd_sizeof__char", 2, false },
		{ "ompd_sizeof__int", 4, true },
		{ "ompd_sizeof__int", 8, false },
		{ "ompd_sizeof__kmp_info_t", 0, false },
		{ "ompd_sizeof__kmp_info_t", 0x4000, true },
		{ "ompd_sizeof__kmp_info_t", 0x4001, false },
		{ "ompd_sizeof__kmp_desc_base_t__ds_thread", 8, true },
		{ "ompd_sizeof__kmp_desc_base_t__ds_thread", 4, false },
		{ "ompd_bitfield__kmp_tasking_flags_t__final", 0, false },
		{ "ompd_bitfield__kmp_tasking_flags_t__final", 1, true },
		{ "ompd_bitfield__kmp_tasking_flags_t__final", 3, false },
		{ "ompd_bitfield__kmp_tasking_flags_t__final", 1U << 31, true },
		{ "ompd_bitfield__kmp_tasking_flags_t__final", UINT64_C(1) << 32, false },
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		ck_assert_msg(libomp_layout_fits(word_of(cases[i].name), cases[i].value) ==
				      cases[i].fits,
			      "row %zu", i);
}
END_TEST

START_TEST(the_way_to_the_pthread_is_a_sum)
{
	uint64_t values[WORDS] = { 0 };

	values[word_of("ompd_access__kmp_info_t__th")] = 1000;
	values[word_of("ompd_access__kmp_base_info_t__th_info")] = 200;
	values[word_of("ompd_access__kmp_desc_t__ds")] = 30;
	values[word_of("ompd_access__kmp_desc_base_t__ds_thread")] = 4;
	ck_assert_uint_eq(libomp_layout_pthread(values), 1234);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("libomp_layout");

	unit_table(s, words_are_found_in_either_direction, places);
	TCase *directions = tcase_create("directions");
	suite_add_tcase(s, directions);
	tcase_add_loop_test(directions, one_word_that_cannot_be_is_enough, 0, 2);
	unit_case(s, "find", memory_of_equal_numbers_has_no_words);
	unit_case(s, "words", names_are_those_of_libomp, values_are_bounded,
		  the_way_to_the_pthread_is_a_sum);
	return unit_run(s);
}
