/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which libgomp it is: space.c, with facts.c, layout.c and image.c below it. */
#include "ompd/gomp/space.h"

#include <stdio.h>

#include "fake_libgomp.h"
#include "ompd/gomp/getter.h"
#include "ompd/gomp/gomp_extra.h"
#include "unit.h"

static struct fake_libgomp fake;
static ompd_address_space_handle_t *space;

static void set_up(void)
{
	ck_assert_int_eq(ompd_initialize(OMPD_VERSION_5_0, fake_libgomp_callbacks()), ompd_rc_ok);
}

static void tear_down(void)
{
	ck_assert_int_eq(fake_libgomp_live_memory(), 0);
	ck_assert_int_eq(ompd_finalize(), ompd_rc_ok);
}

static ompd_rc_t open_space(void)
{
	return ompd_process_initialize((ompd_address_space_context_t *)&fake, &space);
}

static void close_space(void)
{
	ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
}

/* What the accessors tell that the code is of. */
static void read_linked(const struct fake_code *code, size_t len, struct gomp_facts *ret)
{
	const char *name;
	int since;

	gomp_facts_init(ret);
	for (size_t n = 0; (name = gomp_facts_accessor(n, &since)); n++)
		for (const struct fake_code *c = code; c < code + len; c++) {
			uint8_t bytes[GOMP_GETTER_CODE] = { 0 };

			if (strcmp(c->name, name) != 0)
				continue;
			for (size_t i = 0; i < strlen(c->hex) / 2; i++)
				ck_assert_int_eq(sscanf(c->hex + 2 * i, "%2hhx", &bytes[i]), 1);
			gomp_facts_add(ret, n, bytes, strlen(c->hex) / 2, c->address);
		}
}

/* The release with the nodes up to its own, plug-ins' and other families' among them. */
static void init(const struct fake_release *release, const char *newest)
{
	const char *nodes[] = { "libgomp.so.1", "OMP_5.0.2", "GOMP_1.0",        "GOMP_4.5",
				newest,         "OACC_2.0",  "GOMP_PLUGIN_1.3", NULL };

	fake_libgomp_init(&fake, release, nodes);
}

START_TEST(each_release_is_named_by_its_nodes_and_its_code)
{
	const struct fake_release *r = &fake_releases[_i];

	init(r, r->node);
	ck_assert_int_eq(open_space(), ompd_rc_ok);
	ck_assert_msg(space->release.exact, "%s", space->release.note);
	ck_assert_int_le(space->release.least, r->version);
	ck_assert_int_ge(space->release.most, r->version);
	ck_assert_int_le(space->layout->least, r->version);
	ck_assert_int_ge(space->layout->most, r->version);
	ck_assert_int_eq(space->tpoff, FAKE_TPOFF);
	close_space();
}
END_TEST

START_TEST(variables_are_found_in_the_code)
{
	const struct fake_release *r = &fake_releases[_i];
	const struct gomp_variable *v;

	init(r, r->node);
	ck_assert_int_eq(open_space(), ompd_rc_ok);
	v = space->facts.variables;
	ck_assert_uint_eq(v[GOMP_STATIC_ICV].address, FAKE_BASE + r->icv);
	ck_assert_uint_eq(v[GOMP_STATIC_DEFAULT_LOCK].address, FAKE_BASE + r->default_lock);
	ck_assert_uint_eq(v[GOMP_STATIC_ATOMIC_LOCK].address, FAKE_BASE + r->default_lock - 4);
	ck_assert_uint_eq(v[GOMP_STATIC_CANCEL].size, 1);
	ck_assert_uint_ne(v[GOMP_STATIC_MAX_TASK_PRIORITY].address, 0);
	ck_assert_uint_ne(v[GOMP_STATIC_NUM_PROCS].address, 0);
	ck_assert_int_eq(v[GOMP_STATIC_MAX_TEAMS].address != 0, r->version >= 12);
	ck_assert_int_eq(v[GOMP_STATIC_NUM_TEAMS].address != 0, r->version < 12);
	close_space();
}
END_TEST

