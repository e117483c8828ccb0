/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdio.h>

#include "target/process/memory.h"
#include "unit.h"

/* A target whose byte at each address follows from the address; some of its pages are there. */
struct fake {
	taddr first, last; /* addresses of the first and the last page that are there */
	taddr hole;        /* address of a page between them that is not, 0: none      */
	unsigned int calls;
	taddr last_from; /* of the last call */
	size_t last_len;
	bool lies; /* claims to have read more than there was room for */
	bool torn; /* gets only half of the page behind the hole's start */
};

static uint8_t byte_at(taddr addr)
{
	uint64_t x = (addr + 1) * UINT64_C(0x9e3779b97f4a7c15);

	return (uint8_t)(x >> 56 | 1); /* never 0: strings end where a test puts their end */
}

static bool is_there(const struct fake *f, taddr page)
{
	return page >= f->first && page <= f->last && (!f->hole || page != f->hole);
}

static size_t fake_read(void *context, taddr from, void *ret, size_t len)
{
	struct fake *f = context;
	size_t done = 0;

	ck_assert_uint_eq(from % MEMORY_PAGE, 0);
	ck_assert_uint_gt(len, 0);
	ck_assert_uint_eq(len % MEMORY_PAGE, 0);
	ck_assert_msg(from + (len - 1) >= from, "a read around the end of the address space");
	f->calls++;
	f->last_from = from;
	f->last_len = len;
	for (; done < len && is_there(f, from + done); done += MEMORY_PAGE) {
		for (size_t i = 0; i < MEMORY_PAGE; i++)
			((uint8_t *)ret)[done + i] = byte_at(from + done + i);
	}
	if (f->torn && done < len)
		done += MEMORY_PAGE / 2;
	return f->lies ? done + 1000 * MEMORY_PAGE : done;
}

enum { FIRST = 0x100000, PAGES = 64 };

static struct fake fake;
static struct memory *memory;

static void set_up(void)
{
	fake = (struct fake){ .first = FIRST, .last = FIRST + (PAGES - 1) * MEMORY_PAGE };
	memory = memory_new(fake_read, &fake, MEMORY_PAGE);
	ck_assert_ptr_nonnull(memory);
}

static void tear_down(void)
{
	memory_free(memory);
}

/* The first byte that is not what the target has there; len: all are. Steps grow by "widen". */
static size_t first_wrong(const uint8_t *bytes, taddr from, size_t len, size_t step, size_t widen)
{
	size_t i = 0;

	while (i < len && bytes[i] == byte_at(from + i))
		i += step + (widen ? i / widen : 0);
	return i < len ? i : len;
}

/* One assertion for all bytes: each costs a message to the test's parent. */
static void check_bytes(const uint8_t *bytes, taddr from, size_t len, size_t step, size_t widen)
{
	size_t wrong = first_wrong(bytes, from, len, step, widen);

	ck_assert_msg(wrong == len, "byte %zu of a read at 0x%" PRIxTADDR, wrong, from);
}

static void check_read(taddr from, size_t len)
{
	AUTO_FREE uint8_t *bytes = malloc(len + 1);

	bytes[len] = 0xee;
	ck_assert_no_error(memory_read(memory, from, bytes, len));
	check_bytes(bytes, from, len, 1, 0);
	ck_assert_int_eq(bytes[len], 0xee);
	memset(bytes, 0, len);
	ck_assert(memory_try_read(memory, from, bytes, len));
	check_bytes(bytes, from, len, 1, 0);
}

START_TEST(reads_of_every_alignment_and_size_are_right)
{
	static const size_t sizes[] = { 0, 1, 2, 7, 8, 9, 16, 4095, 4096, 4097, 8192, 20000 };

	for (size_t i = 0; i < COUNT(sizes); i++) {
		for (taddr at = FIRST + 4080; at < FIRST + 4112; at++)
			check_read(at, sizes[i]);
		check_read(FIRST, sizes[i]);
		check_read(FIRST + PAGES * MEMORY_PAGE - sizes[i], sizes[i]);
	}
}
END_TEST

