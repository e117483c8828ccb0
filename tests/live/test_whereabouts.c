/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What one thread is in OpenMP, held against a look at all of them. */
#include "inferior.h"

#include "debugger/snapshot.h"
#include "debugger/whereabouts.h"
#include "target/process/live.h"

static const struct session_options of_session = { .lasting_ids = true };
static const struct snapshot_options options = { .max_frames = UNWIND_FRAMES_DEFAULT };

static void check_thread(struct session *s, const struct snapshot *all, size_t i)
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
	ck_assert_int_eq(w.region, picture_region_id(&all->picture, th->region));
	ck_assert_int_eq(w.parent, picture_region_id(&all->picture, r ? r->parent : -1));
	ck_assert_int_eq(w.task, picture_task_id(&all->picture, th->task));
}

static const struct {
	const char *program, *threads;
} rows[] = {
	{ "omp_barrier-gcc-O2", "4" }, { "omp_barrier-clang-O2", "4" },
	{ "omp_barrier-gcc-O0", "4" }, { "omp_barrier-clang-O0", "4" },
	{ "omp_nested-gcc-O2", NULL }, { "omp_nested-clang-O2", NULL },
};

START_TEST(one_thread_alone_tells_the_same_as_all)
{
	AUTO_INFERIOR i;
	struct target *t;
	struct session *opened = NULL;
	AUTO_SNAPSHOT *all = NULL;

	ck_assert(inferior_start(&i, ARGS(rows[_i].program, rows[_i].threads)));
	inferior_await_sleep(&i);
	ck_assert_no_error(live_attach(i.pid, &t));
	ck_assert_no_error(session_new(t, &of_session, &opened));
	AUTO_SESSION *s = opened;
	ck_assert_no_error(snapshot_take(s, &options, &all));
	for (size_t n = 0; n < t->threads.len; n++)
		check_thread(s, all, n);
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
