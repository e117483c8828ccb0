/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_stack.h"
#include "picture_fixture.h"

static const struct style plain = { .color = false };
static const struct style utf8 = { .utf8 = true };
static const struct style colored = { .color = true };

/* What is written of one thread of the world. */
static const char *thread_text(struct buf *out, size_t index, const struct style *style)
{
	AUTO_BUF all = { 0 };
	AUTO_BUF head = { 0 };

	format_stacks(&all, &world.view, style);
	format_stack_head(&head, &world.view, style);
	char *text = strstr(buf_text(&all), buf_text(&head));
	ck_assert_ptr_eq(text, buf_text(&all));
	text += head.len;
	for (; index; index--)
		text = strstr(text, "\n\n") + 1;
	char *end = strstr(text, "\n\n");
	buf_add(out, text, end ? (size_t)(end + 1 - text) : strlen(text));
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
	format_stack_head(&out, &world.view, &plain);
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

	format_stacks(&out, &world.view, &plain);
	ck_assert_str_eq(buf_text(&out), "process 4242 (/srv/u/app), 0 threads\n"
					 "no OpenMP runtime\n");
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
	format_stacks(&out, &world.view, &plain);
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
	format_stacks(&out, &world.view, &colored);
	format_stacks(&expected, &world.view, &plain);
	unit_add_without_colors(&without, &out);
	ck_assert_uint_lt(without.len, out.len);
	ck_assert_str_eq(buf_text(&without), buf_text(&expected));
}
END_TEST

/* Raw stacks ------------------------------------------------------------------------------ */

/* Members of a VEC that is an array. */
#define VEC_OF(array)                                                                              \
	{                                                                                          \
		.items = (array), .len = COUNT(array)                                              \
	}

static void add_raw(struct buf *out, const struct stacks *s, const struct style *style)
{
	const struct picture none = { 0 };
	const struct view v = { .stacks = s, .picture = &none, .raw = true };

	format_stacks(out, &v, style);
	ck_assert(buf_ok(out));
}

/* The lines of a thread alone. */
static void add_raw_thread(struct buf *out, struct stack_thread *t, const struct style *style)
{
	struct stacks s = { .exe = (char *)"", .threads = { t, 1, 1 } };
	AUTO_BUF all = { 0 };

	add_raw(&all, &s, style);
	buf_adds(out, strchr(buf_text(&all), '\n') + 1);
}

static const char *raw_thread_text(struct buf *out, struct stack_thread *t)
{
	add_raw_thread(out, t, &plain);
	return buf_text(out);
}

/* Raw threads ----------------------------------------------------------------------------- */

START_TEST(columns_line_up_and_inlined_calls_have_no_address)
{
	AUTO_BUF out = { 0 };
	struct stack_frame frames[] = {
		{ .pc = 0x7f3a1c0c81a7,
		  .function = "do_wait",
		  .offset = 0x57,
		  .module = "/usr/lib/x86_64-linux-gnu/libgomp.so.1.0.0" },
		{ .pc = 0x5581a2b31180,
		  .function = "helper",
		  .offset = 4,
		  .file = "/srv/u/src/app.c",
		  .line = 12,
		  .module = "/srv/u/app",
		  .inlined = true },
		{ .pc = 0x5581a2b31180,
		  .function = "main._omp_fn.0",
		  .offset = 0x31,
		  .file = "app.c",
		  .line = 41,
		  .module = "/srv/u/app" },
	};
	struct stack_thread t = { .lwp = 4242, .name = (char *)"app", .frames = VEC_OF(frames) };

	ck_assert_str_eq(raw_thread_text(&out, &t),
			 "\nthread 4242 \"app\"\n"
			 "  #0  0x7f3a1c0c81a7  do_wait+0x57         in libgomp.so.1.0.0\n"
			 "  #1  inlined         helper               at app.c:12\n"
			 "  #2  0x5581a2b31180  main._omp_fn.0+0x31  at app.c:41\n");
}
END_TEST

START_TEST(numbers_line_up_beyond_nine_frames)
{
	AUTO_BUF out = { 0 };
	struct stack_frame frames[11] = { 0 };
	struct stack_thread t = { .lwp = 7, .name = (char *)"", .frames = VEC_OF(frames) };

	const char *text = raw_thread_text(&out, &t);
	ck_assert_ptr_nonnull(strstr(text, "\n  #9   0x000000000000  ??"));
	ck_assert_ptr_nonnull(strstr(text, "\n  #10  0x000000000000  ??"));
}
END_TEST

START_TEST(a_long_raw_name_moves_only_its_own_location)
{
	AUTO_BUF out = { 0 };
	struct stack_frame frames[] = {
		{ .pc = 1, .function = "f", .file = "a.c", .line = 1 },
		{ .pc = 2,
		  .function = "std::vector<std::string>::emplace_back_or_throw(std::string&&)",
		  .file = "a.c",
		  .line = 2 },
	};
	struct stack_thread t = { .lwp = 7, .name = (char *)"x", .frames = VEC_OF(frames) };

	ck_assert_str_eq(raw_thread_text(&out, &t),
			 "\nthread 7 \"x\"\n"
			 "  #0  0x000000000001  f  at a.c:1\n"
			 "  #1  0x000000000002  std::vector<std::string>::emplace_back_or_throw("
			 "std::string&&)  at a.c:2\n");
}
END_TEST