START_TEST(preparing_reads_nothing_and_forgets_nothing)
{
	static const size_t sizes[] = { 0, 1, 100, (size_t)1 << 40 };

	check_read(FIRST, 8);
	unsigned int calls = fake.calls;
	for (size_t i = 0; i < COUNT(sizes); i++)
		memory_prepare(memory, sizes[i]);
	check_read(FIRST, 8);
	ck_assert_uint_eq(fake.calls, calls);
}
END_TEST

START_TEST(a_page_is_fetched_once_with_the_one_behind_it)
{
	for (taddr at = FIRST; at < FIRST + 2 * MEMORY_PAGE; at += 8)
		check_read(at, 8);
	ck_assert_uint_eq(fake.calls, 1);
	ck_assert_uint_eq(fake.last_from, FIRST);
	ck_assert_uint_eq(fake.last_len, 2 * MEMORY_PAGE);
}
END_TEST

START_TEST(a_long_read_is_one_call)
{
	check_read(FIRST + 100, 30 * MEMORY_PAGE);
	ck_assert_uint_eq(fake.calls, 1);
	ck_assert_uint_eq(fake.last_len, 31 * MEMORY_PAGE);
}
END_TEST

START_TEST(a_run_stops_at_pages_that_are_cached)
{
	check_read(FIRST + 5 * MEMORY_PAGE, 8);
	check_read(FIRST, 10 * MEMORY_PAGE);
	ck_assert_uint_eq(fake.calls, 3); /* page 5 with 6, then 0 to 4, then 7 to 9 */
	ck_assert_uint_eq(fake.last_from, FIRST + 7 * MEMORY_PAGE);
	ck_assert_uint_eq(fake.last_len, 3 * MEMORY_PAGE);
	check_read(FIRST + 4 * MEMORY_PAGE, 8);
	ck_assert_uint_eq(fake.calls, 3);
}
END_TEST

START_TEST(flush_forgets_everything)
{
	uint64_t word;

	check_read(FIRST, 8);
	ck_assert(!memory_try_read(memory, 0, &word, 8));
	unsigned int calls = fake.calls;
	memory_flush(memory);
	check_read(FIRST, 8);
	ck_assert_uint_eq(fake.calls, calls + 1);
	fake.first = 0;
	ck_assert(memory_try_read(memory, 0, &word, 8));
	fake.last = 0;
	memory_flush(memory);
	ck_assert(!memory_try_read(memory, FIRST, &word, 8));
}
END_TEST

/* Of few lines as of many, which the table has to grow for, in any order. */
START_TEST(flush_forgets_many_and_few_alike)
{
	static const size_t sizes[] = { 1, 900, 1, 3000, 1, 1100, 1 };
	uint64_t word;

	for (size_t n = 0; n < sizeof(sizes) / sizeof(*sizes); n++) {
		fake.last = FIRST + 3000 * MEMORY_PAGE;
		for (size_t i = 0; i < sizes[n]; i++)
			ck_assert(memory_try_read(memory, FIRST + i * MEMORY_PAGE, &word, 8));
		unsigned int calls = fake.calls;
		ck_assert(memory_try_read(memory, FIRST, &word, 8));
		ck_assert_uint_eq(fake.calls, calls);
		fake.last = 0;
		memory_flush(memory);
		for (size_t i = 0; i < sizes[n]; i++)
			ck_assert(!memory_try_read(memory, FIRST + i * MEMORY_PAGE, &word, 8));
		memory_flush(memory);
	}
}
END_TEST

/* In bytes (proc(5), /proc/PID/statm). */
static size_t resident(void)
{
	size_t size, pages;
	FILE *f = fopen("/proc/self/statm", "r");

	ck_assert_ptr_nonnull(f);
	ck_assert_int_eq(fscanf(f, "%zu %zu", &size, &pages), 2);
	fclose(f);
	return pages * MEMORY_PAGE;
}

