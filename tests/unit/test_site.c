/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/site.h"
#include "unit.h"

enum { BASE = 0x1000, SIZE = 64, TRAP = 0xcc };

/* Memory with a byte at each address, which may refuse to be written to. */
struct memory_bytes {
	uint8_t bytes[SIZE];
	bool read_only;
};

static size_t read_bytes(void *context, taddr from, void *ret, size_t len)
{
	const struct memory_bytes *m = context;

	if (from < BASE || from >= BASE + SIZE)
		return 0;
	size_t n = BASE + SIZE - from < len ? BASE + SIZE - from : len;
	memcpy(ret, m->bytes + (from - BASE), n);
	return n;
}

static struct error *write_bytes(void *context, taddr to, const void *bytes, size_t len)
{
	struct memory_bytes *m = context;

	if (m->read_only)
		return error_new(ERROR_OS, "cannot write");
	memcpy(m->bytes + (to - BASE), bytes, len);
	return NULL;
}

static struct memory_bytes memory;
static struct sites sites;

static void set_up(void)
{
	for (size_t i = 0; i < SIZE; i++)
		memory.bytes[i] = (uint8_t)i;
	sites = (struct sites){ .read = read_bytes, .write = write_bytes, .context = &memory };
}

static void tear_down(void)
{
	sites_fini(&sites);
}

static void plant(taddr at)
{
	ck_assert_no_error(sites_plant(&sites, &arch_x86_64, at));
}

START_TEST(sites_are_planted_once_and_hidden)
{
	uint8_t got[SIZE];

	plant(BASE + 9);
	plant(BASE + 3);
	plant(BASE + 5);
	plant(BASE + 3);
	ck_assert_uint_eq(sites.len, 3);
	ck_assert_uint_eq(memory.bytes[3], TRAP);
	ck_assert_uint_eq(memory.bytes[5], TRAP);
	ck_assert_uint_eq(memory.bytes[9], TRAP);
	for (taddr from = BASE; from < BASE + SIZE; from++) {
		for (size_t len = 0; len <= BASE + SIZE - from; len++) {
			ck_assert_uint_eq(read_bytes(&memory, from, got, len), len);
			sites_hide(&sites, from, got, len);
			for (size_t i = 0; i < len; i++) {
				if (got[i] != from - BASE + i)
					ck_abort_msg("byte %zu from %d on", i, (int)(from - BASE));
			}
		}
	}
	ck_assert_no_error(sites_unplant(&sites, BASE + 3));
	ck_assert_uint_eq(memory.bytes[3], TRAP);
	ck_assert_no_error(sites_unplant(&sites, BASE + 3));
	ck_assert_uint_eq(memory.bytes[3], 3);
	ck_assert_ptr_null(sites_find(&sites, BASE + 3));
	ck_assert_ptr_nonnull(sites_find(&sites, BASE + 5));
	sites_remove(&sites);
	for (size_t i = 0; i < SIZE; i++)
		ck_assert_uint_eq(memory.bytes[i], i);
}
END_TEST

START_TEST(a_trap_is_a_hit_where_it_is_in_memory)
{
	plant(BASE + 3);
	struct site *site = sites_find(&sites, BASE + 3);
	ck_assert_ptr_eq(sites_hit(&sites, BASE + 4), site); /* pc is behind the trap */
	ck_assert_ptr_null(sites_hit(&sites, BASE + 3));
	ck_assert_no_error(sites_lift(&sites, site, 7));
	ck_assert_uint_eq(memory.bytes[3], 3);
	ck_assert_ptr_null(sites_hit(&sites, BASE + 4));
	ck_assert_no_error(sites_put_back(&sites, 8)); /* lifted for another */
	ck_assert_uint_eq(memory.bytes[3], 3);
	ck_assert_no_error(sites_put_back(&sites, 7));
	ck_assert_uint_eq(memory.bytes[3], TRAP);
	ck_assert_ptr_eq(sites_hit(&sites, BASE + 4), site);
}
END_TEST

START_TEST(what_is_written_goes_under_the_traps)
{
	static const uint8_t other[] = { 90, 91, 92, 93 };
	uint8_t got[4];

	plant(BASE + 2);
	plant(BASE + 4);
	ck_assert_no_error(sites_write(&sites, BASE + 1, other, sizeof(other)));
	ck_assert_uint_eq(memory.bytes[2], TRAP);
	ck_assert_uint_eq(memory.bytes[4], TRAP);
	read_bytes(&memory, BASE + 1, got, sizeof(got));
	sites_hide(&sites, BASE + 1, got, sizeof(got));
	ck_assert_mem_eq(got, other, sizeof(other));
	ck_assert_no_error(sites_unplant(&sites, BASE + 2));
	ck_assert_uint_eq(memory.bytes[2], 91);
	memory.read_only = true;
	ck_assert_error(sites_write(&sites, BASE + 4, "x", 1), ERROR_OS, "cannot");
	memory.read_only = false;
	ck_assert_no_error(sites_unplant(&sites, BASE + 4)); /* as before the failure */
	ck_assert_uint_eq(memory.bytes[4], 93);
}
END_TEST

START_TEST(code_that_the_program_wrote_over_a_site_stays)
{
	uint8_t got;

	plant(BASE + 3);
	memory.bytes[3] = 77;
	read_bytes(&memory, BASE + 3, &got, 1);
	sites_hide(&sites, BASE + 3, &got, 1);
	ck_assert_uint_eq(got, 77);
	ck_assert_no_error(sites_lift(&sites, sites_find(&sites, BASE + 3), 7));
	ck_assert_no_error(sites_put_back(&sites, 7));
	ck_assert_uint_eq(memory.bytes[3], 77);
	ck_assert_no_error(sites_unplant(&sites, BASE + 3));
	ck_assert_uint_eq(memory.bytes[3], 77);
}
END_TEST

START_TEST(what_cannot_be_planted_leaves_no_site)
{
	ck_assert_error(sites_plant(&sites, &arch_x86_64, BASE + SIZE), ERROR_NO_ADDRESS, "0x1040");
	memory.read_only = true;
	ck_assert_error(sites_plant(&sites, &arch_x86_64, BASE), ERROR_OS, "hbreak");
	ck_assert_uint_eq(sites.len, 0);
	ck_assert_error(sites_unplant(&sites, BASE), ERROR_USAGE, "no trap");
}
END_TEST

START_TEST(an_exec_leaves_the_new_memory_alone)
{
	plant(BASE + 3);
	memory.bytes[3] = TRAP; /* of the new program */
	sites.replaced = true;
	ck_assert_no_error(sites_lift(&sites, sites_find(&sites, BASE + 3), 7));
	ck_assert_uint_eq(memory.bytes[3], TRAP);
	sites_forget(&sites);
	ck_assert_uint_eq(sites.len, 0);
	plant(BASE + 4);
	ck_assert_uint_eq(memory.bytes[4], TRAP);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("site");
	TCase *tc = tcase_create("sites");

	suite_add_tcase(s, tc);
	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, sites_are_planted_once_and_hidden);
	tcase_add_test(tc, a_trap_is_a_hit_where_it_is_in_memory);
	tcase_add_test(tc, what_is_written_goes_under_the_traps);
	tcase_add_test(tc, code_that_the_program_wrote_over_a_site_stays);
	tcase_add_test(tc, what_cannot_be_planted_leaves_no_site);
	tcase_add_test(tc, an_exec_leaves_the_new_memory_alone);
	return unit_run(s);
}
