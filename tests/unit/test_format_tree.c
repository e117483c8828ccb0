/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdio.h>

#include "debugger/output/format_stack.h"
#include "debugger/output/format_tree.h"
#include "picture_fixture.h"

static const struct style plain = { .color = false };
static const struct style utf8 = { .utf8 = true };
static const struct style colored = { .color = true };

/* Returns how many branches it has. */
static size_t add_all(struct buf *out, const struct style *style)
{
	AUTO_MERGE *root = NULL;
	AUTO(branches_fini) struct branches branches = { 0 };

	ck_assert_no_error(
		merge_stacks(&world.stitched, world.view.all_frames, world.view.values, &root));
	ck_assert_no_error(
		branches_make(root, &world.stitched, format_tree_say, &world.view, &branches));
	format_tree(out, &world.view, &branches, style);
	ck_assert(buf_ok(out));
	return branches.list.len;
}

/* The same without what stands above the tree. */
static size_t add_tree(struct buf *out, const struct style *style)
{
	AUTO_BUF all = { 0 };
	AUTO_BUF head = { 0 };

	size_t branches = add_all(&all, style);
	format_stack_head(&head, &world.view, style);
	ck_assert_ptr_eq(strstr(buf_text(&all), buf_text(&head)), buf_text(&all));
	buf_adds(out, buf_text(&all) + head.len);
	return branches;
}

static void assert_tree(const struct style *style, const char *expected)
{
	AUTO_BUF out = { 0 };

	add_tree(&out, style);
	ck_assert_str_eq(buf_text(&out), expected);
}

/* Whole screens --------------------------------------------------------------------------- */

START_TEST(a_stuck_team_is_seen_at_a_glance)
{
	AUTO_BUF out = { 0 };

	world_add_stuck_team(&world);
	ck_assert(vec_push(&world.picture.notes, strdup("one")));
	ck_assert(vec_push(&world.stacks.notes, strdup("two")));
	add_all(&out, &plain);
	ck_assert_str_eq(buf_text(&out),
			 "process 4242 (/srv/u/app), 7 threads\n"
			 "libgomp of GCC 12 (layout of GCC 12)\n"
			 "\n"
			 "4 threads: 0.[0-3]\n"
			 "  main  at app.c:80\n"
			 "  -- parallel region 0, team of 4, level 1, at app.c:41 --\n"
			 "  +- 3 threads: 0.[0,1,3]\n"
			 "  |  work [parallel]  at app.c:45\n"
			 "  |  => wait at barrier (3 of 4 arrived)\n"
			 "  `- thread 0.2\n"
			 "     work [parallel]  at app.c:47\n"
			 "     read_data        at app.c:12\n"
			 "     => in read(0)\n"
			 "\n"
			 "thread 4246\n"
			 "  (stack ends here: a thread that the program made)\n"
			 "  serve  at app.c:20\n"
			 "  => waits for condition in pthread_cond_wait()\n"
			 "\n"
			 "2 threads idle in the pool: 4247 4248\n"
			 "\n"
			 "note: one\n"
			 "note: two\n");
}
END_TEST

START_TEST(hidden_frames_are_shown_on_demand)
{
	world_add_stuck_team(&world);
	world.view.all_frames = true;
	assert_tree(&plain, "\n"
			    "4 threads: 0.[0-3]\n"
			    "  _start         in libgomp.so.1.0.0\n"
			    "  main           at app.c:80\n"
			    "  GOMP_parallel  in libgomp.so.1.0.0\n"
			    "  -- parallel region 0, team of 4, level 1, at app.c:41 --\n"
			    "  +- 3 threads: 0.[0,1,3]\n"
			    "  |  work [parallel]             at app.c:45\n"
			    "  |  gomp_team_barrier_wait_end  in libgomp.so.1.0.0\n"
			    "  |  => wait at barrier (3 of 4 arrived)\n"
			    "  `- thread 0.2\n"
			    "     work [parallel]  at app.c:47\n"
			    "     read_data        at app.c:12\n"
			    "     => in read(0)\n"
			    "\n"
			    "thread 4246\n"
			    "  (stack ends here: a thread that the program made)\n"
			    "  serve  at app.c:20\n"
			    "  => waits for condition in pthread_cond_wait()\n"
			    "\n"
			    "2 threads: 4247 4248\n"
			    "  (stack ends here: in the pool)\n"
			    "  gomp_thread_start  in libgomp.so.1.0.0\n"
			    "  => idle in the pool\n");
}
END_TEST