static void check_unknown(const char *why)
{
	struct gomp_release release;
	ompd_word_t version;

	ck_assert_int_eq(open_space(), ompd_rc_ok);
	ck_assert_int_eq(gomp_extra_release(space, &release), ompd_rc_ok);
	ck_assert(!release.exact && !release.least);
	ck_assert_msg(strstr(release.note, "unknown libgomp") && strstr(release.note, why), "%s",
		      release.note);
	ck_assert_int_eq(ompd_get_omp_version(space, &version), ompd_rc_incompatible);
	close_space();
}

START_TEST(nodes_and_code_of_different_releases_are_refused)
{
	for (int i = 0; i < FAKE_NUM_RELEASES; i++) {
		/* 12 to 16 differ from each other by their nodes alone in some pairs: not those. */
		if (i == _i || (fake_releases[i].version > 12 && fake_releases[_i].version > 12))
			continue;
		init(&fake_releases[_i], fake_releases[i].node);
		check_unknown("its code says otherwise");
	}
}
END_TEST

START_TEST(a_release_newer_than_this_is_refused)
{
	init(&fake_releases[4], "GOMP_6.1");
	check_unknown("GOMP_6.1");
	init(&fake_releases[4], "GOMP_7.0.0.0.0.0.0.0.0.0.0");
	check_unknown("GOMP_7.0");
}
END_TEST

START_TEST(a_release_older_than_this_is_refused)
{
	const char *const nodes[] = { "libgomp.so.1", "GOMP_1.0", "GOMP_3.0", NULL };

	fake_libgomp_init(&fake, &fake_releases[0], nodes);
	check_unknown("too old");
}
END_TEST

START_TEST(without_nodes_the_code_decides_and_says_so)
{
	const struct fake_release *r = &fake_releases[_i];

	fake_libgomp_init(&fake, r, NULL);
	ck_assert_int_eq(open_space(), ompd_rc_ok);
	ck_assert(!space->release.exact);
	ck_assert_ptr_nonnull(strstr(space->release.note, "by its code alone"));
	/* No fake has the function that tells 9 and 10 from 6 to 8. */
	ck_assert_int_eq(space->release.least <= r->version && space->release.most >= r->version,
			 r->version > 10);
	ck_assert_int_eq(space->tpoff, FAKE_TPOFF);
	close_space();
}
END_TEST

/*
 * Whatever a byte of an accessor is changed to: the same layout and place of gomp_thread, or none.
 * A wrong one is never found.
 */
START_TEST(changed_code_is_understood_or_refused)
{
	static const uint8_t changes[] = { 0x01, 0x08, 0x40, 0x80, 0xff };
	const struct fake_release *r = &fake_releases[_i];
	int refused = 0;

	init(r, r->node);
	for (const struct fake_code *c = r->code; c->name; c++)
		for (size_t i = 0; i < COUNT(changes) * strlen(c->hex) / 2; i++) {
			uint8_t *byte = &fake.image[c->address + i / COUNT(changes)];
			ompd_rc_t rc;

			*byte ^= changes[i % COUNT(changes)];
			rc = open_space();
			*byte ^= changes[i % COUNT(changes)];
			if (rc != ompd_rc_ok) {
				refused++;
				continue;
			}
			refused += !space->layout;
			if (space->layout) {
				ck_assert_int_le(space->layout->least, r->version);
				ck_assert_int_ge(space->layout->most, r->version);
				ck_assert_int_eq(space->tpoff, FAKE_TPOFF);
			}
			close_space();
		}
	ck_assert_int_gt(refused, 100);
}
END_TEST

START_TEST(a_process_that_is_not_relocated_yet_is_not_available)
{
	init(&fake_releases[2], "GOMP_5.1");
	memset(fake.image + fake_releases[2].slot, 0, 8);
	ck_assert_int_eq(open_space(), ompd_rc_unavailable);
}
END_TEST

START_TEST(thread_local_storage_above_the_thread_pointer_is_refused)
{
	uint64_t above = 0x90;

	init(&fake_releases[2], "GOMP_5.1");
	memcpy(fake.image + fake_releases[2].slot, &above, sizeof(above));
	check_unknown("thread-local");
}
END_TEST

