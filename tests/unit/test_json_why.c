/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <jansson.h>
#include <math.h>

#include "debugger/output/json_report.h"
#include "debugger/output/json_why.h"
#include "why_fixture.h"

static struct progress progress = { .looks = 1, .barriers = -1 };

static void add_all(struct buf *out)
{
	AUTO(why_groups_fini) struct why_groups groups = { 0 };

	ck_assert_no_error(why_groups_init(&groups, &world.picture, &why));
	json_why(out, &world.view, &groups, &progress);
	ck_assert(buf_ok(out));
}

static json_t *parsed(void)
{
	AUTO_BUF out = { 0 };
	json_error_t error;

	add_all(&out);
	ck_assert(buf_ok(&out));
	ck_assert_msg(!strchr(buf_text(&out), '\n')[1], "one line: %s", buf_text(&out));
	json_t *root = json_loads(buf_text(&out), JSON_REJECT_DUPLICATES, &error);
	ck_assert_msg(root != NULL, "%s at %d of %s", error.text, error.position, buf_text(&out));
	return root;
}

/* Frees root. */
static void assert_member(json_t *root, const char *member, const char *expected)
{
	json_error_t error;
	json_t *wanted = json_loads(expected, JSON_REJECT_DUPLICATES, &error);
	json_t *got = json_object_get(root, member);

	ck_assert_msg(wanted != NULL, "%s at %d of %s", error.text, error.position, expected);
	char *text = json_dumps(got, JSON_SORT_KEYS);
	ck_assert_msg(json_equal(got, wanted), "%s is not %s", text, expected);
	free(text);
	json_decref(wanted);
	json_decref(root);
}

/* Form ------------------------------------------------------------------------------------ */

START_TEST(an_empty_verdict_has_this_form)
{
	AUTO_BUF out = { 0 };

	why.verdict = WHY_UNKNOWN;
	why.confidence = WHY_GUESS;
	add_all(&out);
	ck_assert_str_eq(
		buf_text(&out),
		"{\"v\":1,\"type\":\"why\",\"target\":{\"pid\":4242,\"core\":null,"
		"\"exe\":\"/srv/u/app\"},\"runtimes\":[],\"verdict\":\"unknown\","
		"\"class\":\"none\",\"confidence\":\"guess\",\"summary\":\"\","
		"\"blame\":[],\"crash\":null,\"waits\":[],\"graph\":{\"nodes\":[],\"edges\":[]},"
		"\"reasons\":[],\"hints\":[],\"samples\":1,"
		"\"progress\":{\"seconds\":0.000,\"barriers\":null,\"moved\":0,"
		"\"threads\":0,\"load\":null},\"notes\":[]}\n");
}
END_TEST

START_TEST(a_verdict_has_these_words)
{
	const char *verdict, *class, *confidence, *summary, *reason, *first, *second;

	why = (struct why){ .verdict = WHY_DEADLOCK,
			    .class = WHY_LOCK_CYCLE,
			    .confidence = WHY_PROBABLE,
			    .summary = strdup("Deadlock.") };
	why_add_reason("So it is.");
	why_add_hint("Look.");
	why_add_hint("Look there.");
	json_t *root = parsed();
	int failed = json_unpack(root, "{s:s,s:s,s:s,s:s,s:[s!],s:[s,s!]}", "verdict", &verdict,
				 "class", &class, "confidence", &confidence, "summary", &summary,
				 "reasons", &reason, "hints", &first, &second);
	ck_assert_int_eq(failed, 0);
	ck_assert_str_eq(verdict, "deadlock");
	ck_assert_str_eq(class, "lock-cycle");
	ck_assert_str_eq(confidence, "probable");
	ck_assert_str_eq(summary, "Deadlock.");
	ck_assert_str_eq(reason, "So it is.");
	ck_assert_str_eq(first, "Look.");
	ck_assert_str_eq(second, "Look there.");
	json_decref(root);
}
END_TEST