/* Two teams of two in a team of two; each number 1 is somewhere else. */
static void add_nest(void)
{
	world_add_gomp(&world);
	world_add_region(&world, -1, 0, 2, 63);
	world.picture.regions.items[0].members.items[1] = 2;
	world_add_region(&world, 0, 0, 2, 70);
	world_add_region(&world, 0, 2, 2, 70);
	for (int i = 0; i < 4; i++) {
		int region = 1 + i / 2;
		world_add_thread(&world, i % 2 ? ROLE_WORKER : ROLE_PRIMARY, region, i % 2);
		world_wait(&world, i % 2 ? WAIT_NONE : WAIT_EXPLICIT_BARRIER);
		world_add_frame(&world, "inner", 50 + i % 2, NULL);
		world_add_frame(&world, "main", 72, "parallel");
		world_end_region(&world, region);
		world_add_frame(&world, "main", 70, "parallel");
		world_end_region(&world, 0);
		world_add_frame(&world, "main", 63, NULL);
	}
}

START_TEST(nested_regions_are_branches_within_branches)
{
	add_nest();
	assert_tree(&plain,
		    "\n"
		    "4 threads: 1.[0,1] 2.[0,1]\n"
		    "  main             at app.c:63\n"
		    "  -- parallel region 0, team of 2, level 1, at app.c:63 --\n"
		    "  main [parallel]  at app.c:70\n"
		    "  +- 2 threads: 1.[0,1]\n"
		    "  |  -- parallel region 1, team of 2, level 2, at app.c:70 by thread 0.0 --\n"
		    "  |  main [parallel]  at app.c:72\n"
		    "  |  +- thread 1.0\n"
		    "  |  |  inner  at app.c:50\n"
		    "  |  |  => waits at barrier\n"
		    "  |  `- thread 1.1\n"
		    "  |     inner  at app.c:51\n"
		    "  |     => runs\n"
		    "  `- 2 threads: 2.[0,1]\n"
		    "     -- parallel region 2, team of 2, level 2, at app.c:70 by thread 0.1 --\n"
		    "     main [parallel]  at app.c:72\n"
		    "     +- thread 2.0\n"
		    "     |  inner  at app.c:50\n"
		    "     |  => waits at barrier\n"
		    "     `- thread 2.1\n"
		    "        inner  at app.c:51\n"
		    "        => runs\n");
}
END_TEST

START_TEST(lines_are_drawn_with_utf8_where_wanted)
{
	world_add_region(&world, -1, 0, 3, 41);
	for (int i = 0; i < 3; i++) {
		world_add_thread(&world, ROLE_WORKER, 0, i);
		world_add_frame(&world, "f", i == 2 ? 2 : 1, NULL);
		world_add_frame(&world, "g", i ? 4 : 3, NULL);
		world_end_region(&world, 0);
	}
	assert_tree(&utf8, "\n"
			   "3 threads: 0.[0-2]\n"
			   "  ── parallel region 0, team of 3, level 1, at app.c:41 ──\n"
			   "  ├─ thread 0.0\n"
			   "  │  g  at app.c:3\n"
			   "  │  f  at app.c:1\n"
			   "  │  → runs\n"
			   "  └─ 2 threads: 0.[1,2]\n"
			   "     g  at app.c:4\n"
			   "     ├─ thread 0.1\n"
			   "     │  f  at app.c:1\n"
			   "     │  → runs\n"
			   "     └─ thread 0.2\n"
			   "        f  at app.c:2\n"
			   "        → runs\n");
}
END_TEST

/* Ends of stacks -------------------------------------------------------------------------- */

