/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format.h"
#include "unit.h"

static const struct style plain = { .color = false };
static const struct style colored = { .color = true };

/* Members of a VEC that is an array. */
#define VEC_OF(array)                                                                              \
	{                                                                                          \
		.items = (array), .len = COUNT(array)                                              \
	}

static const char *thread_text(struct buf *out, const struct stack_thread *t)
{
	format_stacks_thread(out, t, &plain);
	return buf_text(out);
}

/* Threads --------------------------------------------------------------------------------- */

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

	ck_assert_str_eq(thread_text(&out, &t),
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

	const char *text = thread_text(&out, &t);
	ck_assert_ptr_nonnull(strstr(text, "\n  #9   0x000000000000  ??"));
	ck_assert_ptr_nonnull(strstr(text, "\n  #10  0x000000000000  ??"));
}
END_TEST

START_TEST(a_long_name_moves_only_its_own_location)
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

	ck_assert_str_eq(thread_text(&out, &t),
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

	ck_assert_str_eq(thread_text(&out, &t), "\nthread 7 \"x\"\n"
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

	ck_assert_str_eq(thread_text(&out, &t), "\nthread 7 \"x\"\n"
						"  #0  0x000000000001  f  in l.so\n"
						"  (stack ends here: no memory at 0x10)\n");
}
END_TEST

START_TEST(a_thread_without_frames_says_why)
{
	AUTO_BUF out = { 0 };
	struct stack_thread t = { .lwp = 7, .name = (char *)"x", .end = (char *)"it has ended" };

	ck_assert_str_eq(thread_text(&out, &t), "\nthread 7 \"x\"\n  (it has ended)\n");
}
END_TEST

START_TEST(a_thread_without_a_name_has_its_number)
{
	AUTO_BUF out = { 0 };
	struct stack_thread t = { .lwp = 7, .name = (char *)"", .end = (char *)"e" };

	ck_assert_str_eq(thread_text(&out, &t), "\nthread 7\n  (e)\n");
}
END_TEST

/* Frames ---------------------------------------------------------------------------------- */

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

	ck_assert_str_eq(strstr(thread_text(&out, &t), "  #"), frames_of_all_kinds[_i].shown);
}
END_TEST

/* Target and notes ------------------------------------------------------------------------ */

START_TEST(a_process_is_named_with_its_program)
{
	AUTO_BUF out = { 0 };
	struct stack_thread threads[2] = { 0 };
	struct stacks s = { .pid = 42, .exe = (char *)"/srv/u/app", .threads = VEC_OF(threads) };

	format_stacks_begin(&out, &s, &plain);
	format_stacks_end(&out, &s, &plain);
	ck_assert_str_eq(buf_text(&out), "process 42 (/srv/u/app), 2 threads\n");
}
END_TEST

START_TEST(a_core_file_is_named_with_its_process)
{
	AUTO_BUF out = { 0 };
	struct stack_thread threads[1] = { 0 };
	struct stacks s = {
		.pid = 42,
		.core = (char *)"core.42",
		.exe = (char *)"/srv/u/app",
		.threads = VEC_OF(threads),
	};

	format_stacks_begin(&out, &s, &plain);
	ck_assert_str_eq(buf_text(&out),
			 "core file core.42 of process 42 (/srv/u/app), 1 thread\n");
}
END_TEST

START_TEST(what_is_unknown_of_a_core_file_is_left_out)
{
	AUTO_BUF out = { 0 };
	struct stacks s = { .core = (char *)"x", .exe = (char *)"" };

	format_stacks_begin(&out, &s, &plain);
	ck_assert_str_eq(buf_text(&out), "core file x of an unknown process, 0 threads\n");
}
END_TEST

START_TEST(notes_stand_at_the_end)
{
	AUTO_BUF out = { 0 };
	char *notes[] = { (char *)"/l.so: file is deleted", (char *)"/m\033.so: file is missing" };
	struct stacks s = { .exe = (char *)"", .notes = VEC_OF(notes) };

	format_stacks_end(&out, &s, &plain);
	ck_assert_str_eq(buf_text(&out), "\nnote: /l.so: file is deleted\n"
					 "note: /m\\x1b.so: file is missing\n");
}
END_TEST

/* Hostile strings ------------------------------------------------------------------------- */

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

START_TEST(hostile_strings_are_harmless_wherever_they_stand)
{
	AUTO_BUF out = { 0 };
	char *bad = (char *)hostile[_i];
	struct stack_frame frames[] = {
		{ .function = bad, .file = bad, .line = 1, .module = bad },
		{ .module = bad },
	};
	struct stack_thread t = { .name = bad, .frames = VEC_OF(frames), .end = bad };
	struct stacks s = { .core = bad, .exe = bad, .notes = { &bad, 1, 1 } };

	format_stacks_begin(&out, &s, &plain);
	format_stacks_thread(&out, &t, &plain);
	format_stacks_end(&out, &s, &plain);
	assert_harmless(buf_text(&out));
}
END_TEST

/* Colours --------------------------------------------------------------------------------- */

START_TEST(colors_change_nothing_but_the_color)
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

	format_stacks_thread(&out, &t, &colored);
	ck_assert_ptr_nonnull(strchr(buf_text(&out), '\033'));
	unit_add_without_colors(&without, &out);
	AUTO_BUF expected = { 0 };
	ck_assert_str_eq(buf_text(&without), thread_text(&expected, &t));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("format");

	unit_case(s, "threads", columns_line_up_and_inlined_calls_have_no_address,
		  numbers_line_up_beyond_nine_frames, a_long_name_moves_only_its_own_location,
		  columns_are_measured_in_characters_not_bytes,
		  the_end_of_an_incomplete_stack_is_told, a_thread_without_frames_says_why,
		  a_thread_without_a_name_has_its_number);
	unit_table(s, each_kind_of_frame_has_its_form, frames_of_all_kinds);
	unit_case(s, "target", a_process_is_named_with_its_program,
		  a_core_file_is_named_with_its_process, what_is_unknown_of_a_core_file_is_left_out,
		  notes_stand_at_the_end);
	unit_table(s, hostile_strings_are_harmless_wherever_they_stand, hostile);
	unit_case(s, "colors", colors_change_nothing_but_the_color);
	return unit_run(s);
}