START_TEST(the_chain_of_blame_has_this_form)
{
	why_add_team(3);
	world_add_thread(&world, ROLE_NONE, -1, -1);
	why_add_blame(0, 3, world_place("work", 40), "wait at barrier");
	why_add_blame(3, 1, (struct place){ 0 }, "in read(0)");
	why_add_blame(-1, 0, world_place(NULL, 22), "nobody holds it");
	assert_member(parsed(), "blame",
		      "[{\"lwp\":4242,\"omp\":\"0.0\",\"function\":\"work\","
		      "\"file\":\"/srv/u/src/app.c\",\"line\":40,\"reason\":\"wait at barrier\","
		      "\"threads\":[4242,4243,4244],\"values\":[]},"
		      "{\"lwp\":4245,\"omp\":null,\"function\":null,\"file\":null,\"line\":null,"
		      "\"reason\":\"in read(0)\",\"threads\":[4245],\"values\":[]},"
		      "{\"lwp\":null,\"omp\":null,\"function\":null,"
		      "\"file\":\"/srv/u/src/app.c\",\"line\":22,\"reason\":\"nobody holds it\","
		      "\"threads\":[],\"values\":[]}]");
}
END_TEST

START_TEST(what_several_threads_do_is_said_of_their_rank)
{
	const struct mpi_calls none = { 0 };
	AUTO_BUF out = { 0 };
	const char *reason;

	why_add_team(3);
	for (int i = 0; i < 3; i++)
		why_wait(i, WAIT_EXPLICIT_BARRIER, 40);
	why_add_blame(0, 3, world_place("work", 40), "wait at the barrier (3 of 3 have arrived)");
	json_report_why(&out, &world.view, &why, &progress, &none);
	json_t *root = json_loads(buf_text(&out), JSON_REJECT_DUPLICATES, NULL);
	ck_assert_int_eq(json_unpack(root, "{s:{s:s}}", "cause", "reason", &reason), 0);
	ck_assert_str_eq(reason, "waits at the barrier (3 of 3 have arrived)");
	json_decref(root);
}
END_TEST

START_TEST(a_wait_has_this_form)
{
	why_add_team(2);
	struct picture_wait *w = why_wait(0, WAIT_LOCK, 22);
	w->name = strdup("L");
	w->object = 0x55d0c0de0080;
	w->holder = 1;
	w->holder_source = SOURCE_INFERRED;
	assert_member(parsed(), "waits",
		      "[{\"lwp\":4242,\"omp\":\"0.0\",\"kind\":\"lock\","
		      "\"object\":\"0x55d0c0de0080\",\"name\":\"L\",\"variable\":null,"
		      "\"holder\":{\"lwp\":4243,\"confidence\":\"probable\",\"candidates\":[]},"
		      "\"function\":\"work\",\"file\":\"/srv/u/src/app.c\",\"line\":22}]");
}
END_TEST

START_TEST(the_graph_has_this_form)
{
	why_add_chain();
	why.nodes.items[6].stuck = true;
	int task = world_add_task(&world, TASK_EXPLICIT, TASK_QUEUED, -1);
	int node = why_add_node(WHY_NODE_TASK, task, "task 0");
	why_add_edge(node, WHY_RUN_BY, why_add_node(WHY_NODE_NOBODY, -1, "no thread"),
		     WHY_NOT_KNOWN);
	assert_member(parsed(), "graph",
		      "{\"nodes\":["
		      "{\"id\":0,\"kind\":\"thread\",\"name\":\"threads 0.[0-2]\","
		      "\"state\":\"wait at barrier (3 of 5 arrived)\",\"lwps\":[4242,4243,4244],"
		      "\"tasks\":[],\"function\":\"work\",\"file\":\"/srv/u/src/app.c\","
		      "\"line\":40,\"stuck\":false},"
		      "{\"id\":3,\"kind\":\"thread\",\"name\":\"thread 0.3\","
		      "\"state\":\"waits for lock 'L'\",\"lwps\":[4245],\"tasks\":[],"
		      "\"function\":\"work\",\"file\":\"/srv/u/src/app.c\",\"line\":22,"
		      "\"stuck\":false},"
		      "{\"id\":4,\"kind\":\"thread\",\"name\":\"thread 0.4\","
		      "\"state\":\"in read(0)\",\"lwps\":[4246],\"tasks\":[],"
		      "\"function\":\"work\",\"file\":\"/srv/u/src/app.c\",\"line\":31,"
		      "\"stuck\":false},"
		      "{\"id\":5,\"kind\":\"barrier\",\"name\":\"barrier of team 0\","
		      "\"state\":null,\"lwps\":[],\"tasks\":[],\"function\":null,\"file\":null,"
		      "\"line\":null,\"stuck\":false},"
		      "{\"id\":6,\"kind\":\"object\",\"name\":\"lock 'L'\",\"state\":null,"
		      "\"lwps\":[],\"tasks\":[],\"function\":null,\"file\":null,\"line\":null,"
		      "\"stuck\":true},"
		      "{\"id\":7,\"kind\":\"task\",\"name\":\"task 0\",\"state\":\"queued\","
		      "\"lwps\":[],\"tasks\":[0],\"function\":null,\"file\":null,\"line\":null,"
		      "\"stuck\":false},"
		      "{\"id\":8,\"kind\":\"nobody\",\"name\":\"no thread\",\"state\":null,"
		      "\"lwps\":[],\"tasks\":[],\"function\":null,\"file\":null,\"line\":null,"
		      "\"stuck\":false}],"
		      "\"edges\":["
		      "{\"from\":0,\"to\":5,\"kind\":\"waits for\",\"confidence\":\"known\"},"
		      "{\"from\":3,\"to\":6,\"kind\":\"waits for\",\"confidence\":\"known\"},"
		      "{\"from\":5,\"to\":3,\"kind\":\"must come\",\"confidence\":\"known\"},"
		      "{\"from\":5,\"to\":4,\"kind\":\"must come\",\"confidence\":\"known\"},"
		      "{\"from\":6,\"to\":4,\"kind\":\"held by\",\"confidence\":\"probable\"},"
		      "{\"from\":7,\"to\":8,\"kind\":\"run by\",\"confidence\":\"unknown\"}]}");
}
END_TEST

