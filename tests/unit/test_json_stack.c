/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <jansson.h>

#include "base/text.h"
#include "debugger/output/json_stack.h"
#include "picture_fixture.h"

static void add_all(struct buf *out)
{
	json_stacks(out, &world.view);
	ck_assert(buf_ok(out));
}

/* Parses what is written, as strictly as jansson can; the caller's. */
static json_t *parsed(void)
{
	AUTO_BUF out = { 0 };
	json_error_t error;

	add_all(&out);
	ck_assert_uint_eq(strcspn(buf_text(&out), "\n"), out.len - 1);
	json_t *root = json_loads(buf_text(&out), JSON_REJECT_DUPLICATES, &error);
	ck_assert_msg(root != NULL, "%s at %d of %s", error.text, error.position, buf_text(&out));
	return root;
}

static void assert_same(json_t *got, const char *expected)
{
	json_error_t error;
	json_t *wanted = json_loads(expected, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);

	ck_assert_msg(wanted != NULL, "%s at %d of %s", error.text, error.position, expected);
	char *text = json_dumps(got, JSON_SORT_KEYS | JSON_ENCODE_ANY);
	ck_assert_msg(json_equal(got, wanted), "%s is not %s", text, expected);
	free(text);
	json_decref(wanted);
}

static json_t *thread_at(json_t *root, size_t i)
{
	return json_array_get(json_object_get(root, "threads"), i);
}

static json_t *frame_at(json_t *root, size_t thread, size_t i)
{
	return json_array_get(json_object_get(thread_at(root, thread), "frames"), i);
}

/* Form ------------------------------------------------------------------------------------ */

START_TEST(a_program_without_threads_and_openmp_has_this_form)
{
	AUTO_BUF out = { 0 };

	add_all(&out);
	ck_assert_str_eq(buf_text(&out),
			 "{\"v\":1,\"type\":\"stack\",\"target\":{\"pid\":4242,\"core\":null,"
			 "\"exe\":\"/srv/u/app\"},\"runtimes\":[],\"threads\":[],\"notes\":[]}\n");
}
END_TEST

START_TEST(target_runtimes_and_notes_have_this_form)
{
	world_add_gomp(&world);
	struct picture_runtime *r = world_add_gomp(&world);
	r->name = "libomp";
	r->version_of_compiler = false;
	free(r->version);
	free(r->provider);
	r->version = r->provider = NULL;
	world.stacks.pid = 0;
	world.stacks.core = strdup("core.1");
	ck_assert(vec_push(&world.picture.notes, strdup("one")));
	ck_assert(vec_push(&world.stacks.notes, strdup("two")));
	json_t *root = parsed();
	assert_same(root, "{\"v\":1,\"type\":\"stack\","
			  "\"target\":{\"pid\":null,\"core\":\"core.1\",\"exe\":\"/srv/u/app\"},"
			  "\"runtimes\":["
			  "{\"kind\":\"libgomp\","
			  "\"path\":\"/usr/lib/x86_64-linux-gnu/libgomp.so.1.0.0\","
			  "\"version\":\"GCC 12\",\"status\":\"layout of GCC 12\","
			  "\"provider\":\"built in\"},"
			  "{\"kind\":\"libomp\","
			  "\"path\":\"/usr/lib/x86_64-linux-gnu/libgomp.so.1.0.0\","
			  "\"version\":null,\"status\":\"layout of GCC 12\",\"provider\":null}],"
			  "\"threads\":[],\"notes\":[\"one\",\"two\"]}");
	json_decref(root);
}
END_TEST

