/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_why.h"

#include <unistd.h>

#include "why_fixture.h"

static const struct style plain = { .color = false };
static const struct style utf8 = { .utf8 = true };
static const struct style colored = { .color = true };

static void say(enum why_verdict verdict, enum why_confidence confidence, const char *summary)
{
	why.verdict = verdict;
	why.confidence = confidence;
	why.summary = strdup(summary);
}

static void assert_text(const struct style *style, const char *expected)
{
	AUTO_BUF out = { 0 };

	format_why(&out, &world.view, &why, style);
	ck_assert(buf_ok(&out));
	ck_assert_str_eq(buf_text(&out), expected);
}

/* The links ------------------------------------------------------------------------------- */

START_TEST(the_chain_of_blame_lines_up)
{
	why_add_chain();
	say(WHY_STUCK, WHY_PROBABLE, "Stuck: threads 0.[0-2] wait at the barrier at app.c:40.");
	why_add_blame(4, 1, world_place("main", 31), "in read(0)");
	why_add_blame(3, 1, world_place("helper", 22), "waits for lock 'L', held by thread 0.4");
	why_add_blame(0, 3, world_place("work", 1040), "wait at barrier (3 of 5 arrived)");
	why_add_reason("The same in 2 looks 0.25 s apart.");
	why_add_reason("Nothing else could hold lock 'L'.");
	why_add_hint("ompdb stack 4242");
	why_add_hint("ompdb why --graph 4242");
	assert_text(&plain,
		    "Stuck: threads 0.[0-2] wait at the barrier at app.c:40.\n"
		    "\n"
		    "  thread 0.4 (LWP 4246)  main    at app.c:31    in read(0)\n"
		    "  thread 0.3 (LWP 4245)  helper  at app.c:22    waits for lock 'L', held by "
		    "thread 0.4\n"
		    "  threads 0.[0-2]        work    at app.c:1040  wait at barrier (3 of 5 "
		    "arrived)\n"
		    "\n"
		    "How sure: probable. The same in 2 looks 0.25 s apart.\n"
		    "          Nothing else could hold lock 'L'.\n"
		    "Next: ompdb stack 4242\n"
		    "      ompdb why --graph 4242\n");
}
END_TEST

START_TEST(what_is_empty_is_left_out)
{
	assert_text(&plain, "\n"
			    "\n"
			    "How sure: certain.\n");
}
END_TEST

START_TEST(without_blame_there_is_no_chain)
{
	say(WHY_IDLE, WHY_CERTAIN, "No OpenMP construct is being executed.");
	why_add_reason("The program uses no OpenMP runtime.");
	assert_text(&plain, "No OpenMP construct is being executed.\n"
			    "\n"
			    "How sure: certain. The program uses no OpenMP runtime.\n");
}
END_TEST

START_TEST(notes_stand_at_the_end)
{
	why_push(&world.picture.notes, strdup("of the picture"));
	why_push(&world.stacks.notes, strdup("of the stacks"));
	say(WHY_UNKNOWN, WHY_GUESS, "It is not known.");
	why_add_hint("ompdb stack 4242");
	assert_text(&plain, "It is not known.\n"
			    "\n"
			    "How sure: guess.\n"
			    "Next: ompdb stack 4242\n"
			    "\n"
			    "note: of the picture\n"
			    "note: of the stacks\n");
}
END_TEST

/* A line of the chain for these threads of a team of six, thread 6 in no region, named "io". */
static const struct {
	int first, threads;
	struct place place;
	const char *expected;
} links[] = {
	{ 3,
	  1,
	  { .function = "f", .file = "/a.c", .line = 7 },
	  "  thread 0.3 (LWP 4245)  f  at a.c:7  waits\n" },
	{ 3,
	  2,
	  { .function = "f", .file = "/a.c", .line = 7 },
	  "  threads 0.[3,4]  f  at a.c:7  waits\n" },
	{ 2,
	  3,
	  { .function = "f", .file = "/a.c", .line = 7 },
	  "  threads 0.[2-4]  f  at a.c:7  waits\n" },
	{ 6, 1, { .function = "f" }, "  thread 4248 \"io\"  f  waits\n" },
	{ 5, 2, { .function = "f" }, "  threads 0.5 thread 4248  f  waits\n" },
	{ 3, 1, { .file = "/a.c", .line = 7 }, "  thread 0.3 (LWP 4245)  at a.c:7  waits\n" },
	{ 3, 1, { .file = "/a.c" }, "  thread 0.3 (LWP 4245)  at a.c  waits\n" },
	{ 3, 1, { 0 }, "  thread 0.3 (LWP 4245)  waits\n" },
	{ -1, 0, { .function = "f", .file = "/a.c", .line = 7 }, "  nobody  f  at a.c:7  waits\n" },
	{ -1, 0, { 0 }, "  nobody  waits\n" },
	{ 99, 0, { 0 }, "  nobody  waits\n" },
};

