/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/copies.h"
#include "unit.h"

enum { BASE = 0x400000, SIZE = 256, LOAN = BASE + 128 };

static uint8_t memory[SIZE], original[SIZE];
static struct sites sites;
static struct copies copies;

static size_t read_bytes(void *context, taddr from, void *ret, size_t len)
{
	(void)context;
	if (from < BASE || from >= BASE + SIZE)
		return 0;
	size_t n = BASE + SIZE - from < len ? BASE + SIZE - from : len;
	memcpy(ret, memory + (from - BASE), n);
	return n;
}

static struct error *write_bytes(void *context, taddr to, const void *bytes, size_t len)
{
	(void)context;
	ck_assert(to >= LOAN && to + len <= BASE + SIZE);
	memcpy(memory + (to - BASE), bytes, len);
	return NULL;
}

static void set_up(void)
{
	for (size_t i = 0; i < SIZE; i++)
		original[i] = memory[i] = (uint8_t)(i ^ 0x5a);
	sites = (struct sites){ .read = read_bytes, .write = write_bytes, .arch = &arch_x86_64 };
	copies = (struct copies){ 0 };
	ck_assert_no_error(copies_lend(&copies, LOAN, BASE + SIZE));
}

static void tear_down(void)
{
	copies_fini(&copies);
}

/* mov number(%rip),%eax: six bytes, which depend on where they are. */
static const uint8_t load[] = { 0x8b, 0x05, 0x10, 0, 0, 0 };

static size_t make(taddr at)
{
	return copies_make(&copies, &sites, at, load, sizeof(load));
}

START_TEST(a_copy_leads_to_where_the_original_does)
{
	size_t number = make(BASE);

	ck_assert_uint_ne(number, 0);
	const struct copy *copy = &copies.items[number - 1];
	ck_assert(copy->at >= LOAN && copy->at + copy->size <= BASE + SIZE);
	ck_assert_uint_eq(copy->insn, sizeof(load));
	uint8_t *bytes = memory + (copy->at - BASE);
	int32_t distance;
	memcpy(&distance, bytes + 2, 4);
	ck_assert_uint_eq(copy->at + 6 + (taddr)distance, BASE + 6 + 0x10);
	ck_assert_uint_eq(bytes[6], 0xe9); /* jmp behind the original */
	memcpy(&distance, bytes + 7, 4);
	ck_assert_uint_eq(copy->at + 11 + (taddr)distance, BASE + 6);
}
END_TEST

START_TEST(they_are_hidden_from_whatever_part_is_read)
{
	uint8_t got[SIZE];

	make(BASE);
	make(BASE + 16);
	ck_assert_mem_ne(memory, original, SIZE);
	for (size_t from = 0; from < SIZE; from++) {
		for (size_t len = 1; len <= SIZE - from; len++) {
			memcpy(got, memory + from, len);
			copies_hide(&copies, BASE + from, got, len);
			ck_assert_mem_eq(got, original + from, len);
		}
	}
}
END_TEST

START_TEST(a_place_is_used_again_but_not_one_that_somebody_is_in)
{
	size_t first = make(BASE), second = make(BASE + 16);

	ck_assert_uint_ne(first, second);
	copies_take_out(&copies, &sites, first, false);
	ck_assert_uint_eq(make(BASE + 32), first);
	copies_take_out(&copies, &sites, second, true);
	ck_assert_uint_ne(make(BASE + 16), second);
	copies_remove(&copies, &sites);
	ck_assert_mem_ne(memory, original, SIZE); /* the busy one is left */
}
END_TEST

START_TEST(when_the_loan_is_full_there_is_none)
{
	size_t n = 0;

	while (make(BASE + n))
		ck_assert_uint_lt(++n, SIZE);
	ck_assert_uint_ge(n, 4);
	ck_assert_no_error(copies_lend(&copies, LOAN, BASE + SIZE)); /* lent already */
	ck_assert_uint_eq(make(BASE), 0);
	copies_remove(&copies, &sites);
	ck_assert_mem_eq(memory, original, SIZE);
}
END_TEST

START_TEST(what_is_too_far_away_or_no_memory_is_not_used)
{
	ck_assert_uint_eq(make(BASE + ((taddr)1 << 33)), 0);
	ck_assert_error(copies_lend(&copies, BASE, BASE), ERROR_USAGE, "");
	ck_assert_mem_eq(memory, original, SIZE);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("copies");
	TCase *tc = tcase_create("copies");

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, a_copy_leads_to_where_the_original_does);
	tcase_add_test(tc, they_are_hidden_from_whatever_part_is_read);
	tcase_add_test(tc, a_place_is_used_again_but_not_one_that_somebody_is_in);
	tcase_add_test(tc, when_the_loan_is_full_there_is_none);
	tcase_add_test(tc, what_is_too_far_away_or_no_memory_is_not_used);
	suite_add_tcase(s, tc);
	return unit_run(s);
}