START_TEST(a_member_of_a_team_has_this_form)
{
	world_add_stuck_team(&world);
	json_t *root = parsed();
	json_t *thread = thread_at(root, 1);
	assert_same(json_object_get(thread, "omp"),
		    "{\"runtime\":0,\"num\":1,\"team\":0,\"team_size\":4,\"level\":1,"
		    "\"role\":\"worker\",\"source\":\"ompd\"}");
	assert_same(json_object_get(thread, "wait"),
		    "{\"kind\":\"explicit "
		    "barrier\",\"object\":\"0x55d0c0de0080\",\"name\":null,\"variable\":null,"
		    "\"file\":\"/srv/u/src/app.c\",\"line\":45,\"source\":\"memory\","
		    "\"spinning\":false,\"holder\":null,\"holder_source\":null,"
		    "\"arrived\":3,\"total\":4}");
	assert_same(frame_at(root, 1, 1),
		    "{\"pc\":\"0x102d\",\"cfa\":\"0x7ffd0010\",\"function\":\"work\",\"offset\":4,"
		    "\"file\":\"/srv/u/src/app.c\",\"line\":45,\"module\":\"/srv/u/app\","
		    "\"inline\":false,\"guessed\":false,\"kind\":\"user\",\"lwp\":4243,\"hidden\":"
		    "false,"
		    "\"construct\":\"parallel\",\"tail_called\":false,"
		    "\"border\":{\"kind\":\"parallel\",\"team\":0,\"team_size\":4,\"level\":1,"
		    "\"creator\":null,\"function\":\"work\",\"file\":\"/srv/u/src/app.c\","
		    "\"line\":41,\"source\":\"ompd\"}}");
	assert_same(frame_at(root, 1, 2),
		    "{\"pc\":\"0x1000\",\"cfa\":\"0x7ffd0020\",\"function\":\"GOMP_parallel\","
		    "\"offset\":4,\"file\":null,\"line\":null,"
		    "\"module\":\"/usr/lib/x86_64-linux-gnu/libgomp.so.1.0.0\","
		    "\"inline\":false,\"guessed\":false,\"kind\":\"runtime\",\"lwp\":4243,"
		    "\"hidden\":true,"
		    "\"construct\":null,\"tail_called\":false,\"border\":null}");
	json_object_del(thread, "omp");
	json_object_del(thread, "wait");
	json_object_del(thread, "frames");
	assert_same(thread, "{\"lwp\":4243,\"name\":\"app\",\"end\":null}");
	json_decref(root);
}
END_TEST

START_TEST(threads_in_no_region_have_this_form)
{
	world_add_stuck_team(&world);
	json_t *root = parsed();
	assert_same(json_object_get(thread_at(root, 4), "omp"),
		    "{\"runtime\":null,\"num\":null,\"team\":null,\"team_size\":null,"
		    "\"level\":null,\"role\":\"none\",\"source\":\"ompd\"}");
	assert_same(json_object_get(thread_at(root, 4), "end"),
		    "\"a thread that the program made\"");
	assert_same(json_object_get(thread_at(root, 5), "omp"),
		    "{\"runtime\":0,\"num\":null,\"team\":null,\"team_size\":null,"
		    "\"level\":null,\"role\":\"idle\",\"source\":\"ompd\"}");
	json_decref(root);
}
END_TEST

START_TEST(the_initial_thread_outside_of_regions_is_at_level_0)
{
	world_add_thread(&world, ROLE_INITIAL, -1, 0);
	json_t *root = parsed();
	assert_same(json_object_get(thread_at(root, 0), "omp"),
		    "{\"runtime\":0,\"num\":0,\"team\":null,\"team_size\":null,"
		    "\"level\":0,\"role\":\"initial\",\"source\":\"ompd\"}");
	json_decref(root);
}
END_TEST

START_TEST(a_holder_is_told_by_its_lwp)
{
	world_add_thread(&world, ROLE_PRIMARY, -1, 0);
	world_add_thread(&world, ROLE_WORKER, -1, 1);
	struct picture_wait *wait = world_wait(&world, WAIT_CRITICAL);
	wait->name = strdup("foo");
	wait->holder = 0;
	wait->holder_source = SOURCE_INFERRED;
	wait->spinning = true;
	wait->source = SOURCE_INFERRED;
	json_t *root = parsed();
	assert_same(json_object_get(thread_at(root, 1), "wait"),
		    "{\"kind\":\"critical\",\"object\":null,\"name\":\"foo\",\"variable\":null,"
		    "\"file\":null,"
		    "\"line\":null,\"source\":\"inferred\",\"spinning\":true,\"holder\":4242,"
		    "\"holder_source\":\"inferred\",\"arrived\":null,\"total\":null}");
	json_decref(root);
}
END_TEST

START_TEST(a_frame_that_was_tail_called_away_has_no_address)
{
	world_add_thread(&world, ROLE_WORKER, -1, 1);
	struct stitched_frame *f = world_add_frame(&world, "work", 0, "parallel");
	f->frame = NULL;
	f->kind = CODE_USER;
	f->hidden = false;
	json_t *root = parsed();
	assert_same(
		frame_at(root, 0, 0),
		"{\"pc\":null,\"cfa\":null,\"function\":\"work\",\"offset\":null,"
		"\"file\":null,\"line\":null,\"module\":\"\",\"inline\":false,\"guessed\":false,"
		"\"kind\":\"user\",\"lwp\":4242,\"hidden\":false,\"construct\":\"parallel\","
		"\"tail_called\":true,\"border\":null}");
	json_decref(root);
}
END_TEST

