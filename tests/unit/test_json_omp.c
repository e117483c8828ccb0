/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <jansson.h>

#include "debugger/output/json_omp.h"
#include "picture_fixture.h"

static void add_all(struct buf *out)
{
	const struct listing_wishes none = { 0 };
	AUTO_CHOSEN all = { 0 };

	ck_assert_no_error(chosen_find(&world.picture, &none, &all));
	json_omp(out, &world.view, &all);
	ck_assert(buf_ok(out));
}

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

/* Takes the root. */
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

START_TEST(an_empty_picture_has_this_form)
{
	AUTO_BUF out = { 0 };

	add_all(&out);
	ck_assert_str_eq(buf_text(&out),
			 "{\"v\":1,\"type\":\"omp\",\"target\":{\"pid\":4242,\"core\":null,"
			 "\"exe\":\"/srv/u/app\"},\"runtimes\":[],\"threads\":[],\"regions\":[],"
			 "\"tasks\":[],\"icvs\":[],\"notes\":[]}\n");
}
END_TEST

START_TEST(a_thread_has_this_form)
{
	world_add_region(&world, -1, 0, 1, 41);
	world_add_thread(&world, ROLE_PRIMARY, 0, 0);
	world_wait(&world, WAIT_TASKWAIT)->place = world_place("work", 45);
	world.picture.threads.items[0].task = 3;
	assert_member(
		parsed(), "threads",
		"[{\"lwp\":4242,\"name\":\"app\","
		"\"omp\":{\"runtime\":0,\"num\":0,\"team\":0,\"team_size\":1,\"level\":1,"
		"\"role\":\"primary\",\"source\":\"ompd\"},"
		"\"wait\":{\"kind\":\"taskwait\",\"object\":null,\"name\":null,\"variable\":null,"
		"\"file\":\"/srv/u/src/app.c\",\"line\":45,\"source\":\"memory\","
		"\"spinning\":false,\"holder\":null,\"holder_source\":null,"
		"\"arrived\":null,\"total\":null},"
		"\"task\":3}]");
}
END_TEST

START_TEST(regions_have_this_form)
{
	world_add_region(&world, -1, 0, 3, 41);
	world.picture.regions.items[0].members.items[1] = -1;
	world_add_region(&world, 0, -1, 1, 0);
	struct picture_region *inner = &world.picture.regions.items[1];
	inner->size = 0;
	inner->place = (struct place){ 0 };
	inner->source = SOURCE_INFERRED;
	inner->league = true;
	for (int i = 0; i < 3; i++)
		world_add_thread(&world, ROLE_WORKER, 0, i);
	assert_member(parsed(), "regions",
		      "[{\"id\":0,\"parent\":null,\"runtime\":0,\"level\":1,\"size\":3,"
		      "\"active\":true,\"league\":false,\"primary\":4242,"
		      "\"members\":[4242,null,4244],\"function\":\"work\","
		      "\"file\":\"/srv/u/src/app.c\",\"line\":41,\"source\":\"ompd\"},"
		      "{\"id\":1,\"parent\":0,\"runtime\":0,\"level\":2,\"size\":null,"
		      "\"active\":false,\"league\":true,\"primary\":null,\"members\":[],"
		      "\"function\":null,\"file\":null,\"line\":null,\"source\":\"inferred\"}]");
}
END_TEST

START_TEST(tasks_have_this_form)
{
	world_add_thread(&world, ROLE_PRIMARY, 0, 0);
	world_add_task(&world, TASK_IMPLICIT, TASK_SUSPENDED, 0);
	int n = world_add_task(&world, TASK_UNDEFERRED, TASK_BLOCKED, -1);
	struct picture_task *task = &world.picture.tasks.items[n];
	task->region = -1;
	task->creator = 0;
	task->source = SOURCE_NONE;
	task->place = world_place("work", 57);
	ck_assert(vec_push(&task->waits_for, 0) && vec_push(&task->waits_for, 7));
	assert_member(parsed(), "tasks",
		      "[{\"id\":0,\"kind\":\"implicit\",\"state\":\"suspended\",\"region\":0,"
		      "\"creator\":null,\"lwp\":4242,\"waits_for\":[],\"function\":null,"
		      "\"file\":null,\"line\":null,\"source\":\"ompd\"},"
		      "{\"id\":1,\"kind\":\"undeferred\",\"state\":\"blocked\",\"region\":null,"
		      "\"creator\":0,\"lwp\":null,\"waits_for\":[0,7],\"function\":\"work\","
		      "\"file\":\"/srv/u/src/app.c\",\"line\":57,\"source\":\"none\"}]");
}
END_TEST

START_TEST(icvs_have_this_form)
{
	world_add_thread(&world, ROLE_PRIMARY, 0, 0);
	world_add_icv(&world, "a-var", "1", ICV_PROCESS, -1);
	world_add_icv(&world, "b-var", "2", ICV_THREAD, 0);
	world_add_icv(&world, "c-var", "3", ICV_REGION, 4);
	world_add_icv(&world, "d-var", "4", ICV_TASK, 5);
	assert_member(parsed(), "icvs",
		      "[{\"name\":\"a-var\",\"value\":\"1\",\"runtime\":0,\"scope\":\"process\","
		      "\"of\":null},"
		      "{\"name\":\"b-var\",\"value\":\"2\",\"runtime\":0,\"scope\":\"thread\","
		      "\"of\":4242},"
		      "{\"name\":\"c-var\",\"value\":\"3\",\"runtime\":0,\"scope\":\"region\","
		      "\"of\":4},"
		      "{\"name\":\"d-var\",\"value\":\"4\",\"runtime\":0,\"scope\":\"task\","
		      "\"of\":5}]");
}
END_TEST

START_TEST(hostile_strings_arrive_harmless_wherever_they_stand)
{
	static char bad[] = "\"\\\033]0;x\a\xff\n";
	const char *name, *value, *file, *note;

	world_add_stuck_team(&world);
	world_add_task(&world, TASK_EXPLICIT, TASK_QUEUED, -1);
	world_add_icv(&world, "a-var", "1", ICV_PROCESS, -1);
	world_spoil(&world, bad);
	json_t *root = parsed();
	ck_assert_int_eq(json_unpack(root, "{s:[{s:s,s:s}],s:[{s:s}],s:[s,s]}", "icvs", "name",
				     &name, "value", &value, "tasks", "file", &file, "notes", &note,
				     &note),
			 0);
	ck_assert_str_eq(name, "\"\\\\x1b]0;x\\x07\\xff\\x0a");
	ck_assert_str_eq(value, name);
	ck_assert_str_eq(file, name);
	ck_assert_str_eq(note, name);
	json_decref(root);
}
END_TEST

START_TEST(two_thousand_threads_and_tasks_are_all_there)
{
	for (int i = 0; i < 2048; i++) {
		world_add_thread(&world, ROLE_WORKER, 0, i);
		world_add_task(&world, TASK_IMPLICIT, TASK_RUNNING, i);
	}
	json_t *root = parsed();
	ck_assert_uint_eq(json_array_size(json_object_get(root, "threads")), 2048);
	ck_assert_uint_eq(json_array_size(json_object_get(root, "tasks")), 2048);
	json_decref(root);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("json_omp");

	world_case(s, "form", an_empty_picture_has_this_form, a_thread_has_this_form,
		   regions_have_this_form, tasks_have_this_form, icvs_have_this_form);
	world_case(s, "strings", hostile_strings_arrive_harmless_wherever_they_stand,
		   two_thousand_threads_and_tasks_are_all_there);
	return unit_run(s);
}