START_TEST(threads_that_stay_where_others_go_on_have_a_branch_of_their_own)
{
	world_add_region(&world, -1, 0, 3, 41);
	for (int i = 0; i < 3; i++) {
		world_add_thread(&world, i ? ROLE_WORKER : ROLE_PRIMARY, 0, i);
		world_wait(&world, i == 1 ? WAIT_NONE : WAIT_REGION_END);
		world_add_frame(&world, i == 1 ? "work" : "gomp_team_end", i == 1 ? 45 : 0,
				i == 1 ? "parallel" : NULL);
		world_end_region(&world, 0);
		world_add_frame(&world, "main", 80, NULL);
	}
	assert_tree(&plain, "\n"
			    "3 threads: 0.[0-2]\n"
			    "  main  at app.c:80\n"
			    "  -- parallel region 0, team of 3, level 1, at app.c:41 --\n"
			    "  +- 2 threads: 0.[0,2] => wait at the end of the region\n"
			    "  `- thread 0.1\n"
			    "     work [parallel]  at app.c:45\n"
			    "     => runs\n");
}
END_TEST

START_TEST(threads_at_one_place_that_wait_for_different_things_part)
{
	for (int i = 0; i < 3; i++) {
		world_add_thread(&world, ROLE_WORKER, 0, i);
		world_wait(&world, WAIT_LOCK)->object = i == 1 ? 0x20 : 0x10;
		world_add_frame(&world, "f", 1, NULL);
	}
	assert_tree(&plain, "\n"
			    "3 threads: 0.[0-2]\n"
			    "  f  at app.c:1\n"
			    "  +- 2 threads: 0.[0,2] => wait for lock 0x10\n"
			    "  `- thread 0.1 => waits for lock 0x20\n");
}
END_TEST

START_TEST(threads_without_frames_say_what_is_known)
{
	world_add_thread(&world, ROLE_NONE, -1, -1);
	world_wait(&world, WAIT_UNKNOWN);
	world_stack(&world)->end = "it has ended";
	for (int i = 0; i < 3; i++) {
		world_add_thread(&world, ROLE_IDLE, -1, -1);
		world_wait(&world, WAIT_IDLE)->spinning = i == 1;
	}
	for (int i = 0; i < 2; i++) {
		world_add_thread(&world, ROLE_NONE, -1, -1);
		world_stack(&world)->end = "no memory";
	}
	assert_tree(&plain, "\nthread 4242: could not be looked at (it has ended)\n"
			    "\n2 threads idle in the pool: 4243 4245\n"
			    "\nthread 4244: idle in the pool, spinning\n"
			    "\n2 threads run (no memory): 4246 4247\n");
}
END_TEST

START_TEST(stacks_of_one_tree_may_end_for_different_reasons)
{
	char ends[6][32]; /* used until the tree is written */

	for (int i = 0; i < 6; i++) {
		snprintf(ends[i], sizeof(ends[i]), "no memory at 0x%d0", i);
		world_add_thread(&world, ROLE_WORKER, 0, i);
		world_add_frame(&world, "f", 1, NULL);
		if (i)
			world_stack(&world)->end = ends[i == 1 ? 2 : i];
	}
	assert_tree(&plain, "\n"
			    "6 threads: 0.[0-5]\n"
			    "  (stack of 2 threads: 0.[1,2] ends here: no memory at 0x20)\n"
			    "  (stack of thread 0.3 ends here: no memory at 0x30)\n"
			    "  (stack of thread 0.4 ends here: no memory at 0x40)\n"
			    "  (more stacks end here for other reasons)\n"
			    "  f  at app.c:1\n"
			    "  => run\n");
}
END_TEST

START_TEST(a_thread_with_a_name_of_its_own_is_named)
{
	world_add_thread(&world, ROLE_INITIAL, -1, -1);
	world_add_frame(&world, "main", 1, NULL);
	world_add_thread(&world, ROLE_NONE, -1, -1);
	free(world.stacks.threads.items[1].name);
	world.stacks.threads.items[1].name = strdup("io\n");
	world_add_frame(&world, "serve", 2, NULL);
	assert_tree(&plain, "\nthread 4242\n  main  at app.c:1\n  => runs\n"
			    "\nthread 4243 \"io\\x0a\"\n  serve  at app.c:2\n  => runs\n");
}
END_TEST

/* Frames and borders ---------------------------------------------------------------------- */

