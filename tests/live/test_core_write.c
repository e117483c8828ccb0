/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Core files that ompdb writes, read again by ompdb; what gdb makes of them is for tests/cli. */
#include "inferior.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "debugger/snapshot.h"
#include "target/core/core.h"
#include "target/core/core_write.h"

static const struct session_options of_session = { .ompd_library = NULL };
static const struct snapshot_options options = { .max_frames = UNWIND_FRAMES_DEFAULT };

static void take(struct target *t, struct session **session, struct snapshot **ret)
{
	ck_assert_no_error(session_new(t, &of_session, session));
	ck_assert_no_error(snapshot_take(*session, &options, ret));
	ck_assert_no_error(snapshot_name(*ret));
}

static void check_same(const struct snapshot *live, const struct snapshot *core)
{
	ck_assert_uint_gt(live->picture.regions.len, 0);
	ck_assert_uint_eq(live->picture.regions.len, core->picture.regions.len);
	ck_assert_uint_eq(live->picture.tasks.len, core->picture.tasks.len);
	ck_assert_uint_eq(live->stacks->threads.len, core->stacks->threads.len);
	for (size_t i = 0; i < live->stacks->threads.len; i++) {
		const struct unwind_stack *a = &live->stacks->raw[i], *b = &core->stacks->raw[i];
		ck_assert_int_eq(live->stacks->threads.items[i].lwp,
				 core->stacks->threads.items[i].lwp);
		ck_assert_uint_gt(a->len, 1);
		ck_assert_uint_eq(a->len, b->len);
		for (size_t n = 0; n < a->len; n++) {
			ck_assert_uint_eq(a->items[n].pc, b->items[n].pc);
			ck_assert_uint_eq(a->items[n].cfa, b->items[n].cfa);
		}
	}
}

static const char *const programs[] = { "omp_nested-gcc-O0", "omp_nested-gcc-O2",
					"omp_nested-clang-O0", "omp_nested-clang-O2" };

START_TEST(it_shows_the_process_as_it_stood)
{
	AUTO_INFERIOR i;
	AUTO_SESSION *live = NULL, *core = NULL;
	AUTO_SNAPSHOT *was = NULL, *is = NULL;
	struct target *t, *written;
	char path[] = "/tmp/ompdb-core-XXXXXX";
	uint8_t byte, own;
	struct stat st;

	ck_assert(inferior_start(&i, ARGS(programs[_i])));
	inferior_await_sleep(&i);
	taddr site = inferior_symbol(&i, "main");
	t = inferior_attach(&i);
	ck_assert_no_error(target_read(t, site, &own, 1));
	ck_assert_no_error(target_plant(t, site));
	take(t, &live, &was);
	close(mkstemp(path));
	ck_assert_no_error(core_write(t, t->threads.items[t->threads.len - 1], path));
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_uint_eq(st.st_mode & 0777, 0600);
	ck_assert_no_error(core_open(path, NULL, &written));
	unlink(path);
	take(written, &core, &is);
	check_same(was, is);
	ck_assert_no_error(target_read(written, site, &byte, 1));
	ck_assert_uint_eq(byte, own);
	ck_assert_no_error(target_unplant(t, site));
	ck_assert_no_error(target_detach(t));
	inferior_check_untouched(&i, "S");
	inferior_finish(&i);
}
END_TEST

START_TEST(a_file_that_cannot_be_written_is_refused_and_nothing_is_left)
{
	AUTO_INFERIOR i;

	ck_assert(inferior_start(&i, ARGS("omp_barrier-gcc-O0", "2")));
	AUTO_TARGET *t = inferior_attach(&i);
	ck_assert_error(core_write(t, NULL, "/nowhere/core"), ERROR_NOT_FOUND, "/nowhere/core");
	ck_assert_error(core_write(t, NULL, "/dev/full/core"), ERROR_OS, "creating /dev/full/core");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("core_write");

	live_table(s, it_shows_the_process_as_it_stood, 60, COUNT(programs));
	live_case(s, "refusals", 60, a_file_that_cannot_be_written_is_refused_and_nothing_is_left);
	return unit_run(s);
}