START_TEST(borders_tell_teams_and_creators)
{
	world_add_region(&world, -1, 0, 2, 41);
	world_add_region(&world, 0, 1, 1, 45);
	world_add_thread(&world, ROLE_PRIMARY, 0, 0);
	int task = world_add_task(&world, TASK_EXPLICIT, TASK_RUNNING, 1);
	world_add_thread(&world, ROLE_PRIMARY, 1, 0);
	world_add_frame(&world, "solve", 60, "task");
	world_end_task(&world, 0, 57);
	world_stack(&world)->frames.items[0].border.task = task;
	world_add_frame(&world, "work", 46, "parallel");
	world_end_region(&world, 1);
	world_add_frame(&world, "copy", 0, NULL)->border.kind = BORDER_CALLBACK;
	json_t *root = parsed();
	assert_same(json_object_get(frame_at(root, 1, 0), "border"),
		    "{\"kind\":\"task\",\"team\":0,\"team_size\":2,\"level\":1,"
		    "\"creator\":\"0.0\",\"function\":\"work\",\"file\":\"/srv/u/src/app.c\","
		    "\"line\":57,\"source\":\"ompd\"}");
	assert_same(json_object_get(frame_at(root, 1, 1), "border"),
		    "{\"kind\":\"parallel\",\"team\":1,\"team_size\":1,\"level\":2,"
		    "\"creator\":\"0.1\",\"function\":\"work\",\"file\":\"/srv/u/src/app.c\","
		    "\"line\":45,\"source\":\"ompd\"}");
	assert_same(json_object_get(frame_at(root, 1, 2), "border"),
		    "{\"kind\":\"callback\",\"team\":null,\"team_size\":null,\"level\":null,"
		    "\"creator\":null,\"function\":null,\"file\":null,\"line\":null,"
		    "\"source\":\"none\"}");
	json_decref(root);
}
END_TEST

/* Strings and sizes ----------------------------------------------------------------------- */

static void assert_strings_are(json_t *value, const char *expected, size_t *found)
{
	const char *key;
	json_t *member;
	size_t i;

	if (json_is_string(value))
		*found += !strcmp(json_string_value(value), expected);
	json_object_foreach(value, key, member) assert_strings_are(member, expected, found);
	json_array_foreach(value, i, member) assert_strings_are(member, expected, found);
}

START_TEST(hostile_strings_arrive_harmless_wherever_they_stand)
{
	static char bad[] = "\"\\\033]0;x\a\xff\n</script>";
	size_t found = 0;

	world_add_stuck_team(&world);
	world_spoil(&world, bad);
	json_t *root = parsed();
	assert_strings_are(root, "\"\\\\x1b]0;x\\x07\\xff\\x0a</script>", &found);
	/*
	 * target 2, runtime 4, notes 2; each of 7 threads: name, end, wait's name and file; each of
	 * its frames: function, file, construct, module; each border: function, file.
	 */
	ck_assert_uint_eq(found, 2 + 4 + 2 + 7 * 4 + world.frames.len * 4 + 4 * 2);
	json_decref(root);
}
END_TEST

START_TEST(two_thousand_threads_are_all_there)
{
	for (int i = 0; i < 2048; i++) {
		world_add_thread(&world, ROLE_WORKER, 0, i);
		world_add_frame(&world, "work", 45, NULL);
	}
	json_t *root = parsed();
	ck_assert_uint_eq(json_array_size(json_object_get(root, "threads")), 2048);
	ck_assert_int_eq(json_integer_value(json_object_get(thread_at(root, 2047), "lwp")),
			 4242 + 2047);
	json_decref(root);
}
END_TEST

/* Raw stacks ------------------------------------------------------------------------------ */

/* Members of a VEC that is an array. */
#define VEC_OF(array)                                                                              \
	{                                                                                          \
		.items = (array), .len = COUNT(array)                                              \
	}

static const char *raw_text(struct buf *out, const struct stacks *s)
{
	const struct picture none = { 0 };
	const struct view v = { .stacks = s, .picture = &none, .raw = true };

	json_stacks(out, &v);
	return buf_text(out);
}