START_TEST(tasks_say_who_made_them_where)
{
	world_add_region(&world, -1, 0, 2, 41);
	world_add_thread(&world, ROLE_PRIMARY, 0, 0);
	world_add_frame(&world, "solve", 60, "task");
	world_end_task(&world, 1, 57);
	world_add_thread(&world, ROLE_WORKER, 0, 1);
	world_add_frame(&world, "solve", 60, "task");
	world_end_task(&world, -1, 57);
	world_add_thread(&world, ROLE_WORKER, 0, 2);
	world_add_frame(&world, "solve", 60, "task");
	world_end_task(&world, 1, 0);
	world_add_thread(&world, ROLE_WORKER, 0, 3);
	world_add_frame(&world, "solve", 60, "task");
	world_end_task(&world, -1, 0);
	world_stack(&world)->frames.items[0].border.source = SOURCE_INFERRED;
	AUTO_BUF out = { 0 };
	add_tree(&out, &plain);
	ck_assert_ptr_nonnull(
		strstr(buf_text(&out), "-- task created at app.c:57 by thread 0.1 --\n"));
	ck_assert_ptr_nonnull(strstr(buf_text(&out), "-- task created at app.c:57 --\n"));
	ck_assert_ptr_nonnull(strstr(buf_text(&out), "-- task created by thread 0.1 --\n"));
	ck_assert_ptr_nonnull(strstr(buf_text(&out), "-- probably task --\n"));
}
END_TEST

static const struct {
	enum border_kind kind;
	int region;
	bool league, inferred, placed;
	const char *text;
} borders[] = {
	{ BORDER_PARALLEL, 0, false, false, true,
	  "-- parallel region 0, team of 3, level 1, at app.c:41 --" },
	{ BORDER_PARALLEL, 0, false, true, true,
	  "-- probably parallel region 0, team of 3, level 1, at app.c:41 --" },
	{ BORDER_PARALLEL, 0, false, false, false, "-- parallel region 0, team of 3, level 1 --" },
	{ BORDER_PARALLEL, -1, false, true, true, "-- probably parallel region, at app.c:41 --" },
	{ BORDER_PARALLEL, 99, false, false, false, "-- parallel region --" },
	{ BORDER_TEAMS, 0, true, false, true,
	  "-- teams region 0, league of 3, level 1, at app.c:41 --" },
	{ BORDER_TEAMS, -1, false, false, false, "-- teams region --" },
	{ BORDER_TARGET, -1, false, false, true, "-- target region at app.c:41 --" },
	{ BORDER_CALLBACK, -1, false, false, false, "-- called back by the OpenMP runtime --" },
};

START_TEST(each_border_has_its_words)
{
	world_add_region(&world, -1, 0, 3, 41);
	world.picture.regions.items[0].league = borders[_i].league;
	if (!borders[_i].placed)
		world.picture.regions.items[0].place = (struct place){ 0 };
	world_add_thread(&world, ROLE_WORKER, 0, 1);
	struct border *b = &world_add_frame(&world, "f", 1, NULL)->border;
	b->kind = borders[_i].kind;
	b->region = borders[_i].region;
	b->source = borders[_i].inferred ? SOURCE_INFERRED : SOURCE_OMPD;
	if (borders[_i].placed)
		b->place = world_place("work", 41);
	AUTO_BUF expected = { 0 };
	buf_addf(&expected, "\nthread 0.1\n  %s\n  f  at app.c:1\n  => runs\n", borders[_i].text);
	assert_tree(&plain, buf_text(&expected));
}
END_TEST