START_TEST(a_link_of_the_chain)
{
	AUTO_BUF out = { 0 };

	why_add_team(6);
	world_add_thread(&world, ROLE_NONE, -1, -1);
	free(world.stacks.threads.items[6].name);
	world.stacks.threads.items[6].name = strdup("io");
	why_add_blame(links[_i].first, links[_i].threads, links[_i].place, "waits");
	format_why(&out, &world.view, &why, &plain);
	char *end = strstr(buf_text(&out), "\n\nHow sure: ");
	ck_assert_ptr_nonnull(end);
	end[1] = '\0';
	ck_assert_str_eq(buf_text(&out) + strlen("\n\n"), links[_i].expected);
}
END_TEST

START_TEST(what_is_too_wide_pushes_only_its_own_line)
{
	why_add_team(2);
	why_add_blame(0, 1, world_place("a_function_with_a_very_long_name_indeed", 7), "waits");
	why_add_blame(1, 1, world_place("f", 8), "runs");
	assert_text(&plain, "\n\n"
			    "  thread 0.0 (LWP 4242)  a_function_with_a_very_long_name_indeed  at "
			    "app.c:7  waits\n"
			    "  thread 0.1 (LWP 4243)  f  at app.c:8  runs\n"
			    "\n"
			    "How sure: certain.\n");
}
END_TEST

/* Lines of the source --------------------------------------------------------------------- */

static char source[] = "/tmp/ompdb-test-XXXXXX";

static struct place place_in_source(int line)
{
	return (struct place){ .function = "f", .file = source, .line = line };
}

static void write_source(const char *text)
{
	strcpy(source, "/tmp/ompdb-test-XXXXXX");
	int fd = mkstemp(source);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
}

/* With FILE for the name of the source. */
static void assert_lines(const char *expected)
{
	AUTO_BUF out = { 0 };
	AUTO_BUF lines = { 0 };
	const char *name = strrchr(source, '/') + 1;

	format_why(&out, &world.view, &why, &plain);
	unlink(source);
	for (const char *p = buf_text(&out), *at; *p; p = at) {
		at = strstr(p, name);
		buf_add(&lines, p, at ? (size_t)(at - p) : strlen(p));
		buf_adds(&lines, at ? "FILE" : "");
		at = at ? at + strlen(name) : p + strlen(p);
	}
	ck_assert_str_eq(buf_text(&lines), expected);
}

START_TEST(the_source_line_stands_below_its_link)
{
	write_source("\n"
		     "\tread(0, &c, 1);\n"
		     "  \t a\tb  c\n"
		     "\n\n\n\n\n\n"
		     "bell\a");
	why_add_team(3);
	why_add_blame(0, 1, place_in_source(2), "one");
	why_add_blame(1, 1, place_in_source(2), "the same line is not repeated");
	why_add_blame(0, 1, place_in_source(3), "two");
	why_add_blame(0, 1, place_in_source(4), "an empty line");
	why_add_blame(2, 1, place_in_source(10), "three");
	why_add_blame(2, 1, place_in_source(11), "no such line");
	why_add_blame(-1, 0, place_in_source(2), "one again");
	assert_lines("\n\n"
		     "  thread 0.0 (LWP 4242)  f  at FILE:2   one\n"
		     "       2 | read(0, &c, 1);\n"
		     "  thread 0.1 (LWP 4243)  f  at FILE:2   the same line is not repeated\n"
		     "  thread 0.0 (LWP 4242)  f  at FILE:3   two\n"
		     "       3 | a      b  c\n"
		     "  thread 0.0 (LWP 4242)  f  at FILE:4   an empty line\n"
		     "  thread 0.2 (LWP 4244)  f  at FILE:10  three\n"
		     "      10 | bell\\x07\n"
		     "  thread 0.2 (LWP 4244)  f  at FILE:11  no such line\n"
		     "  nobody                 f  at FILE:2   one again\n"
		     "       2 | read(0, &c, 1);\n"
		     "\n"
		     "How sure: certain.\n");
}
END_TEST