START_TEST(release_forgets_everything_and_gives_the_room_back)
{
	enum { MUCH = 4000 };

	check_read(FIRST, 8);
	unsigned int calls = fake.calls;
	memory_prepare(memory, (size_t)MUCH * MEMORY_PAGE);
	size_t before = resident();
	memory_release(memory);
	if (before > (size_t)MUCH * MEMORY_PAGE) /* Linux before 5.14 prepares nothing */
		ck_assert_uint_lt(resident(), before - (size_t)MUCH / 2 * MEMORY_PAGE);
	check_read(FIRST, 8);
	ck_assert_uint_eq(fake.calls, calls + 1);
}
END_TEST

START_TEST(what_is_written_is_read_without_a_new_fetch)
{
	const taddr at = FIRST + MEMORY_PAGE - 3; /* over the end of a page */
	uint8_t bytes[6] = { 1, 2, 3, 4, 5, 6 }, got[6];

	check_read(FIRST, 2 * MEMORY_PAGE);
	unsigned int calls = fake.calls;
	memory_update(memory, at, bytes, sizeof(bytes));
	ck_assert(memory_try_read(memory, at, got, sizeof(got)));
	ck_assert_mem_eq(got, bytes, sizeof(got));
	check_read(FIRST, MEMORY_PAGE - 3);
	check_read(at + sizeof(bytes), 100);
	ck_assert_uint_eq(fake.calls, calls);
	/* What is not cached stays so. */
	memory_update(memory, FIRST + 10 * MEMORY_PAGE, bytes, sizeof(bytes));
	check_read(FIRST + 10 * MEMORY_PAGE, 8);
	ck_assert_uint_eq(fake.calls, calls + 1);
}
END_TEST

#define END  (FIRST + (taddr)PAGES * MEMORY_PAGE)
#define HOLE (FIRST + (taddr)20 * MEMORY_PAGE)
static const struct {
	taddr from;
	size_t len;
	taddr bad;
} missing[] = {
	{ 0, 8, 0 },
	{ 8, 1, 8 },
	{ FIRST - 1, 1, FIRST - 1 },
	{ FIRST - 1, 2, FIRST - 1 },
	{ END, 1, END },
	{ END - 1, 2, END },
	{ END - 8, 9, END },
	{ END - 3 * MEMORY_PAGE, 4 * MEMORY_PAGE, END },
	{ HOLE + 123, 8, HOLE + 123 },
	{ HOLE - 4, 8, HOLE },
	{ FIRST, 40 * MEMORY_PAGE, HOLE },
	{ UINT64_MAX, 1, UINT64_MAX },
	{ UINT64_MAX - 7, 8, UINT64_MAX - 7 },
	{ UINT64_MAX - 3, 8, UINT64_MAX - 3 },
	{ UINT64_MAX - 3, 3 * MEMORY_PAGE, UINT64_MAX - 3 },
};

START_TEST(an_error_names_the_first_address_that_is_missing)
{
	AUTO_FREE uint8_t *bytes = malloc(missing[_i].len);
	char text[64];

	fake.hole = HOLE;
	snprintf(text, sizeof(text), "no memory at 0x%" PRIxTADDR, missing[_i].bad);
	for (int again = 0; again < 2; again++) {
		struct error *err = memory_read(memory, missing[_i].from, bytes, missing[_i].len);
		ck_assert_ptr_nonnull(err);
		ck_assert_str_eq(error_message(err), text);
		ck_assert_error(err, ERROR_NO_ADDRESS, "");
		ck_assert(!memory_try_read(memory, missing[_i].from, bytes, missing[_i].len));
	}
}
END_TEST

START_TEST(a_missing_page_is_asked_for_once)
{
	uint64_t word;

	for (int i = 0; i < 100; i++)
		ck_assert(!memory_try_read(memory, END + 8 * (taddr)i, &word, sizeof(word)));
	ck_assert_uint_eq(fake.calls, 1);
	/* Read ahead into the missing page, which is not asked for again. */
	check_read(END - MEMORY_PAGE, MEMORY_PAGE);
	ck_assert(!memory_try_read(memory, END, &word, sizeof(word)));
	ck_assert_uint_eq(fake.calls, 2);
}
END_TEST