START_TEST(a_process_without_libgomp_is_incompatible)
{
	static const char *const names[] = { "GOMP_parallel", "omp_get_thread_num" };

	init(&fake_releases[2], "GOMP_5.1");
	for (size_t i = 0; i < COUNT(names); i++) {
		fake.missing = names[i];
		ck_assert_int_eq(open_space(), ompd_rc_incompatible);
	}
	fake.missing = "omp_in_final";
	check_unknown("its code says otherwise");
}
END_TEST

/*
 * A program that libgomp 14 is linked into, as Debian 13 has it: offsets from the thread pointer
 * are in the code, in one accessor that of the team instead of that of gomp_thread.
 */
START_TEST(an_executable_has_offsets_of_its_own_in_each_accessor)
{
	static const struct fake_code linked[] = {
		{ "omp_get_thread_num", 0x4089b0, "f30f1efa648b042578ffffffc3" },
		{ "omp_get_level", 0x4089e0, "f30f1efa648b04257cffffffc3" },
		{ "omp_get_active_level", 0x408aa0, "f30f1efa648b042580ffffffc3" },
		{ "omp_get_num_threads", 0x408990,
		  "f30f1efa64488b142560ffffffb8010000004885d274028b02c3" },
		{ "omp_get_ancestor_thread_num", 0x4089f0,
		  "f30f1efa85ff7838648b14257cffffff39fa722c64488b04250000000029fa480560ffff"
		  "ff85d27e130f1f8000000000488b004883c00883ea0175f48b4018c3b8ffffffffc3" },
		{ "omp_in_final", 0x4114e0,
		  "f30f1efa64488b1425a8ffffff31c04885d274070fb682dd000000c3" },
	};
	struct gomp_facts facts;
	int agrees = 0;

	read_linked(linked, COUNT(linked), &facts);
	ck_assert(!facts.contradicts);
	ck_assert_uint_eq(facts.slot, 0);
	ck_assert_int_eq(facts.tpoff, -0xb0);
	for (size_t n = 0; gomp_layout_get(n); n++)
		if (gomp_facts_agree(&facts, gomp_layout_get(n)))
			agrees = gomp_layout_get(n)->least;
	ck_assert_int_eq(agrees, 13);
}
END_TEST

START_TEST(broken_version_nodes_end)
{
	static const size_t places[] = { 0x200, 0x208, 0x218, 0x228, 0x40c, 0x410, 0x414 };

	for (size_t i = 0; i < COUNT(places); i++)
		for (int bit = 0; bit < 64; bit += 7) {
			init(&fake_releases[2], "GOMP_5.1");
			fake.image[places[i] + (size_t)bit / 8] ^= (uint8_t)(1 << bit % 8);
			ck_assert_int_eq(open_space(), ompd_rc_ok);
			if (space->layout)
				ck_assert_int_eq(space->layout->least, 12);
			ck_assert_uint_lt(fake.reads, 40000);
			close_space();
		}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("gomp_space");
	TCase *each = tcase_create("each release"), *tc = tcase_create("one release");

	tcase_add_checked_fixture(each, set_up, tear_down);
	tcase_add_loop_test(each, each_release_is_named_by_its_nodes_and_its_code, 0,
			    FAKE_NUM_RELEASES);
	tcase_add_loop_test(each, variables_are_found_in_the_code, 0, FAKE_NUM_RELEASES);
	tcase_add_loop_test(each, nodes_and_code_of_different_releases_are_refused, 0,
			    FAKE_NUM_RELEASES);
	tcase_add_loop_test(each, without_nodes_the_code_decides_and_says_so, 0, FAKE_NUM_RELEASES);
	tcase_add_loop_test(each, changed_code_is_understood_or_refused, 0, FAKE_NUM_RELEASES);
	suite_add_tcase(s, each);
	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, a_release_newer_than_this_is_refused);
	tcase_add_test(tc, a_release_older_than_this_is_refused);
	tcase_add_test(tc, a_process_that_is_not_relocated_yet_is_not_available);
	tcase_add_test(tc, thread_local_storage_above_the_thread_pointer_is_refused);
	tcase_add_test(tc, a_process_without_libgomp_is_incompatible);
	tcase_add_test(tc, an_executable_has_offsets_of_its_own_in_each_accessor);
	tcase_add_test(tc, broken_version_nodes_end);
	suite_add_tcase(s, tc);
	return unit_run(s);
}