/* Waits ----------------------------------------------------------------------------------- */

enum { KNOWN_HOLDER = 1, NO_HOLDER = -1, NO_SUCH_HOLDER = 7 };

static const struct {
	int holder;
	enum fact_source source;
	const char *expected;
} holders[] = {
	{ KNOWN_HOLDER, SOURCE_MEMORY,
	  "{\"lwp\":4243,\"confidence\":\"known\",\"candidates\":[]}" },
	{ KNOWN_HOLDER, SOURCE_OMPD, "{\"lwp\":4243,\"confidence\":\"known\",\"candidates\":[]}" },
	{ KNOWN_HOLDER, SOURCE_INFERRED,
	  "{\"lwp\":4243,\"confidence\":\"probable\",\"candidates\":[]}" },
	{ NO_HOLDER, SOURCE_NONE, "{\"lwp\":null,\"confidence\":\"unknown\",\"candidates\":[]}" },
	{ NO_HOLDER, SOURCE_MEMORY, "{\"lwp\":null,\"confidence\":\"unknown\",\"candidates\":[]}" },
	{ NO_SUCH_HOLDER, SOURCE_MEMORY,
	  "{\"lwp\":null,\"confidence\":\"unknown\",\"candidates\":[]}" },
};

START_TEST(how_sure_a_holder_is)
{
	why_add_team(2);
	struct picture_wait *w = why_wait(0, WAIT_LOCK, 22);
	w->holder = holders[_i].holder;
	w->holder_source = holders[_i].source;
	json_t *root = parsed();
	json_t *wait = json_incref(json_array_get(json_object_get(root, "waits"), 0));
	json_decref(root);
	assert_member(wait, "holder", holders[_i].expected);
}
END_TEST

/* One thread for each kind, in turn. */
START_TEST(threads_that_wait_are_listed_and_no_others)
{
	static const enum wait_kind none[] = { WAIT_NONE,    WAIT_IDLE,       WAIT_DUE,
					       WAIT_PASSING, WAIT_TEAM_START, WAIT_RUNTIME,
					       WAIT_CRASHED, WAIT_UNKNOWN };
	AUTO_BUF expected = { 0 };
	AUTO_BUF got = { 0 };
	size_t i;
	json_t *wait;

	for (int kind = 0; kind < NUM_WAIT_KINDS; kind++) {
		bool waits = true;
		world_add_thread(&world, ROLE_NONE, -1, -1);
		world_wait(&world, (enum wait_kind)kind);
		for (size_t n = 0; n < COUNT(none); n++)
			waits &= kind != (int)none[n];
		if (waits)
			buf_addf(&expected, "%s ", wait_kind_traits((enum wait_kind)kind)->name);
	}
	json_t *root = parsed();
	json_array_foreach(json_object_get(root, "waits"), i, wait)
		buf_addf(&got, "%s ", json_string_value(json_object_get(wait, "kind")));
	ck_assert_str_eq(buf_text(&got), buf_text(&expected));
	json_decref(root);
}
END_TEST

/* Progress -------------------------------------------------------------------------------- */