START_TEST(frames_of_all_kinds_have_their_form)
{
	world_add_thread(&world, ROLE_WORKER, 0, 1);
	world_add_frame(&world, "read", 0, NULL)->hidden = false;
	struct stitched_frame *f = world_add_frame(&world, NULL, 0, NULL);
	f->hidden = false;
	((struct stack_frame *)f->frame)->offset = 0x234;
	((struct stack_frame *)world_add_frame(&world, "x", 3, NULL)->frame)->guessed = true;
	((struct stack_frame *)world_add_frame(&world, "y", 4, NULL)->frame)->signal = true;
	f = world_add_frame(&world, "work", 5, "parallel");
	f->frame = NULL;
	f = world_add_frame(&world, "gone", 0, NULL);
	f->hidden = false;
	f->frame = NULL;
	f = world_add_frame(&world, NULL, 0, "task");
	f->hidden = false;
	((struct stack_frame *)f->frame)->module = NULL;
	assert_tree(&plain, "\n"
			    "thread 0.1\n"
			    "  ?? [task]                in no file\n"
			    "  gone                     (tail-called away)\n"
			    "  work [parallel]          at app.c:5  (tail-called away)\n"
			    "  <signal handler called>  at app.c:4\n"
			    "  x                        at app.c:3  (guessed)\n"
			    "  ??                       in libgomp.so.1.0.0+0x234\n"
			    "  read                     in libgomp.so.1.0.0\n"
			    "  => runs\n");
}
END_TEST

START_TEST(recursion_is_shown_once)
{
	world_add_thread(&world, ROLE_WORKER, -1, -1);
	for (int i = 0; i < 1000; i++)
		world_add_frame(&world, "recurse", 7, NULL);
	for (int i = 0; i < 8; i++)
		world_add_frame(&world, i % 2 ? "odd" : "even", 8 + i % 2, NULL);
	for (int i = 0; i < 3; i++)
		world_add_frame(&world, "thrice", 10, NULL);
	assert_tree(&plain, "\n"
			    "thread 4242\n"
			    "  thrice   at app.c:10\n"
			    "  thrice   at app.c:10\n"
			    "  thrice   at app.c:10\n"
			    "  odd      at app.c:9\n"
			    "  even     at app.c:8\n"
			    "  (these 2 lines 3 more times)\n"
			    "  recurse  at app.c:7\n"
			    "  (the same call 999 more times)\n"
			    "  => runs\n");
}
END_TEST

static void add_frame_in(const char *function, const char *module)
{
	struct stitched_frame *f = world_add_frame(&world, function, 7, NULL);

	world.frames.items[world.frames.len - 1]->module = module;
	f->file = NULL;
}

START_TEST(frames_of_an_interpreter_are_one_line)
{
	world_add_thread(&world, ROLE_WORKER, -1, -1);
	world_add_frame(&world, "multiply", 10, NULL);
	for (int i = 0; i < 12; i++)
		add_frame_in(i % 2 ? "_PyEval_EvalFrameDefault" : "_PyObject_Call",
			     "/usr/lib/libpython3.11.so.1.0");
	add_frame_in("jl_apply", "/usr/lib/libjulia-internal.so.1");
	add_frame_in("Rf_eval", "/usr/lib/R/lib/libR.so");
	add_frame_in("Rf_initEmbeddedR", "/usr/lib/R/lib/libR.so");
	world_add_frame(&world, "main", 80, NULL);
	assert_tree(&plain, "\n"
			    "thread 4242\n"
			    "  main                      at app.c:80\n"
			    "  (2 R frames)\n"
			    "  jl_apply                  in libjulia-internal.so.1\n"
			    "  (12 Python frames)\n"
			    "  multiply                  at app.c:10\n"
			    "  => runs\n");
}
END_TEST

START_TEST(a_deep_nest_of_branches_stays_on_the_screen)
{
	enum { N = 40 };
	AUTO_BUF out = { 0 };
	size_t widest = 0;

	for (int i = 0; i < N; i++) {
		world_add_thread(&world, ROLE_WORKER, 0, i);
		for (int k = i; k >= 0; k--)
			world_add_frame(&world, "f", k + 1, NULL);
	}
	add_tree(&out, &plain);
	for (const char *p = buf_text(&out); *p; p += strcspn(p, "\n") + (strchr(p, '\n') != NULL))
		widest = strcspn(p, "\n") > widest ? strcspn(p, "\n") : widest;
	ck_assert_uint_le(widest, 100);
	ck_assert_ptr_nonnull(strstr(buf_text(&out), "`- (branch 39) thread 0.39\n"));
}
END_TEST

/* Sizes ----------------------------------------------------------------------------------- */

START_TEST(no_threads_make_no_tree)
{
	AUTO_BUF out = { 0 };

	ck_assert_uint_eq(add_tree(&out, &plain), 0);
	ck_assert_uint_eq(out.len, 0);
}
END_TEST

