/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <jansson.h>

#include "base/text.h"
#include "debugger/output/json.h"
#include "unit.h"

/* Members of a VEC that is an array. */
#define VEC_OF(array)                                                                              \
	{                                                                                          \
		.items = (array), .len = COUNT(array)                                              \
	}

static const char *text_of(struct buf *out, const struct stacks *s)
{
	json_stacks_begin(out, s);
	for (size_t i = 0; i < s->threads.len; i++)
		json_stacks_thread(out, s, i);
	json_stacks_end(out, s);
	return buf_text(out);
}

/* Parses what is written, as strictly as jansson can; the caller's. */
static json_t *parsed(const struct stacks *s)
{
	AUTO_BUF out = { 0 };
	json_error_t error;
	json_t *root = json_loads(text_of(&out, s), JSON_REJECT_DUPLICATES, &error);

	ck_assert_msg(root != NULL, "%s at %d of %s", error.text, error.position, buf_text(&out));
	return root;
}

/* Form ------------------------------------------------------------------------------------ */

START_TEST(a_process_has_this_form)
{
	AUTO_BUF out = { 0 };
	struct stack_frame frames[] = {
		{ .pc = 0x5581a2b31180,
		  .cfa = 0x7ffd00000010,
		  .function = "helper",
		  .offset = 4,
		  .file = "/srv/u/app.c",
		  .line = 12,
		  .module = "/srv/u/app",
		  .inlined = true },
		{ .pc = 0x7f3a1c0c81a7, .cfa = 0, .offset = 0xc81a7, .module = "/lib/libc.so.6" },
	};
	struct stack_thread threads[] = {
		{ .lwp = 42, .name = (char *)"app", .frames = VEC_OF(frames) },
		{ .lwp = 43, .name = (char *)"", .end = (char *)"it has ended" },
	};
	char *notes[] = { (char *)"/l.so: file is deleted" };
	struct stacks s = {
		.pid = 42,
		.exe = (char *)"/srv/u/app",
		.threads = VEC_OF(threads),
		.notes = VEC_OF(notes),
	};

	ck_assert_str_eq(
		text_of(&out, &s),
		"{\"v\":1,\"type\":\"stack\","
		"\"target\":{\"pid\":42,\"core\":null,\"exe\":\"/srv/u/app\"},\"threads\":["
		"{\"lwp\":42,\"name\":\"app\",\"frames\":["
		"{\"pc\":\"0x5581a2b31180\",\"cfa\":\"0x7ffd00000010\",\"function\":\"helper\","
		"\"offset\":4,\"file\":\"/srv/u/app.c\",\"line\":12,\"module\":\"/srv/u/app\","
		"\"inline\":true},"
		"{\"pc\":\"0x7f3a1c0c81a7\",\"cfa\":\"0x0\",\"function\":null,"
		"\"offset\":819623,\"file\":null,\"line\":null,\"module\":\"/lib/libc.so.6\","
		"\"inline\":false}],\"end\":null},"
		"{\"lwp\":43,\"name\":\"\",\"frames\":[],\"end\":\"it has ended\"}],"
		"\"notes\":[\"/l.so: file is deleted\"]}\n");
}
END_TEST

START_TEST(a_core_file_of_an_unknown_process_has_this_form)
{
	AUTO_BUF out = { 0 };
	struct stacks s = { .core = (char *)"core.1", .exe = (char *)"" };

	ck_assert_str_eq(text_of(&out, &s), "{\"v\":1,\"type\":\"stack\",\"target\":{\"pid\":null,"
					    "\"core\":\"core.1\",\"exe\":\"\"},\"threads\":[],"
					    "\"notes\":[]}\n");
}
END_TEST

START_TEST(a_frame_in_no_file_has_an_empty_module)
{
	struct stack_frame frame = { .pc = UINT64_MAX, .cfa = UINT64_MAX };
	struct stack_thread thread = { .name = (char *)"", .frames = { &frame, 1, 1 } };
	struct stacks s = { .exe = (char *)"", .threads = { &thread, 1, 1 } };
	json_t *root = parsed(&s), *got;
	const char *pc, *module;

	ck_assert_int_eq(json_unpack(root, "{s:[{s:[o]}]}", "threads", "frames", &got), 0);
	ck_assert_int_eq(json_unpack(got, "{s:s, s:s}", "pc", &pc, "module", &module), 0);
	ck_assert_str_eq(pc, "0xffffffffffffffff");
	ck_assert_str_eq(module, "");
	json_decref(root);
}
END_TEST

/* Strings --------------------------------------------------------------------------------- */

static const struct {
	const char *text, *read;
} strings[] = {
	{ "plain", "plain" },
	{ "a\"b\\c\"", "a\"b\\c\"" },
	{ "\\", "\\" },
	{ "\"", "\"" },
	{ "a\nb\tc", "a\\x0ab\\x09c" },
	{ "\033[31m\"", "\\x1b[31m\"" },
	{ "\xff\xfe", "\\xff\\xfe" },
	{ "\xed\xa0\x80", "\\xed\\xa0\\x80" },
	{ "\xc2\x9b[31m", "\\xc2\\x9b[31m" },
	{ "h\xc3\xb6he", "h\xc3\xb6he" },
	{ "</script>", "</script>" },
};

START_TEST(strings_arrive_harmless_wherever_they_stand)
{
	char *text = (char *)strings[_i].text;
	struct stack_frame frame = { .function = text, .file = text, .module = text };
	struct stack_thread thread = { .name = text, .frames = { &frame, 1, 1 }, .end = text };
	struct stacks s = {
		.core = text,
		.exe = text,
		.threads = { &thread, 1, 1 },
		.notes = { &text, 1, 1 },
	};
	json_t *root = parsed(&s);
	const char *read[8];

	ck_assert_int_eq(json_unpack(root, "{s:{s:s,s:s},s:[{s:s,s:[{s:s,s:s,s:s}],s:s}],s:[s]}",
				     "target", "core", &read[0], "exe", &read[1], "threads", "name",
				     &read[2], "frames", "function", &read[3], "file", &read[4],
				     "module", &read[5], "end", &read[6], "notes", &read[7]),
			 0);
	for (size_t i = 0; i < COUNT(read); i++)
		ck_assert_str_eq(read[i], strings[_i].read);
	json_decref(root);
}
END_TEST

START_TEST(a_very_long_string_is_cut)
{
	AUTO_FREE char *name = calloc(1, 3 * TEXT_MAX);

	memset(name, '"', 3 * TEXT_MAX - 1);
	struct stacks s = { .exe = name };
	json_t *root = parsed(&s);
	const char *read;

	ck_assert_int_eq(json_unpack(root, "{s:{s:s}}", "target", "exe", &read), 0);
	ck_assert_uint_eq(strlen(read), TEXT_MAX + strlen("..."));
	json_decref(root);
}
END_TEST

START_TEST(all_is_on_one_line)
{
	AUTO_BUF out = { 0 };
	struct stack_thread threads[] = { { .name = (char *)"a\nb" }, { .name = (char *)"c\r\n" } };
	struct stacks s = { .exe = (char *)"\n", .threads = VEC_OF(threads) };

	const char *text = text_of(&out, &s);
	ck_assert_uint_eq(strcspn(text, "\n"), out.len - 1);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("json");

	unit_case(s, "form", a_process_has_this_form,
		  a_core_file_of_an_unknown_process_has_this_form,
		  a_frame_in_no_file_has_an_empty_module);
	unit_table(s, strings_arrive_harmless_wherever_they_stand, strings);
	unit_case(s, "strings", a_very_long_string_is_cut, all_is_on_one_line);
	return unit_run(s);
}
