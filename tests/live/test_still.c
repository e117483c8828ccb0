/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A process as it was at one stop: it runs while that is looked at, and what was not taken is told.
 */
#include "inferior.h"

#include "target/process/still.h"

/* Something to do in a visit. */
struct visit {
	struct target *target;
	const char *state; /* in which the process is seen */
	taddr page;        /* that is read; 0: none        */
	size_t threads, registers;
};

static struct error *look(void *context)
{
	struct visit *v = context;
	const uint8_t *general;
	uint64_t word;

	inferior_await_state(v->target->pid, 0, v->state);
	v->threads = v->target->threads.len;
	v->registers = 0;
	vec_for_each (th, &v->target->threads)
		v->registers += !target_general(v->target, *th, &general);
	return v->page ? target_read(v->target, v->page, &word, sizeof(word)) : NULL;
}

static struct target *open_still(const struct inferior *i)
{
	struct target *process = NULL, *t = NULL;

	ck_assert_no_error(live_open(i->pid, &process));
	ck_assert_no_error(still_new(process, &t));
	return t;
}

/* The n-th page of a mapping by that name. */
static taddr page_of(struct target *t, const char *name, size_t n)
{
	struct map_list maps = { 0 };
	taddr page = 0;

	ck_assert_no_error(target_maps(t, &maps));
	vec_for_each (map, &maps) {
		if (!strcmp(map->path, name) && map->end - map->start > n * MEMORY_PAGE)
			page = map->start + n * MEMORY_PAGE;
	}
	map_list_fini(&maps);
	ck_assert_uint_ne(page, 0);
	return page;
}

START_TEST(it_runs_while_it_is_looked_at)
{
	AUTO_INFERIOR i;

	ck_assert(inferior_start(&i, ARGS("sleepers", "8")));
	AUTO_TARGET *t = open_still(&i);
	struct visit v = { .target = t, .state = "S" };
	ck_assert(t->runs);
	for (int n = 0; n < 3; n++) {
		ck_assert_no_error(target_visit(t, look, &v));
		ck_assert(!t->runs && target_is_whole(t));
		ck_assert_uint_eq(v.threads, 8);
		ck_assert_uint_eq(v.registers, 8);
		inferior_check_untouched(&i, "S");
	}
	inferior_finish(&i);
}
END_TEST

START_TEST(what_was_not_taken_is_taken_at_the_next_stop)
{
	AUTO_INFERIOR i;

	ck_assert(inferior_start(&i, ARGS("sleepers", "2")));
	AUTO_TARGET *t = open_still(&i);
	struct visit v = { .target = t, .state = "S", .page = page_of(t, "[heap]", 3) };
	ck_assert_no_error(target_visit(t, look, &v));
	ck_assert(!target_is_whole(t));
	ck_assert_no_error(target_visit(t, look, &v));
	ck_assert(target_is_whole(t));
	inferior_finish(&i);
}
END_TEST

START_TEST(what_is_other_memory_each_time_is_looked_at_while_it_stands)
{
	AUTO_INFERIOR i;

	ck_assert(inferior_start(&i, ARGS("sleepers", "2")));
	AUTO_TARGET *t = open_still(&i);
	for (size_t n = 0; n < 6; n++) {
		bool last = n % 3 == 2;
		struct visit v = { .target = t,
				   .state = last ? "t" : "S",
				   .page = page_of(t, "[heap]", 3 + n) };
		ck_assert_no_error(target_visit(t, look, &v));
		ck_assert_int_eq(target_is_whole(t), last);
		inferior_check_untouched(&i, "S");
	}
	inferior_finish(&i);
}
END_TEST

START_TEST(what_was_read_before_the_first_stop_is_taken)
{
	AUTO_INFERIOR i;
	uint64_t word;

	ck_assert(inferior_start(&i, ARGS("sleepers", "2")));
	AUTO_TARGET *t = open_still(&i);
	struct visit v = { .target = t, .state = "S", .page = page_of(t, "[heap]", 3) };
	ck_assert_no_error(target_read(t, v.page, &word, sizeof(word)));
	ck_assert_no_error(target_visit(t, look, &v));
	ck_assert(target_is_whole(t));
	inferior_finish(&i);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("still");

	live_case(s, "one stop", 60, it_runs_while_it_is_looked_at,
		  what_was_not_taken_is_taken_at_the_next_stop,
		  what_is_other_memory_each_time_is_looked_at_while_it_stands,
		  what_was_read_before_the_first_stop_is_taken);
	return unit_run(s);
}