START_TEST(read_ahead_does_not_ask_again_for_what_nobody_wants_yet)
{
	uint64_t word;

	check_read(END - MEMORY_PAGE, 8);
	ck_assert_uint_eq(fake.last_len, 2 * MEMORY_PAGE);
	ck_assert_uint_eq(fake.calls, 1);
	for (int i = 0; i < 2; i++)
		ck_assert(!memory_try_read(memory, END, &word, sizeof(word)));
	ck_assert_uint_eq(fake.calls, 2);
}
END_TEST

START_TEST(a_page_of_which_only_a_part_comes_is_missing)
{
	uint8_t byte;

	fake.torn = true;
	ck_assert(!memory_try_read(memory, END, &byte, 1));
	check_read(END - 1, 1);
}
END_TEST

START_TEST(a_source_that_claims_too_much_is_not_believed)
{
	uint64_t word;

	fake.lies = true;
	check_read(FIRST, 3 * MEMORY_PAGE);
	ck_assert_uint_eq(fake.calls, 1);
	ck_assert(memory_try_read(memory, FIRST + 40 * MEMORY_PAGE, &word, sizeof(word)));
	ck_assert_uint_eq(fake.calls, 2);
}
END_TEST

START_TEST(the_last_page_of_the_address_space_can_be_read)
{
	uint8_t bytes[2 * MEMORY_PAGE];
	taddr page = (taddr)0 - MEMORY_PAGE;

	fake.first = page - MEMORY_PAGE;
	fake.last = page;
	check_read(page - 8, MEMORY_PAGE + 8);
	check_read(UINT64_MAX, 1);
	ck_assert_error(memory_read(memory, UINT64_MAX - 7, bytes, 9), ERROR_NO_ADDRESS,
			"no memory at 0x0");
	/* Nor does a read go on at the other end when there is memory. */
	fake.first = 0;
	memory_flush(memory);
	ck_assert(!memory_try_read(memory, UINT64_MAX - 7, bytes, 16));
	ck_assert(!memory_try_read(memory, page, bytes, sizeof(bytes)));
}
END_TEST

enum { BOUND = 16384 };

START_TEST(the_cache_starts_anew_when_it_is_full)
{
	fake.first = 0;
	fake.last = UINT64_MAX;
	for (taddr page = 0; page < 3 * BOUND; page++)
		check_read(page * 3 * MEMORY_PAGE, 8);
	ck_assert_uint_eq(fake.calls, 3 * BOUND);
	check_read(3 * (taddr)(3 * BOUND - 1) * MEMORY_PAGE, 8);
	ck_assert_uint_eq(fake.calls, 3 * BOUND);
	check_read(0, 8);
	ck_assert_uint_eq(fake.calls, 3 * BOUND + 1);
}
END_TEST

START_TEST(long_reads_that_end_early_do_not_use_up_the_pool)
{
	size_t len = 500 * (size_t)MEMORY_PAGE;
	AUTO_FREE uint8_t *bytes = malloc(len);

	fake.last = UINT64_MAX;
	for (taddr from = FIRST; from < FIRST + 200 * len; from += len) {
		fake.hole = from + MEMORY_PAGE;
		ck_assert(!memory_try_read(memory, from, bytes, len));
		check_read(from, MEMORY_PAGE);
	}
	ck_assert_uint_eq(fake.calls, 2 * 200);
}
END_TEST

START_TEST(missing_pages_are_bounded_too)
{
	uint8_t byte;

	fake.first = UINT64_MAX;
	fake.last = 0;
	for (taddr page = 0; page < 3 * BOUND; page++)
		ck_assert(!memory_try_read(memory, page * MEMORY_PAGE, &byte, 1));
	ck_assert_uint_eq(fake.calls, 3 * BOUND);
	ck_assert(!memory_try_read(memory, 0, &byte, 1));
	ck_assert_uint_eq(fake.calls, 3 * BOUND + 1);
}
END_TEST