/* Parses what is written, as strictly as jansson can; the caller's. */
static json_t *raw_parsed(const struct stacks *s)
{
	AUTO_BUF out = { 0 };
	json_error_t error;
	json_t *root = json_loads(raw_text(&out, s), JSON_REJECT_DUPLICATES, &error);

	ck_assert_msg(root != NULL, "%s at %d of %s", error.text, error.position, buf_text(&out));
	return root;
}

/* Raw form -------------------------------------------------------------------------------- */

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
		{ .pc = 0x7f3a1c0c81a7,
		  .cfa = 0,
		  .offset = 0xc81a7,
		  .module = "/lib/libc.so.6",
		  .guessed = true },
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
		raw_text(&out, &s),
		"{\"v\":1,\"type\":\"stack\","
		"\"target\":{\"pid\":42,\"core\":null,\"exe\":\"/srv/u/app\"},\"threads\":["
		"{\"lwp\":42,\"name\":\"app\",\"frames\":["
		"{\"pc\":\"0x5581a2b31180\",\"cfa\":\"0x7ffd00000010\",\"function\":\"helper\","
		"\"offset\":4,\"file\":\"/srv/u/app.c\",\"line\":12,\"module\":\"/srv/u/app\","
		"\"inline\":true,\"guessed\":false},"
		"{\"pc\":\"0x7f3a1c0c81a7\",\"cfa\":\"0x0\",\"function\":null,"
		"\"offset\":819623,\"file\":null,\"line\":null,\"module\":\"/lib/libc.so.6\","
		"\"inline\":false,\"guessed\":true}],\"end\":null},"
		"{\"lwp\":43,\"name\":\"\",\"frames\":[],\"end\":\"it has ended\"}],"
		"\"notes\":[\"/l.so: file is deleted\"]}\n");
}
END_TEST

START_TEST(a_core_file_of_an_unknown_process_has_this_form)
{
	AUTO_BUF out = { 0 };
	struct stacks s = { .core = (char *)"core.1", .exe = (char *)"" };

	ck_assert_str_eq(raw_text(&out, &s), "{\"v\":1,\"type\":\"stack\",\"target\":{\"pid\":null,"
					     "\"core\":\"core.1\",\"exe\":\"\"},\"threads\":[],"
					     "\"notes\":[]}\n");
}
END_TEST

START_TEST(a_frame_in_no_file_has_an_empty_module)
{
	struct stack_frame frame = { .pc = UINT64_MAX, .cfa = UINT64_MAX };
	struct stack_thread thread = { .name = (char *)"", .frames = { &frame, 1, 1 } };
	struct stacks s = { .exe = (char *)"", .threads = { &thread, 1, 1 } };
	json_t *root = raw_parsed(&s), *got;
	const char *pc, *module;

	ck_assert_int_eq(json_unpack(root, "{s:[{s:[o]}]}", "threads", "frames", &got), 0);
	ck_assert_int_eq(json_unpack(got, "{s:s, s:s}", "pc", &pc, "module", &module), 0);
	ck_assert_str_eq(pc, "0xffffffffffffffff");
	ck_assert_str_eq(module, "");
	json_decref(root);
}
END_TEST

/* Raw strings ----------------------------------------------------------------------------- */

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
	json_t *root = raw_parsed(&s);
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
	json_t *root = raw_parsed(&s);
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

	const char *text = raw_text(&out, &s);
	ck_assert_uint_eq(strcspn(text, "\n"), out.len - 1);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("json_stack");

	world_case(s, "form", a_program_without_threads_and_openmp_has_this_form,
		   target_runtimes_and_notes_have_this_form, a_member_of_a_team_has_this_form,
		   threads_in_no_region_have_this_form,
		   the_initial_thread_outside_of_regions_is_at_level_0, a_holder_is_told_by_its_lwp,
		   a_frame_that_was_tail_called_away_has_no_address,
		   borders_tell_teams_and_creators);
	world_case(s, "strings", hostile_strings_arrive_harmless_wherever_they_stand,
		   two_thousand_threads_are_all_there);
	unit_case(s, "raw form", a_process_has_this_form,
		  a_core_file_of_an_unknown_process_has_this_form,
		  a_frame_in_no_file_has_an_empty_module);
	unit_table(s, strings_arrive_harmless_wherever_they_stand, strings);
	unit_case(s, "raw strings", a_very_long_string_is_cut, all_is_on_one_line);
	return unit_run(s);
}