START_TEST(columns_are_measured_in_characters_not_bytes)
{
	AUTO_BUF out = { 0 };
	struct stack_frame frames[] = {
		{ .pc = 1, .function = "h\xc3\xb6he", .file = "a.c", .line = 1 },
		{ .pc = 2, .function = "high", .file = "a.c", .line = 2 },
	};
	struct stack_thread t = { .lwp = 7, .name = (char *)"x", .frames = VEC_OF(frames) };

	ck_assert_str_eq(raw_thread_text(&out, &t), "\nthread 7 \"x\"\n"
						    "  #0  0x000000000001  h\xc3\xb6he  at a.c:1\n"
						    "  #1  0x000000000002  high  at a.c:2\n");
}
END_TEST

START_TEST(the_end_of_an_incomplete_stack_is_told)
{
	AUTO_BUF out = { 0 };
	struct stack_frame frames[] = { { .pc = 1, .function = "f", .module = "/lib/l.so" } };
	struct stack_thread t = {
		.lwp = 7,
		.name = (char *)"x",
		.frames = VEC_OF(frames),
		.end = (char *)"no memory at 0x10",
	};

	ck_assert_str_eq(raw_thread_text(&out, &t), "\nthread 7 \"x\"\n"
						    "  #0  0x000000000001  f  in l.so\n"
						    "  (stack ends here: no memory at 0x10)\n");
}
END_TEST

START_TEST(a_thread_without_frames_says_why)
{
	AUTO_BUF out = { 0 };
	struct stack_thread t = { .lwp = 7, .name = (char *)"x", .end = (char *)"it has ended" };

	ck_assert_str_eq(raw_thread_text(&out, &t), "\nthread 7 \"x\"\n  (it has ended)\n");
}
END_TEST

START_TEST(a_thread_without_a_name_has_its_number)
{
	AUTO_BUF out = { 0 };
	struct stack_thread t = { .lwp = 7, .name = (char *)"", .end = (char *)"e" };

	ck_assert_str_eq(raw_thread_text(&out, &t), "\nthread 7\n  (e)\n");
}
END_TEST

/* Raw frames ------------------------------------------------------------------------------ */

static const struct {
	const char *shown;
	struct stack_frame frame;
} frames_of_all_kinds[] = {
	{ "  #0  0x000000001234  ??  in libx.so+0x234\n",
	  { .pc = 0x1234, .offset = 0x234, .module = "/opt/libx.so" } },
	{ "  #0  0x000000001234  ??  in no file\n", { .pc = 0x1234, .offset = 0x1234 } },
	{ "  #0  0xffffffffff600007  f+0x7  in [vsyscall]\n",
	  { .pc = 0xffffffffff600007, .function = "f", .offset = 7, .module = "[vsyscall]" } },
	{ "  #0  0x000000001234  f  at a.c\n",
	  { .pc = 0x1234, .function = "f", .file = "/s/a.c" } },
	{ "  #0  0x000000001234  f  in /s/a/\n",
	  { .pc = 0x1234, .function = "f", .module = "/s/a/" } },
	{ "  #0  0x000000001234  <signal handler called>  in libc.so.6\n",
	  { .pc = 0x1234,
	    .function = "__restore_rt",
	    .module = "/lib/libc.so.6",
	    .signal = true } },
	{ "  #0  0x000000001234  f  in l.so  (guessed)\n",
	  { .pc = 0x1234, .function = "f", .module = "/l.so", .guessed = true } },
	{ "  #0  0x000000001234  a\\x1b[31m  at b\\x0a:5\n",
	  { .pc = 0x1234, .function = "a\033[31m", .file = "/s/b\n", .line = 5 } },
};

START_TEST(each_kind_of_frame_has_its_form)
{
	AUTO_BUF out = { 0 };
	struct stack_frame frame = frames_of_all_kinds[_i].frame;
	struct stack_thread t = { .lwp = 1, .name = (char *)"t", .frames = { &frame, 1, 1 } };

	ck_assert_str_eq(strstr(raw_thread_text(&out, &t), "  #"), frames_of_all_kinds[_i].shown);
}
END_TEST

/* Target and notes of raw stacks ---------------------------------------------------------- */

START_TEST(a_process_is_named_with_its_program)
{
	AUTO_BUF out = { 0 };
	struct stack_thread threads[2] = { { .name = (char *)"" }, { .name = (char *)"" } };
	struct stacks s = { .pid = 42, .exe = (char *)"/srv/u/app", .threads = VEC_OF(threads) };

	add_raw(&out, &s, &plain);
	ck_assert_str_eq(buf_text(&out),
			 "process 42 (/srv/u/app), 2 threads\n\nthread 0\n\nthread 0\n");
}
END_TEST