START_TEST(a_read_larger_than_the_cache_is_right)
{
	size_t len = (BOUND + 1000) * (size_t)MEMORY_PAGE;
	AUTO_FREE uint8_t *bytes = malloc(len);

	fake.first = 0;
	fake.last = UINT64_MAX;
	ck_assert_no_error(memory_read(memory, 5, bytes, len));
	check_bytes(bytes, 5, len, 997, 0);
	ck_assert_uint_lt(fake.calls, 50);
}
END_TEST

/* xorshift64: the same numbers each time. */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

START_TEST(random_reads_agree_with_the_target)
{
	uint64_t state = 1;
	uint8_t bytes[5 * MEMORY_PAGE];

	fake.last = FIRST + 3000 * (taddr)MEMORY_PAGE;
	fake.hole = HOLE;
	for (int i = 0; i < 50000; i++) {
		uint64_t r = next_random(&state);
		taddr from = FIRST - 2 * MEMORY_PAGE + r % (3004 * (taddr)MEMORY_PAGE);
		size_t len = r >> 40 & 7 ? r >> 60 : (r >> 44) % sizeof(bytes);
		bool expected = true;
		for (taddr at = from & -(taddr)MEMORY_PAGE; len && at < from + len;
		     at += MEMORY_PAGE)
			expected = expected && is_there(&fake, at);
		ck_assert_int_eq(memory_try_read(memory, from, bytes, len), expected);
		check_bytes(bytes, from, expected ? len : 0, 1, 8);
		if (r >> 50 == 0)
			memory_flush(memory);
	}
}
END_TEST

/* --- strings --- */

static taddr nul; /* where fake memory has its only zero byte */

static size_t read_with_nul(void *context, taddr from, void *ret, size_t len)
{
	size_t got = fake_read(context, from, ret, len);

	if (nul >= from && nul < from + got)
		((char *)ret)[nul - from] = '\0';
	return got;
}

enum string_result { WHOLE, TOO_LONG, MISSING };
static const struct {
	const char *what;
	taddr from;
	size_t len, most;
	enum string_result result;
} texts[] = {
	{ "empty", FIRST, 0, 1, WHOLE },
	{ "short", FIRST + 10, 5, 100, WHOLE },
	{ "as long as may be", FIRST + 10, 5, 6, WHOLE },
	{ "one too long", FIRST + 10, 5, 5, TOO_LONG },
	{ "nothing is allowed", FIRST, 0, 0, TOO_LONG },
	{ "across a page", FIRST + 4090, 20, 100, WHOLE },
	{ "across many pages", FIRST + 4090, 20000, 100000, WHOLE },
	{ "NUL is a page's first byte", FIRST + 4090, 6, 100, WHOLE },
	{ "NUL is a page's last byte", FIRST + 4090, 5, 100, WHOLE },
	{ "the limit is the page's end", FIRST + 4090, 50, 6, TOO_LONG },
	{ "ends with memory", END - 10, 9, 100, WHOLE },
	{ "runs out of memory", END - 10, 10, 100, MISSING },
	{ "the limit comes before the end of memory", END - 10, 10, 10, TOO_LONG },
	{ "nothing is there", END + 10, 0, 100, MISSING },
	{ "address space ends", UINT64_MAX - 5, 50, 100, MISSING },
};

/* ---- a target that runs again ------------------------------------------------------------- */

/* Pages below this one last, those behind change, and those behind the last are absent. */
static taddr changes_from;

static enum memory_kind judge(void *context, taddr page, taddr *ret_end)
{
	const struct fake *f = context;

	*ret_end = page < changes_from ? changes_from : f->last + MEMORY_PAGE;
	return page < changes_from ? MEMORY_LASTS
	       : page <= f->last   ? MEMORY_CHANGES
				   : MEMORY_ABSENT;
}

