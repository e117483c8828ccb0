/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What one thread is in OpenMP, held against a look at all of them. */
#include "inferior.h"

#include "debugger/snapshot.h"
#include "debugger/whereabouts.h"
#include "target/process/live.h"

static const struct session_options of_session = { .ompd_library = NULL };
static const struct snapshot_options options = { .max_frames = UNWIND_FRAMES_DEFAULT };

/* Returns whether the short look was enough. */
static bool check_thread(const struct session *s, const struct snapshot *all, size_t i)
{
	const struct picture_thread *th = picture_thread(&all->picture, (int)i);
	const struct picture_region *r = picture_region(&all->picture, th->region);
	struct whereabouts w;

	ck_assert_no_error(
		whereabouts_find(s, s->target->threads.items[i], &all->stacks->raw[i], &w));
	ck_assert_int_eq(w.role, th->role);
	ck_assert_int_eq(w.level, r ? r->level : 0);
	ck_assert_int_eq(w.number, th->number);
	ck_assert_int_eq(w.size, r ? r->size : 0);
	if (!w.whole)
		ck_assert_int_eq(w.region, th->region);
	return !w.whole;
}

static const struct {
	const char *program, *threads;
	bool nested;
} rows[] = {
	{ "omp_barrier-gcc-O2", "4" },       { "omp_barrier-clang-O2", "4" },
	{ "omp_barrier-gcc-O0", "4" },       { "omp_barrier-clang-O0", "4" },
	{ "omp_nested-gcc-O2", NULL, true }, { "omp_nested-clang-O2", NULL, true },
};

START_TEST(one_thread_alone_tells_the_same_as_all)
{
	AUTO_INFERIOR i;
	struct target *t;
	struct session *opened = NULL;
	AUTO_SNAPSHOT *all = NULL;
	size_t enough = 0;

	ck_assert(inferior_start(&i, ARGS(rows[_i].program, rows[_i].threads)));
	inferior_await_sleep(&i);
	ck_assert_no_error(live_attach(i.pid, &t));
	ck_assert_no_error(session_new(t, &of_session, &opened));
	AUTO_SESSION *s = opened;
	ck_assert_no_error(snapshot_take(s, &options, &all));
	for (size_t n = 0; n < t->threads.len; n++)
		enough += check_thread(s, all, n);
	/* In nested regions only those who are in none, or in the outermost one, if anybody. */
	ck_assert(rows[_i].nested ? enough < t->threads.len : enough == t->threads.len);
	ck_assert_no_error(target_detach(t));
	inferior_finish(&i);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("whereabouts");

	live_table(s, one_thread_alone_tells_the_same_as_all, 60, COUNT(rows));
	return unit_run(s);
}