START_TEST(a_long_chain_does_not_read_files_without_end)
{
	enum { LINKS = 10000 };
	AUTO_BUF out = { 0 };
	int sources = 0;

	write_source("first();\nsecond();\n");
	why_add_team(1);
	for (int i = 0; i < LINKS; i++)
		why_add_blame(0, 1, place_in_source(1 + i % 2), "waits");
	format_why(&out, &world.view, &why, &plain);
	unlink(source);
	for (const char *p = buf_text(&out); (p = strstr(p, " | ")); p++)
		sources++;
	ck_assert_int_gt(sources, 1);
	ck_assert_int_lt(sources, 100);
}
END_TEST

/* Looks ----------------------------------------------------------------------------------- */

/* What colour the first sentence has. */
static const struct {
	enum why_verdict verdict;
	const char *begin;
} verdicts[] = {
	{ WHY_DEADLOCK, "\033[1;31mSo.\033[m\n" }, { WHY_STUCK, "\033[1;31mSo.\033[m\n" },
	{ WHY_WAITING, "\033[35mSo.\033[m\n" },    { WHY_PROGRESSING, "\033[1mSo.\033[m\n" },
	{ WHY_IDLE, "\033[1mSo.\033[m\n" },        { WHY_UNKNOWN, "\033[35mSo.\033[m\n" },
};

START_TEST(a_finding_is_red)
{
	AUTO_BUF out = { 0 };

	say(verdicts[_i].verdict, WHY_CERTAIN, "So.");
	format_why(&out, &world.view, &why, &colored);
	ck_assert_msg(!strncmp(buf_text(&out), verdicts[_i].begin, strlen(verdicts[_i].begin)),
		      "%s", buf_text(&out));
}
END_TEST

static void add_everything(void)
{
	why_add_chain();
	say(WHY_DEADLOCK, WHY_CERTAIN, "Deadlock.");
	why_add_blame(4, 1, world_place("main", 31), "in read(0)");
	why_add_blame(0, 3, world_place("work", 40), "wait");
	why_add_blame(-1, 0, world_place(NULL, 0), "nobody");
	why_add_reason("So it is.");
	why_add_hint("Look.");
	why_push(&world.picture.notes, strdup("a note"));
}

START_TEST(colors_change_nothing_but_the_color)
{
	AUTO_BUF out = { 0 };
	AUTO_BUF without = { 0 };

	add_everything();
	format_why(&out, &world.view, &why, &colored);
	unit_add_without_colors(&without, &out);
	ck_assert_uint_lt(without.len, out.len);
	assert_text(&plain, buf_text(&without));
	assert_text(&utf8, buf_text(&without));
}
END_TEST

static void spoil(char **slot, const char *s)
{
	free(*slot);
	*slot = strdup(s);
}

START_TEST(hostile_strings_are_harmless_wherever_they_stand)
{
	static char bad[] = "\033]0;x\a\xff\n\"\\";
	AUTO_BUF out = { 0 };
	size_t harmful = 0;

	add_everything();
	world_spoil(&world, bad);
	spoil(&why.summary, bad);
	spoil(&why.reasons.items[0], bad);
	spoil(&why.hints.items[0], bad);
	vec_for_each (b, &why.blame) {
		spoil(&b->reason, bad);
		b->place.function = b->place.file = bad;
	}
	format_why(&out, &world.view, &why, &plain);
	for (size_t i = 0; i < out.len; i++)
		harmful += out.data[i] != '\n' && (out.data[i] < 0x20 || out.data[i] > 0x7e);
	ck_assert_uint_eq(harmful, 0);
	ck_assert_ptr_nonnull(strstr(buf_text(&out), "\\x1b]0;x\\x07\\xff\\x0a\"\\\n"));
}
END_TEST

START_TEST(ten_thousand_threads_are_one_line)
{
	why_add_team(10000);
	why_add_blame(0, 10000, world_place("work", 40), "wait");
	assert_text(&plain, "\n\n"
			    "  threads 0.[0-9999]  work  at app.c:40  wait\n"
			    "\n"
			    "How sure: certain.\n");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("format_why");

	why_case(s, "parts", the_chain_of_blame_lines_up, what_is_empty_is_left_out,
		 without_blame_there_is_no_chain, notes_stand_at_the_end,
		 what_is_too_wide_pushes_only_its_own_line, ten_thousand_threads_are_one_line);
	why_table(s, a_link_of_the_chain, links);
	why_case(s, "source", the_source_line_stands_below_its_link,
		 a_long_chain_does_not_read_files_without_end);
	why_table(s, a_finding_is_red, verdicts);
	why_case(s, "looks", colors_change_nothing_but_the_color,
		 hostile_strings_are_harmless_wherever_they_stand);
	return unit_run(s);
}