START_TEST(a_program_without_openmp_says_so)
{
	AUTO_BUF out = { 0 };

	add_all(&out, &plain);
	ck_assert_str_eq(buf_text(&out), "process 4242 (/srv/u/app), 0 threads\n"
					 "no OpenMP runtime\n");
}
END_TEST

START_TEST(two_thousand_equal_threads_need_no_more_lines_than_one)
{
	world_add_region(&world, -1, 0, 2048, 41);
	for (int i = 0; i < 2048; i++) {
		world_add_thread(&world, ROLE_WORKER, 0, i);
		world_wait(&world, WAIT_REGION_END);
		world_add_frame(&world, "work", 45, "parallel");
		world_end_region(&world, 0);
		world_add_frame(&world, "main", 80, NULL);
	}
	assert_tree(&plain, "\n"
			    "2048 threads: 0.[0-2047]\n"
			    "  main             at app.c:80\n"
			    "  -- parallel region 0, team of 2048, level 1, at app.c:41 --\n"
			    "  work [parallel]  at app.c:45\n"
			    "  => wait at the end of the region\n");
}
END_TEST

START_TEST(long_sets_are_cut)
{
	for (int i = 0; i < 2048; i++) {
		world_add_thread(&world, ROLE_WORKER, 0, 2 * i);
		world_add_frame(&world, "work", 45, NULL);
	}
	assert_tree(&plain,
		    "\n"
		    "2048 threads: 0.[0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30,32,34,36,38,"
		    "40,42,...]\n"
		    "  work  at app.c:45\n"
		    "  => run\n");
}
END_TEST

START_TEST(two_thousand_different_threads_have_a_branch_each)
{
	AUTO_BUF out = { 0 };

	for (int i = 0; i < 2048; i++) {
		world_add_thread(&world, ROLE_WORKER, 0, i);
		world_wait(&world, WAIT_LOCK)->object = 0x1000 + (taddr)i;
		world_add_frame(&world, "work", i % 2 ? 45 : 46 + i, NULL);
		world_add_frame(&world, "main", 80, NULL);
	}
	/* The program, each even thread, the odd ones together and each of these by itself. */
	ck_assert_uint_eq(add_tree(&out, &plain), 1 + 1024 + 1 + 1024);
}
END_TEST

/* Looks ----------------------------------------------------------------------------------- */

START_TEST(hostile_strings_are_harmless_wherever_they_stand)
{
	static char bad[] = "\033]0;x\a\x9b\xff\xe2\x80\xae\r\n\x7f";

	world_add_stuck_team(&world);
	world_spoil(&world, bad);
	for (int all = 0; all < 2; all++) {
		AUTO_BUF out = { 0 };
		world.view.all_frames = all;
		add_all(&out, &plain);
		size_t harmful = 0;
		for (size_t i = 0; i < out.len; i++)
			harmful +=
				out.data[i] != '\n' && (out.data[i] < 0x20 || out.data[i] > 0x7e);
		ck_assert_uint_eq(harmful, 0);
		ck_assert_ptr_nonnull(strstr(buf_text(&out), "\\x1b]0;x\\x07\\x9b\\xff"));
	}
}
END_TEST

START_TEST(colors_change_nothing_but_the_color)
{
	AUTO_BUF out = { 0 };
	AUTO_BUF without = { 0 };

	world_add_stuck_team(&world);
	world.view.all_frames = true;
	add_tree(&out, &colored);
	unit_add_without_colors(&without, &out);
	ck_assert_uint_lt(without.len, out.len);
	assert_tree(&plain, buf_text(&without));
}
END_TEST

/* Values -------------------------------------------------------------------------------- */

static void add_local(struct frame_values_item *item, const char *name, int n, const char *missing)
{
	struct shown_variable v = { .name = name };

	v.value = (struct shown){ .type = &type_int, .missing = missing, .size = sizeof(n) };
	memcpy(v.value.bytes, &n, sizeof(n));
	ck_assert(vec_push(&item->locals, v));
}

