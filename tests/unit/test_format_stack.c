/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_stack.h"
#include "picture_fixture.h"

static const struct style plain = { .color = false };
static const struct style utf8 = { .utf8 = true };
static const struct style colored = { .color = true };

static const char *thread_text(struct buf *out, size_t index, const struct style *style)
{
	format_stack_thread(out, &world.view, index, style);
	return buf_text(out);
}

/* Threads --------------------------------------------------------------------------------- */

START_TEST(a_member_of_a_team_has_its_number_role_wait_and_stack)
{
	AUTO_BUF out = { 0 };

	world_add_stuck_team(&world);
	ck_assert_str_eq(thread_text(&out, 1, &plain),
			 "\n"
			 "thread 0.1 (LWP 4243 \"app\"), worker\n"
			 "  => waits at barrier (3 of 4 arrived)\n"
			 "  #0  work [parallel]  at app.c:45\n"
			 "      -- parallel region 0, team of 4, level 1, at app.c:41 --\n"
			 "  #1  main             at app.c:80\n");
}
END_TEST

START_TEST(hidden_frames_are_shown_and_numbered_on_demand)
{
	AUTO_BUF out = { 0 };

	world_add_stuck_team(&world);
	world.view.all_frames = true;
	ck_assert_str_eq(thread_text(&out, 0, &utf8),
			 "\n"
			 "thread 0.0 (LWP 4242 \"app\"), primary thread\n"
			 "  → waits at barrier (3 of 4 arrived)\n"
			 "  #0  gomp_team_barrier_wait_end  in libgomp.so.1.0.0\n"
			 "  #1  work [parallel]             at app.c:45\n"
			 "      ── parallel region 0, team of 4, level 1, at app.c:41 ──\n"
			 "  #2  GOMP_parallel               in libgomp.so.1.0.0\n"
			 "  #3  main                        at app.c:80\n"
			 "  #4  _start                      in libgomp.so.1.0.0\n");
}
END_TEST

START_TEST(a_stack_that_does_not_get_to_main_says_why)
{
	AUTO_BUF out = { 0 };

	world_add_stuck_team(&world);
	ck_assert_str_eq(thread_text(&out, 4, &plain),
			 "\n"
			 "thread 4246 \"app\"\n"
			 "  => waits for condition in pthread_cond_wait()\n"
			 "  #0  serve  at app.c:20\n"
			 "  (stack ends here: a thread that the program made)\n");
}
END_TEST

START_TEST(an_idle_worker_has_no_stack_and_no_false_parent)
{
	AUTO_BUF out = { 0 };

	world_add_stuck_team(&world);
	ck_assert_str_eq(thread_text(&out, 5, &plain), "\n"
						       "thread 4247 \"app\", worker\n"
						       "  => idle in the pool\n");
}
END_TEST

START_TEST(a_border_without_visible_frames_stands_alone)
{
	AUTO_BUF out = { 0 };

	world_add_region(&world, -1, 0, 1, 41);
	world_add_thread(&world, ROLE_PRIMARY, 0, 0);
	world_wait(&world, WAIT_REGION_END)->place = world_place("work", 41);
	world_add_frame(&world, "gomp_team_end", 0, NULL);
	world_end_region(&world, 0);
	world_add_frame(&world, "main", 80, NULL);
	ck_assert_str_eq(thread_text(&out, 0, &plain),
			 "\n"
			 "thread 0.0 (LWP 4242 \"app\"), primary thread\n"
			 "  => waits at the end of the region, at app.c:41\n"
			 "      -- parallel region 0, team of 1, level 1, at app.c:41 --\n"
			 "  #0  main  at app.c:80\n");
}
END_TEST

START_TEST(numbers_line_up_and_count_what_is_folded)
{
	AUTO_BUF out = { 0 };

	world_add_thread(&world, ROLE_INITIAL, -1, -1);
	for (int i = 0; i < 10; i++)
		world_add_frame(&world, "fib", 7, NULL);
	world_add_frame(&world, "main", 80, NULL);
	ck_assert_str_eq(thread_text(&out, 0, &plain),
			 "\n"
			 "thread 4242 \"app\", initial thread, in no region\n"
			 "  => runs\n"
			 "  #0   fib   at app.c:7\n"
			 "  (the same call 9 more times)\n"
			 "  #10  main  at app.c:80\n");
}
END_TEST

