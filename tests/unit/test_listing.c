/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_listing.h"
#include "picture_fixture.h"

static const struct style plain = { .color = false };

/* 0.0 to 0.9 wait at a barrier, 0.10 computes, 0.11 waits for a lock that 0.10 has; 1.0 computes.
 */
static void make_world(void)
{
	world_add_region(&world, -1, 0, 12, 41);
	world_add_region(&world, -1, 12, 1, 51);
	for (int i = 0; i < 13; i++) {
		world_add_thread(&world, ROLE_WORKER, i < 12 ? 0 : 1, i % 12);
		if (i < 10)
			world_wait(&world, WAIT_EXPLICIT_BARRIER)->place = world_place("work", 45);
	}
	struct picture_wait *lock = &world.picture.threads.items[11].wait;
	lock->kind = WAIT_LOCK;
	lock->object = 0x4040;
	lock->holder = 10;
	lock->holder_source = SOURCE_MEMORY;
	lock->place = world_place("work", 47);
}

static const struct listing_key *key_of(enum listing_kind kind, const char *name)
{
	const struct listing_key *key = NULL;

	ck_assert_no_error(listing_find_key(kind, name, strlen(name), &key));
	return key;
}

static void assert_lines(enum listing_kind kind, const struct listing_wishes *w,
			 const char *expected)
{
	AUTO_LISTING listing = { 0 };
	AUTO_LISTING_LINES lines = { 0 };
	AUTO_BUF out = { 0 };

	ck_assert_no_error(listing_make(&world.picture, kind, &listing));
	ck_assert_no_error(listing_lines_make(&listing, w, &lines));
	format_listing(&out, &listing, &lines, w->group, &plain);
	ck_assert(buf_ok(&out));
	ck_assert_str_eq(buf_text(&out), expected);
}

/* How many rows a filter leaves. */
static const struct {
	const char *key, *value;
	bool without;
	size_t rows;
} filters[] = {
	{ "wait", "explicit barrier", false, 10 },
	{ "wait", "barrier", false, 10 },
	{ "wait", "arrier", false, 0 },
	{ "wait", "*arrier", false, 10 },
	{ "wait", "l?ck", false, 1 },
	{ "wait", NULL, false, 11 },
	{ "wait", "", false, 2 },
	{ "wait", NULL, true, 2 },
	{ "wait", "barrier", true, 3 },
	{ "thread", "0.1", false, 1 },
	{ "thread", "0", false, 0 },
	{ "thread", "0.*", false, 12 },
	{ "holder", "0.10", false, 1 },
	{ "holder", "0.1", false, 0 },
	{ "region", "1", false, 1 },
	{ "line", "45", false, 10 },
	{ "line", "4", false, 0 },
	{ "state", "runs", false, 2 },
};

START_TEST(a_filter_leaves_those_that_have_it)
{
	struct listing_wishes w = { 0 };
	AUTO_LISTING listing = { 0 };
	AUTO_LISTING_LINES lines = { 0 };
	const struct listing_filter filter = { key_of(LIST_THREADS, filters[_i].key),
					       filters[_i].value, filters[_i].without };
	size_t rows = 0;

	make_world();
	ck_assert(vec_push(&w.filters, filter));
	ck_assert_no_error(listing_make(&world.picture, LIST_THREADS, &listing));
	ck_assert_no_error(listing_lines_make(&listing, &w, &lines));
	vec_for_each (line, &lines.items)
		rows += line->rows.len;
	ck_assert_uint_eq(rows, filters[_i].rows);
	listing_wishes_fini(&w);
}
END_TEST

START_TEST(rows_that_are_alike_are_one_line)
{
	make_world();
	assert_lines(
		LIST_THREADS, &(struct listing_wishes){ 0 },
		"thread    lwp        state  wait              object  holder  function  at\n"
		"0.[0-9]   4242-4251  waits  explicit barrier                  work      app.c:45\n"
		"0.10 1.0  4252,4254  runs\n"
		"0.11      4253       waits  lock              0x4040  0.10    work      "
		"app.c:47\n");
}
END_TEST

START_TEST(short_lines_do_without_what_is_least_wanted)
{
	static const struct style narrow = { .width = 60 };
	AUTO_LISTING listing = { 0 };
	AUTO_LISTING_LINES lines = { 0 };
	const struct listing_wishes w = { 0 };
	AUTO_BUF out = { 0 };

	make_world();
	ck_assert_no_error(listing_make(&world.picture, LIST_THREADS, &listing));
	ck_assert_no_error(listing_lines_make(&listing, &w, &lines));
	format_listing(&out, &listing, &lines, NULL, &narrow);
	ck_assert_str_eq(buf_text(&out),
			 "thread    state  wait              object  holder  at\n"
			 "0.[0-9]   waits  explicit barrier                  app.c:45\n"
			 "0.10 1.0  runs\n"
			 "0.11      waits  lock              0x4040  0.10    app.c:47\n");
}
END_TEST

START_TEST(groups_are_in_the_order_of_their_first_rows)
{
	const struct listing_wishes w = { .group = key_of(LIST_THREADS, "state"),
					  .sort = key_of(LIST_THREADS, "lwp"),
					  .falling = true };

	make_world();
	assert_lines(
		LIST_THREADS, &w,
		"thread    lwp        state  wait              object  holder  function  at\n"
		"state runs: 2\n"
		"0.10 1.0  4252,4254  runs\n"
		"state waits: 11\n"
		"0.11      4253       waits  lock              0x4040  0.10    work      app.c:47\n"
		"0.[0-9]   4242-4251  waits  explicit barrier                  work      "
		"app.c:45\n");
}
END_TEST

START_TEST(barriers_tell_who_is_missing)
{
	make_world();
	assert_lines(LIST_BARRIERS, &(struct listing_wishes){ 0 },
		     "region  size  kind              arrived  missing    function  at\n"
		     "0       12    explicit barrier  0.[0-9]  0.[10,11]  work      app.c:45\n");
}
END_TEST

START_TEST(locks_tell_who_holds_them_and_who_waits)
{
	make_world();
	assert_lines(LIST_LOCKS, &(struct listing_wishes){ 0 },
		     "kind  object  holder  held    waiters\n"
		     "lock  0x4040  0.10    surely  0.11\n");
}
END_TEST

START_TEST(a_wrong_key_is_refused_with_those_that_there_are)
{
	const struct listing_key *key = NULL;

	ck_assert_error(listing_find_key(LIST_LOCKS, "level", 5, &key), ERROR_USAGE,
			"'level' is no key of locks: there are kind, object, ");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("listing");

	world_table(s, a_filter_leaves_those_that_have_it, filters);
	world_case(s, "lines", rows_that_are_alike_are_one_line,
		   short_lines_do_without_what_is_least_wanted,
		   groups_are_in_the_order_of_their_first_rows, barriers_tell_who_is_missing,
		   locks_tell_who_holds_them_and_who_waits,
		   a_wrong_key_is_refused_with_those_that_there_are);
	return unit_run(s);
}