/* Each thread calls work() in app.c:45, and has what add() gives it there. */
static void assert_values(int threads, void (*add)(struct frame_values_item *item, int n),
			  const char *expected)
{
	AUTO(frame_values_fini) struct frame_values values = { .locals = true };
	AUTO_BUF out = { 0 };

	int region = world_add_region(&world, -1, 0, threads, 41);
	for (int i = 0; i < threads; i++) {
		world_add_thread(&world, ROLE_WORKER, region, i);
		struct stitched_frame *f = world_add_frame(&world, "work", 45, NULL);
		struct stack_thread *t = &world.stacks.threads.items[i];
		ck_assert(vec_push(&t->frames, *f->frame));
		f->frame = t->frames.items;
		f->lwp = t->lwp;
		struct frame_values_item item = { .thread = i,
						  .pc = f->frame->pc,
						  .cfa = f->frame->cfa };
		add(&item, i);
		ck_assert(vec_push(&values.items, item));
	}
	world.view.values = &values;
	add_tree(&out, &plain);
	world.view.values = NULL;
	const char *begin = strstr(buf_text(&out), "app.c:45\n");
	ck_assert_ptr_nonnull(begin);
	begin += strlen("app.c:45\n");
	ck_assert_msg(!strncmp(begin, expected, strlen(expected)), "%s", begin);
	vec_for_each (t, &world.stacks.threads)
		vec_fini(&t->frames);
}

static void add_mixed(struct frame_values_item *item, int n)
{
	add_local(item, "same", 7, NULL);
	add_local(item, "n", n, NULL);
	add_local(item, "two", n == 3, NULL);
	add_local(item, "gone", 0, "optimized out");
	add_local(item, "some", 5, n < 2 ? "optimized out" : NULL);
	add_local(item, "n", 9, NULL);
	add_local(item, "away", 0, "optimized out");
	if (n == 1)
		add_local(item, "\033[2J", 1, NULL);
}

START_TEST(values_of_threads_are_merged)
{
	assert_values(4, add_mixed,
		      "      same = 7\n"
		      "      n = 0.0: 0  0.1: 1  0.2: 2  0.3: 3\n"
		      "      two = 0.[0-2]: 0  0.3: 1\n"
		      "      some = 0.[0,1]: <optimized out>  0.[2,3]: 5\n"
		      "      n = 9\n"
		      "      \\x1b[2J = 0.1: 1\n"
		      "      <optimized out>: gone, away\n");
}
END_TEST

static void add_many(struct frame_values_item *item, int n)
{
	add_local(item, "i", n - 3, NULL);
	add_local(item, "some", n, n == 8 ? "optimized out" : NULL);
}

START_TEST(many_values_are_a_range)
{
	assert_values(9, add_many,
		      "      i = -3..5 (9 threads)\n"
		      "      some = 0.0: 0  0.1: 1  0.2: 2  0.3: 3  ... and 5 other values\n");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("format_tree");

	world_case(s, "screens", a_stuck_team_is_seen_at_a_glance,
		   hidden_frames_are_shown_on_demand, nested_regions_are_branches_within_branches,
		   lines_are_drawn_with_utf8_where_wanted);
	world_case(s, "ends", threads_that_stay_where_others_go_on_have_a_branch_of_their_own,
		   threads_at_one_place_that_wait_for_different_things_part,
		   threads_without_frames_say_what_is_known,
		   stacks_of_one_tree_may_end_for_different_reasons,
		   a_thread_with_a_name_of_its_own_is_named);
	world_case(s, "frames", tasks_say_who_made_them_where, frames_of_all_kinds_have_their_form,
		   recursion_is_shown_once, frames_of_an_interpreter_are_one_line,
		   a_deep_nest_of_branches_stays_on_the_screen);
	world_table(s, each_border_has_its_words, borders);
	world_case(s, "sizes", no_threads_make_no_tree, a_program_without_openmp_says_so,
		   two_thousand_equal_threads_need_no_more_lines_than_one, long_sets_are_cut,
		   two_thousand_different_threads_have_a_branch_each);
	world_case(s, "values", values_of_threads_are_merged, many_values_are_a_range);
	world_case(s, "looks", hostile_strings_are_harmless_wherever_they_stand,
		   colors_change_nothing_but_the_color);
	return unit_run(s);
}