static size_t gather(void *context, const taddr *pages, size_t n, void *ret)
{
	size_t done = 0;

	while (done < n && fake_read(context, pages[done], (uint8_t *)ret + done * MEMORY_PAGE,
				     MEMORY_PAGE) == MEMORY_PAGE)
		done++;
	return done;
}

static taddr page_number(size_t n)
{
	return FIRST + (taddr)n * MEMORY_PAGE;
}

START_TEST(what_was_taken_is_read_and_not_missed)
{
	const taddr pages[] = { page_number(40), page_number(10), page_number(40),
				page_number(20) };
	uint8_t byte;

	fake.hole = page_number(10);
	memory_take(memory, gather, &fake, pages, COUNT(pages));
	memory_watch(memory, judge, &fake);
	changes_from = FIRST;
	unsigned int calls = fake.calls;
	ck_assert(memory_try_read(memory, pages[0] + 7, &byte, 1));
	ck_assert_uint_eq(byte, byte_at(pages[0] + 7));
	ck_assert(memory_try_read(memory, pages[3], &byte, 1));
	ck_assert_uint_eq(byte, byte_at(pages[3]));
	ck_assert(!memory_try_read(memory, pages[1], &byte, 1)); /* it was not there */
	ck_assert_uint_eq(fake.calls, calls);
	ck_assert_uint_eq(memory_missed(memory)->len, 0);
}
END_TEST

START_TEST(what_changes_is_missed_and_what_lasts_is_not)
{
	uint8_t bytes[3 * MEMORY_PAGE];
	uint8_t byte;

	changes_from = page_number(2);
	memory_watch(memory, judge, &fake);
	ck_assert(memory_try_read(memory, FIRST, bytes, 2 * MEMORY_PAGE));
	ck_assert_uint_eq(memory_missed(memory)->len, 0);
	ck_assert(memory_try_read(memory, FIRST, bytes, sizeof(bytes)));
	ck_assert_uint_eq(memory_missed(memory)->len, 1);
	ck_assert_uint_eq(memory_missed(memory)->items[0], page_number(2));
	ck_assert(memory_try_read(memory, page_number(2), &byte, 1)); /* once */
	ck_assert_uint_eq(memory_missed(memory)->len, 1);
	ck_assert(memory_try_read(memory, page_number(3), &byte, 1)); /* nor was it read ahead */
	ck_assert_uint_eq(memory_missed(memory)->len, 2);
	memory_flush(memory);
	ck_assert_uint_eq(memory_missed(memory)->len, 2); /* it is for who watches to empty it */
}
END_TEST

START_TEST(what_was_absent_is_not_read)
{
	uint8_t byte;

	changes_from = FIRST;
	memory_watch(memory, judge, &fake);
	ck_assert(!memory_try_read(memory, fake.last + MEMORY_PAGE, &byte, 1));
	ck_assert_uint_eq(fake.calls, 0);
	ck_assert_uint_eq(memory_missed(memory)->len, 0);
	memory_watch(memory, NULL, NULL);
	ck_assert(memory_try_read(memory, FIRST, &byte, 1));
	ck_assert_uint_eq(memory_missed(memory)->len, 0);
}
END_TEST

START_TEST(what_is_lost_because_the_cache_is_full_is_missed)
{
	enum { MANY = 1 << 15 };
	uint8_t byte;

	fake.last = page_number(MANY);
	changes_from = page_number(MANY);
	const taddr page = page_number(MANY);
	memory_take(memory, gather, &fake, &page, 1);
	memory_watch(memory, judge, &fake);
	for (size_t i = 0; i < MANY; i++)
		ck_assert(memory_try_read(memory, page_number(i), &byte, 1));
	ck_assert(memory_try_read(memory, page, &byte, 1));
	ck_assert_uint_eq(memory_missed(memory)->len, 1);
}
END_TEST