START_TEST(a_core_file_is_named_with_its_process)
{
	AUTO_BUF out = { 0 };
	struct stack_thread threads[1] = { { .name = (char *)"" } };
	struct stacks s = {
		.pid = 42,
		.core = (char *)"core.42",
		.exe = (char *)"/srv/u/app",
		.threads = VEC_OF(threads),
	};

	add_raw(&out, &s, &plain);
	ck_assert_str_eq(buf_text(&out),
			 "core file core.42 of process 42 (/srv/u/app), 1 thread\n\nthread 0\n");
}
END_TEST

START_TEST(what_is_unknown_of_a_core_file_is_left_out)
{
	AUTO_BUF out = { 0 };
	struct stacks s = { .core = (char *)"x", .exe = (char *)"" };

	add_raw(&out, &s, &plain);
	ck_assert_str_eq(buf_text(&out), "core file x of an unknown process, 0 threads\n");
}
END_TEST

START_TEST(notes_stand_at_the_end)
{
	AUTO_BUF out = { 0 };
	char *notes[] = { (char *)"/l.so: file is deleted", (char *)"/m\033.so: file is missing" };
	struct stacks s = { .exe = (char *)"", .notes = VEC_OF(notes) };

	add_raw(&out, &s, &plain);
	ck_assert_str_eq(buf_text(&out), "an unknown process, 0 threads\n"
					 "\nnote: /l.so: file is deleted\n"
					 "note: /m\\x1b.so: file is missing\n");
}
END_TEST

/* Hostile raw strings --------------------------------------------------------------------- */

/* No control character but newline, and no byte that is not UTF-8. */
static void assert_harmless(const char *text)
{
	for (const char *p = text; *p; p++)
		ck_assert_msg(*p == '\n' || (*p >= 0x20 && *p < 0x7f), "byte 0x%02x at %zu in %s",
			      (unsigned char)*p, (size_t)(p - text), text);
}

static const char *const hostile[] = {
	"\033]0;title\a", "\x9b\x33\x31m", "\xc2\x9b[31m", "\xff\xfe", "\xc0\x80",
	"a\rb\bc\nd",     "\xe2\x80\xae",  "\xed\xa0\x80", "\x7f",
};

START_TEST(hostile_raw_strings_are_harmless_wherever_they_stand)
{
	AUTO_BUF out = { 0 };
	char *bad = (char *)hostile[_i];
	struct stack_frame frames[] = {
		{ .function = bad, .file = bad, .line = 1, .module = bad },
		{ .module = bad },
	};
	struct stack_thread t = { .name = bad, .frames = VEC_OF(frames), .end = bad };
	struct stacks s = {
		.core = bad,
		.exe = bad,
		.notes = { &bad, 1, 1 },
		.threads = { &t, 1, 1 },
	};

	add_raw(&out, &s, &plain);
	assert_harmless(buf_text(&out));
}
END_TEST

/* Colours of raw stacks -------------------------------------------------------------------- */

START_TEST(colors_change_nothing_but_the_color_of_raw_stacks)
{
	AUTO_BUF out = { 0 };
	struct stack_frame frames[] = {
		{ .pc = 1, .function = "f", .file = "a.c", .line = 1 },
		{ .pc = 2, .function = "longer", .offset = 3, .module = "/l.so", .guessed = true },
	};
	struct stack_thread t = {
		.lwp = 7,
		.name = (char *)"x",
		.frames = VEC_OF(frames),
		.end = (char *)"e",
	};
	AUTO_BUF without = { 0 };

	add_raw_thread(&out, &t, &colored);
	ck_assert_ptr_nonnull(strchr(buf_text(&out), '\033'));
	unit_add_without_colors(&without, &out);
	AUTO_BUF expected = { 0 };
	ck_assert_str_eq(buf_text(&without), raw_thread_text(&expected, &t));
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
	unit_case(s, "raw threads", columns_line_up_and_inlined_calls_have_no_address,
		  numbers_line_up_beyond_nine_frames, a_long_raw_name_moves_only_its_own_location,
		  columns_are_measured_in_characters_not_bytes,
		  the_end_of_an_incomplete_stack_is_told, a_thread_without_frames_says_why,
		  a_thread_without_a_name_has_its_number);
	unit_table(s, each_kind_of_frame_has_its_form, frames_of_all_kinds);
	unit_case(s, "raw target", a_process_is_named_with_its_program,
		  a_core_file_is_named_with_its_process, what_is_unknown_of_a_core_file_is_left_out,
		  notes_stand_at_the_end);
	unit_table(s, hostile_raw_strings_are_harmless_wherever_they_stand, hostile);
	unit_case(s, "raw colors", colors_change_nothing_but_the_color_of_raw_stacks);
	return unit_run(s);
}