START_TEST(a_long_name_moves_only_its_own_location)
{
	AUTO_BUF out = { 0 };

	world_add_thread(&world, ROLE_NONE, -1, -1);
	world_add_frame(&world, "a_function_with_a_name_of_more_than_forty_columns", 1, NULL);
	world_add_frame(&world, "h\xc3\xb6he", 2, NULL);
	world_add_frame(&world, "high", 3, NULL);
	ck_assert_str_eq(thread_text(&out, 0, &plain),
			 "\n"
			 "thread 4242 \"app\"\n"
			 "  => runs\n"
			 "  #0  a_function_with_a_name_of_more_than_forty_columns  at app.c:1\n"
			 "  #1  h\xc3\xb6he  at app.c:2\n"
			 "  #2  high  at app.c:3\n");
}
END_TEST

/* Begin and end --------------------------------------------------------------------------- */

START_TEST(the_runtimes_are_told_first)
{
	AUTO_BUF out = { 0 };

	world_add_gomp(&world);
	struct picture_runtime *r = world_add_gomp(&world);
	r->name = "libomp";
	r->version_of_compiler = false;
	free(r->version);
	r->version = strdup("LLVM OMP version: 5.0.20140926");
	free(r->status);
	r->status = strdup("stripped: symbols recovered");
	r = world_add_gomp(&world);
	free(r->version);
	r->version = NULL;
	free(r->status);
	r->status = NULL;
	format_stack_begin(&out, &world.view, &plain);
	ck_assert_str_eq(buf_text(&out),
			 "process 4242 (/srv/u/app), 0 threads\n"
			 "libgomp of GCC 12 (layout of GCC 12)\n"
			 "libomp, LLVM OMP version: 5.0.20140926 (stripped: symbols recovered)\n"
			 "libgomp\n");
}
END_TEST

START_TEST(without_notes_there_is_no_end)
{
	AUTO_BUF out = { 0 };

	format_stack_end(&out, &world.view, &plain);
	ck_assert_uint_eq(out.len, 0);
}
END_TEST

/* Looks ----------------------------------------------------------------------------------- */

START_TEST(hostile_strings_are_harmless_wherever_they_stand)
{
	static char bad[] = "\033]0;x\a\x9b\xff\xe2\x80\xae\r\n\x7f";
	AUTO_BUF out = { 0 };
	size_t harmful = 0;

	world_add_stuck_team(&world);
	world_spoil(&world, bad);
	world.view.all_frames = true;
	for (size_t i = 0; i < world.picture.threads.len; i++)
		thread_text(&out, i, &plain);
	for (size_t i = 0; i < out.len; i++)
		harmful += out.data[i] != '\n' && (out.data[i] < 0x20 || out.data[i] > 0x7e);
	ck_assert_uint_eq(harmful, 0);
}
END_TEST

START_TEST(colors_change_nothing_but_the_color)
{
	AUTO_BUF out = { 0 };
	AUTO_BUF without = { 0 };
	AUTO_BUF expected = { 0 };

	world_add_stuck_team(&world);
	world.view.all_frames = true;
	for (size_t i = 0; i < world.picture.threads.len; i++) {
		thread_text(&out, i, &colored);
		thread_text(&expected, i, &plain);
	}
	unit_add_without_colors(&without, &out);
	ck_assert_uint_lt(without.len, out.len);
	ck_assert_str_eq(buf_text(&without), buf_text(&expected));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("format_stack");

	world_case(s, "threads", a_member_of_a_team_has_its_number_role_wait_and_stack,
		   hidden_frames_are_shown_and_numbered_on_demand,
		   a_stack_that_does_not_get_to_main_says_why,
		   an_idle_worker_has_no_stack_and_no_false_parent,
		   a_border_without_visible_frames_stands_alone,
		   numbers_line_up_and_count_what_is_folded,
		   a_long_name_moves_only_its_own_location);
	world_case(s, "begin and end", the_runtimes_are_told_first, without_notes_there_is_no_end);
	world_case(s, "looks", hostile_strings_are_harmless_wherever_they_stand,
		   colors_change_nothing_but_the_color);
	return unit_run(s);
}