START_TEST(read_string_ends_where_it_must)
{
	struct memory *m = memory_new(read_with_nul, &fake, MEMORY_PAGE);
	taddr from = texts[_i].from;
	char *text = NULL;

	if (texts[_i].from > END + MEMORY_PAGE) {
		fake.first = 0; /* so that a walk around the end would find the NUL */
		fake.last = UINT64_MAX;
	}
	nul = from + texts[_i].len;
	struct error *err = memory_read_string(m, from, texts[_i].most, &text);
	switch (texts[_i].result) {
	case WHOLE:
		ck_assert_no_error(err);
		ck_assert_uint_eq(strlen(text), texts[_i].len);
		for (size_t i = 0; i < texts[_i].len; i++)
			ck_assert_int_eq((uint8_t)text[i], byte_at(from + i));
		break;
	case TOO_LONG:
		ck_assert_error(err, ERROR_BAD_DATA, "bytes or more");
		ck_assert_ptr_null(text);
		break;
	case MISSING:
		ck_assert_error(err, ERROR_NO_ADDRESS, "no memory at 0x");
		ck_assert_ptr_null(text);
		break;
	}
	free(text);
	memory_free(m);
}
END_TEST

START_TEST(free_takes_null)
{
	memory_free(NULL);
}
END_TEST

/* unit_case() with a memory over a fresh fake for each test. */
static TCase *add_case(Suite *s, const char *name)
{
	TCase *tc = tcase_create(name);

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_set_timeout(tc, 60);
	suite_add_tcase(s, tc);
	return tc;
}

int main(void)
{
	Suite *s = suite_create("memory");
	TCase *reading = add_case(s, "read"), *gaps = add_case(s, "missing pages");
	TCase *bounds = add_case(s, "bounds"), *strings = add_case(s, "strings");

	tcase_add_test(reading, reads_of_every_alignment_and_size_are_right);
	tcase_add_test(reading, preparing_reads_nothing_and_forgets_nothing);
	tcase_add_test(reading, a_page_is_fetched_once_with_the_one_behind_it);
	tcase_add_test(reading, a_long_read_is_one_call);
	tcase_add_test(reading, a_run_stops_at_pages_that_are_cached);
	tcase_add_test(reading, flush_forgets_everything);
	tcase_add_test(reading, flush_forgets_many_and_few_alike);
	tcase_add_test(reading, release_forgets_everything_and_gives_the_room_back);
	tcase_add_test(reading, what_is_written_is_read_without_a_new_fetch);
	tcase_add_test(reading, random_reads_agree_with_the_target);
	tcase_add_loop_test(gaps, an_error_names_the_first_address_that_is_missing, 0,
			    (int)COUNT(missing));
	tcase_add_test(gaps, a_missing_page_is_asked_for_once);
	tcase_add_test(gaps, read_ahead_does_not_ask_again_for_what_nobody_wants_yet);
	tcase_add_test(gaps, a_page_of_which_only_a_part_comes_is_missing);
	tcase_add_test(gaps, a_source_that_claims_too_much_is_not_believed);
	tcase_add_test(bounds, the_last_page_of_the_address_space_can_be_read);
	tcase_add_test(bounds, the_cache_starts_anew_when_it_is_full);
	tcase_add_test(bounds, long_reads_that_end_early_do_not_use_up_the_pool);
	tcase_add_test(bounds, missing_pages_are_bounded_too);
	tcase_add_test(bounds, a_read_larger_than_the_cache_is_right);
	tcase_add_loop_test(strings, read_string_ends_where_it_must, 0, (int)COUNT(texts));
	tcase_add_test(strings, free_takes_null);
	TCase *runs = add_case(s, "a target that runs again");

	tcase_add_test(runs, what_was_taken_is_read_and_not_missed);
	tcase_add_test(runs, what_changes_is_missed_and_what_lasts_is_not);
	tcase_add_test(runs, what_was_absent_is_not_read);
	tcase_add_test(runs, what_is_lost_because_the_cache_is_full_is_missed);
	return unit_run(s);
}