static const struct {
	double seconds;
	long barriers;
	struct {
		bool moved;
		double load;
	} threads[3];
	const char *expected;
} looks[] = {
	{ 0.2504,
	  12,
	  { { true, 0.5 }, { false, 0.25 }, { true, 1 } },
	  "{\"seconds\":0.250,\"barriers\":12,\"moved\":2,\"threads\":3,\"load\":1.750}" },
	{ 1234567.9996,
	  0,
	  { { false, -1 }, { false, 0 }, { false, -1 } },
	  "{\"seconds\":1234568.000,\"barriers\":0,\"moved\":0,\"threads\":3,\"load\":0.000}" },
	{ 0,
	  -1,
	  { { false, -1 }, { true, -1 }, { false, -1 } },
	  "{\"seconds\":0.000,\"barriers\":null,\"moved\":1,\"threads\":3,\"load\":null}" },
	{ -1,
	  -1,
	  { { false, (double)NAN }, { false, -1 }, { false, -1 } },
	  "{\"seconds\":null,\"barriers\":null,\"moved\":0,\"threads\":3,\"load\":null}" },
	{ (double)INFINITY,
	  -1,
	  { { false, 1e300 }, { false, 1e300 }, { false, -1 } },
	  "{\"seconds\":1000000000000.000,\"barriers\":null,\"moved\":0,\"threads\":3,"
	  "\"load\":1000000000000.000}" },
};

START_TEST(progress_has_this_form)
{
	struct progress p = { .looks = 3,
			      .seconds = looks[_i].seconds,
			      .barriers = looks[_i].barriers };

	for (int i = 0; i < 3; i++)
		why_push(&p.threads, (struct progress_thread){ .moved = looks[_i].threads[i].moved,
							       .load = looks[_i].threads[i].load });
	progress = p;
	json_t *root = parsed();
	ck_assert_int_eq(json_integer_value(json_object_get(root, "samples")), 3);
	assert_member(root, "progress", looks[_i].expected);
	vec_fini(&p.threads);
}
END_TEST

/* Strings --------------------------------------------------------------------------------- */

START_TEST(hostile_strings_arrive_harmless_wherever_they_stand)
{
	static char bad[] = "\"\\\033]0;x\a\xff\n";
	static const char harmless[] = "\"\\\\x1b]0;x\\x07\\xff\\x0a";
	const char *strings[8];

	why_add_chain();
	why_add_blame(0, 1, world_place("work", 22), bad);
	why_add_reason(bad);
	why_add_hint(bad);
	why.summary = strdup(bad);
	why.blame.items[0].place.file = why.blame.items[0].place.function = bad;
	world_spoil(&world, bad);
	json_t *root = parsed();
	int failed = json_unpack(root, "{s:s,s:[{s:s,s:s,s:s}],s:[{s:s,s:s}],s:[s],s:[s]}",
				 "summary", &strings[0], "blame", "function", &strings[1], "file",
				 &strings[2], "reason", &strings[3], "waits", "name", &strings[4],
				 "file", &strings[5], "reasons", &strings[6], "hints", &strings[7]);
	ck_assert_int_eq(failed, 0);
	for (size_t i = 0; i < COUNT(strings); i++)
		ck_assert_str_eq(strings[i], harmless);
	json_decref(root);
}
END_TEST

START_TEST(ten_thousand_threads_are_all_there)
{
	enum { MANY = 10000 };

	why_add_team(MANY);
	for (int i = 0; i < MANY; i++)
		why_wait(i, WAIT_EXPLICIT_BARRIER, 40);
	why_add_blame(0, MANY, world_place("work", 40), "wait");
	json_t *root = parsed();
	json_t *blame = json_array_get(json_object_get(root, "blame"), 0);
	ck_assert_uint_eq(json_array_size(json_object_get(root, "waits")), MANY);
	ck_assert_uint_eq(json_array_size(json_object_get(blame, "threads")), MANY);
	json_decref(root);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("json_why");

	why_case(s, "form", an_empty_verdict_has_this_form, a_verdict_has_these_words,
		 the_chain_of_blame_has_this_form, a_wait_has_this_form, the_graph_has_this_form,
		 threads_that_wait_are_listed_and_no_others,
		 what_several_threads_do_is_said_of_their_rank);
	why_table(s, how_sure_a_holder_is, holders);
	why_table(s, progress_has_this_form, looks);
	why_case(s, "strings", hostile_strings_arrive_harmless_wherever_they_stand,
		 ten_thousand_threads_are_all_there);
	return unit_run(s);
}
