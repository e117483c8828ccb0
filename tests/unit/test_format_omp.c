/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_omp.h"
#include "picture_fixture.h"

static const struct style plain = { .color = false };
static const struct style utf8 = { .utf8 = true };
static const struct style colored = { .color = true };

static void add_all(struct buf *out, const struct style *style)
{
	const struct listing_wishes none = { 0 };
	AUTO_CHOSEN all = { 0 };
	AUTO(overview_fini) struct overview overview = { 0 };

	ck_assert_no_error(chosen_find(&world.picture, &none, &all));
	ck_assert_no_error(overview_make(&world.picture, &all, &overview));
	format_omp(out, &world.view, &overview, style);
	ck_assert(buf_ok(out));
}

/* What stands behind target and runtimes, whose lines are indented. */
static const char *rest_of(const struct buf *out)
{
	const char *text = strstr(buf_text(out), "runtimes\n");

	do
		text = strchr(text, '\n') + 1;
	while (*text == ' ');
	return text;
}

static void assert_rest(const struct style *style, const char *expected)
{
	AUTO_BUF out = { 0 };

	add_all(&out, style);
	ck_assert_str_eq(rest_of(&out), expected);
}

static struct picture_task *add_child(int creator, enum task_state state, int thread, int line)
{
	int n = world_add_task(&world, TASK_EXPLICIT, state, thread);
	struct picture_task *task = &world.picture.tasks.items[n];

	task->creator = creator;
	task->place = world_place("work", line);
	return task;
}

/* Runtimes -------------------------------------------------------------------------------- */

START_TEST(runtimes_are_told_with_their_files)
{
	world_add_gomp(&world);
	struct picture_runtime *r = world_add_gomp(&world);
	free(r->provider);
	r->provider = NULL;
	r->answers = false;
	free(r->status);
	r->status = strdup("unknown libgomp: only stacks");
	AUTO_BUF out = { 0 };
	add_all(&out, &plain);
	ck_assert_str_eq(buf_text(&out),
			 "process 4242 (/srv/u/app), 0 threads\n"
			 "\n"
			 "runtimes\n"
			 "  libgomp of GCC 12 (layout of GCC 12)\n"
			 "    file          /usr/lib/x86_64-linux-gnu/libgomp.so.1.0.0\n"
			 "    OMPD library  built in\n"
			 "  libgomp of GCC 12 (unknown libgomp: only stacks)\n"
			 "    file          /usr/lib/x86_64-linux-gnu/libgomp.so.1.0.0\n"
			 "    OMPD library  none\n");
}
END_TEST

START_TEST(a_program_without_openmp_has_none_of_it)
{
	AUTO_BUF out = { 0 };

	add_all(&out, &plain);
	ck_assert_str_eq(buf_text(&out), "process 4242 (/srv/u/app), 0 threads\n"
					 "\n"
					 "runtimes\n"
					 "  none\n");
}
END_TEST

/* Regions --------------------------------------------------------------------------------- */

START_TEST(a_region_has_its_place_and_its_threads)
{
	world_add_stuck_team(&world);
	assert_rest(&plain,
		    "\n"
		    "regions\n"
		    "  parallel region 0, team of 4, level 1, at app.c:41 in work\n"
		    "     0.0  LWP 4242  primary  waits at barrier (3 of 4 arrived), at app.c:45\n"
		    "     0.1  LWP 4243  worker   waits at barrier (3 of 4 arrived), at app.c:45\n"
		    "     0.2  LWP 4244  worker   in read(0)\n"
		    "     0.3  LWP 4245  worker   waits at barrier (3 of 4 arrived), at app.c:45\n"
		    "\n"
		    "threads in no region\n"
		    "  LWP 4246  other    waits for condition in pthread_cond_wait()\n"
		    "\n"
		    "2 threads idle in the pool: 4247 4248\n");
}
END_TEST

START_TEST(many_members_that_do_the_same_are_one_line)
{
	world_add_region(&world, -1, 0, 8, 63);
	world.picture.regions.items[0].members.items[5] = -1;
	for (int i = 0; i < 8; i++) {
		world_add_thread(&world, ROLE_WORKER, 0, i);
		if (i != 2)
			world_wait(&world, WAIT_BARRIER)->place = world_place("work", 65);
	}
	assert_rest(&plain, "\n"
			    "regions\n"
			    "  parallel region 0, team of 8, level 1, at app.c:63 in work\n"
			    "     0.[0,1,3,4,6,7]  6 threads  wait at a barrier, explicit or "
			    "implied, at app.c:65\n"
			    "     0.2  LWP 4244  worker   runs\n"
			    "     0.5  not found\n");
}
END_TEST

/* Where no lines are known, either. */
START_TEST(members_at_different_instructions_are_told_apart)
{
	static const char *const codes[] = { "app+0x11b4", "app+0x11c8" };

	world_add_region(&world, -1, 0, 10, 63);
	for (int i = 0; i < 10; i++) {
		world_add_thread(&world, ROLE_WORKER, 0, i);
		world_wait(&world, WAIT_BARRIER)->place =
			(struct place){ .pc = 1, .code = codes[i % 2] };
	}
	assert_rest(&plain,
		    "\n"
		    "regions\n"
		    "  parallel region 0, team of 10, level 1, at app.c:63 in work\n"
		    "     0.[0,2,4,6,8]  5 threads  wait at a barrier, explicit or implied, "
		    "at app+0x11b4\n"
		    "     0.[1,3,5,7,9]  5 threads  wait at a barrier, explicit or implied, "
		    "at app+0x11c8\n");
}
END_TEST

START_TEST(long_names_of_functions_are_shortened_unless_asked_for)
{
	static const char name[] = "solver<std::vector<double, std::allocator<double> >, 3>::run("
				   "std::vector<double, std::allocator<double> > const&)";
	static const struct style whole = { .long_names = true };

	world_add_region(&world, -1, 0, 1, 63);
	world_add_thread(&world, ROLE_PRIMARY, 0, 0);
	world.picture.regions.items[0].place.function = name;
	assert_rest(
		&plain,
		"\n"
		"regions\n"
		"  parallel region 0, team of 1, level 1, at app.c:63 in solver<...>::run(...)\n"
		"     0.0  LWP 4242  primary  runs\n");
	AUTO_BUF out = { 0 };
	add_all(&out, &whole);
	ck_assert_ptr_nonnull(strstr(buf_text(&out), name));
}
END_TEST

START_TEST(nested_regions_are_a_tree)
{
	world_add_region(&world, -1, 0, 2, 63);
	world.picture.regions.items[0].members.items[1] = 2;
	world_add_region(&world, 0, 0, 3, 70);
	world.picture.regions.items[1].members.items[2] = 3; /* it has left that team for another */
	world_add_region(&world, 0, 2, 2, 71);
	world_add_region(&world, 2, 3, 1, 75);
	world_add_thread(&world, ROLE_PRIMARY, 1, 0);
	world_add_thread(&world, ROLE_WORKER, 1, 1);
	world_add_thread(&world, ROLE_PRIMARY, 2, 0);
	world_add_thread(&world, ROLE_PRIMARY, 3, 0);
	assert_rest(&utf8,
		    "\n"
		    "regions\n"
		    "  parallel region 0, team of 2, level 1, at app.c:63 in work\n"
		    "  │  0.0  LWP 4242  goes on as 1.0\n"
		    "  │  0.1  LWP 4244  goes on as 2.0\n"
		    "  ├─ parallel region 1, team of 3, level 2, at app.c:70 in work, by 0.0\n"
		    "  │     1.0  LWP 4242  primary  runs\n"
		    "  │     1.1  LWP 4243  worker   runs\n"
		    "  │     1.2  LWP 4245  has gone on as 3.0\n"
		    "  └─ parallel region 2, team of 2, level 2, at app.c:71 in work, by 0.1\n"
		    "     │  2.0  LWP 4244  primary  runs\n"
		    "     │  2.1  LWP 4245  goes on as 3.0\n"
		    "     └─ parallel region 3, team of 1, level 3, at app.c:75 in work, by 2.1\n"
		    "           3.0  LWP 4245  primary  runs\n");
}
END_TEST

START_TEST(what_is_inferred_or_not_found_says_so)
{
	world_add_region(&world, -1, 0, 3, 63);
	world.picture.regions.items[0].source = SOURCE_INFERRED;
	world.picture.regions.items[0].members.items[1] = -1;
	for (int i = 0; i < 3; i++)
		world_add_thread(&world, ROLE_WORKER, 0, i);
	world_wait(&world, WAIT_TASKWAIT)->source = SOURCE_INFERRED;
	world.picture.threads.items[0].source = SOURCE_INFERRED;
	assert_rest(&plain,
		    "\n"
		    "regions\n"
		    "  parallel region 0, team of 3, level 1, at app.c:63 in work (inferred)\n"
		    "     0.0  LWP 4242  worker   runs (number inferred)\n"
		    "     0.1  not found\n"
		    "     0.2  LWP 4244  worker   waits in taskwait for child tasks (inferred)\n");
}
END_TEST

/* Behind the first member, which waits at the end, one is idle, and one no member of any team. */
static void add_team_at_its_end(long arrived, enum wait_kind idle)
{
	world_add_region(&world, -1, 0, 3, 63);
	world_add_thread(&world, ROLE_PRIMARY, 0, 0);
	struct picture_wait *wait = world_wait(&world, WAIT_REGION_END);
	wait->arrived = arrived;
	wait->total = 3;
	world_add_thread(&world, ROLE_IDLE, -1, -1);
	world_wait(&world, idle);
	world_add_thread(&world, ROLE_NONE, -1, -1);
	world.picture.regions.items[0].members.items[1] = 1;
	world.picture.regions.items[0].members.items[2] = 2;
}

static void assert_shown(const char *words)
{
	AUTO_BUF out = { 0 };

	add_all(&out, &plain);
	ck_assert_msg(strstr(buf_text(&out), words) != NULL, "no '%s' in %s", words,
		      buf_text(&out));
}

START_TEST(nobody_has_left_a_team_that_others_are_still_to_come_to)
{
	add_team_at_its_end(2, WAIT_DUE);
	assert_shown("     0.1  LWP 4243  not woken yet\n"
		     "     0.2  LWP 4244  on its way\n");
}
END_TEST

START_TEST(who_is_in_no_team_may_have_left_one_to_whose_end_all_have_come)
{
	add_team_at_its_end(3, WAIT_IDLE);
	assert_shown("     0.1  LWP 4243  has left, or is on its way\n"
		     "     0.2  LWP 4244  has left, or is on its way\n");
}
END_TEST

START_TEST(columns_line_up_in_large_teams)
{
	world_add_region(&world, -1, 0, 11, 63);
	for (int i = 0; i < 11; i++) {
		world_add_thread(&world, i ? ROLE_WORKER : ROLE_PRIMARY, 0, i);
		world.picture.threads.items[i].task =
			world_add_task(&world, TASK_IMPLICIT, TASK_RUNNING, i);
		if (i % 10)
			world_wait(&world, WAIT_BARRIER)->place = world_place("work", i);
	}
	AUTO_BUF out = { 0 };
	add_all(&out, &plain);
	ck_assert_ptr_nonnull(
		strstr(buf_text(&out), "\n     0.0   LWP 4242  primary  task 0   runs\n"));
	ck_assert_ptr_nonnull(
		strstr(buf_text(&out), "\n     0.10  LWP 4252  worker   task 10  runs\n"));
}
END_TEST

/* Tasks ----------------------------------------------------------------------------------- */

START_TEST(tasks_are_a_tree_in_which_equal_ones_share_a_line)
{
	for (int i = 0; i < 4; i++) {
		world_add_thread(&world, ROLE_WORKER, 0, i);
		world_add_task(&world, TASK_IMPLICIT, TASK_RUNNING, i);
	}
	world.picture.tasks.items[1].waits = true;
	add_child(1, TASK_SUSPENDED, 3, 57);
	for (int i = 0; i < 1000; i++)
		add_child(1, TASK_QUEUED, -1, 60);
	add_child(1, TASK_QUEUED, -1, 61);
	struct picture_task *task = add_child(1, TASK_BLOCKED, -1, 62);
	for (int i = 4; i < 14; i++)
		ck_assert(vec_push(&task->waits_for, i));
	add_child(4, TASK_RUNNING, 3, 64)->kind = TASK_UNDEFERRED;
	add_child(4, TASK_DETACHED, -1, 65)->source = SOURCE_INFERRED;
	assert_rest(
		&utf8,
		"\n"
		"tasks\n"
		"  task 0: implicit, running on 0.0, region 0\n"
		"  task 1: implicit, running on 0.1, region 0, waits for its tasks\n"
		"  ├─ task 4: explicit, suspended on 0.3, region 0, at app.c:57 in work\n"
		"  │  ├─ task 1007: undeferred, running on 0.3, region 0, at app.c:64 in work\n"
		"  │  └─ task 1008: explicit, detached, region 0, at app.c:65 in work (inferred)\n"
		"  ├─ tasks 5-1004: explicit, queued, region 0, at app.c:60 in work\n"
		"  ├─ task 1005: explicit, queued, region 0, at app.c:61 in work\n"
		"  └─ task 1006: explicit, blocked, region 0, waits for tasks 4 5 6 7 8 9 10 11 "
		"and 2 more, at app.c:62 in work\n"
		"  tasks 2-3: implicit, running on 0.[2,3], region 0\n");
}
END_TEST

START_TEST(a_very_long_chain_of_tasks_is_drawn_in_time_and_on_the_screen)
{
	enum { N = 100000 };
	AUTO_BUF out = { 0 };
	size_t widest = 0;

	for (int i = 0; i < N; i++)
		add_child(i - 1, TASK_SUSPENDED, -1, 57);
	add_all(&out, &plain);
	for (const char *p = buf_text(&out); *p; p += strcspn(p, "\n") + 1)
		widest = strcspn(p, "\n") > widest ? strcspn(p, "\n") : widest;
	ck_assert_uint_le(widest, 100);
	ck_assert_ptr_nonnull(strstr(buf_text(&out), "task 99999: "));
}
END_TEST

START_TEST(tasks_whose_creator_makes_no_sense_are_roots)
{
	add_child(0, TASK_RUNNING, -1, 57);
	add_child(7, TASK_QUEUED, -1, 57);
	assert_rest(&plain, "\n"
			    "tasks\n"
			    "  task 0: explicit, running, region 0, at app.c:57 in work\n"
			    "  task 1: explicit, queued, region 0, at app.c:57 in work\n");
}
END_TEST

/* ICVs ------------------------------------------------------------------------------------ */

START_TEST(icvs_of_equal_value_share_a_line)
{
	world_add_gomp(&world);
	world_add_gomp(&world);
	for (int i = 0; i < 4; i++)
		world_add_thread(&world, ROLE_WORKER, 0, i);
	world_add_icv(&world, "nthreads-var", "4", ICV_PROCESS, -1);
	for (int i = 0; i < 4; i++) {
		world_add_icv(&world, "nthreads-var", i == 1 ? "2" : "4", ICV_THREAD, i);
		world_add_icv(&world, "dyn-var", "false", ICV_TASK, i);
	}
	world_add_icv(&world, "levels-var", "1", ICV_REGION, 0);
	world_add_icv(&world, "run-sched-var", "dynamic,1", ICV_PROCESS, -1);
	world.picture.icvs.items[world.picture.icvs.len - 1].runtime = 1;
	assert_rest(&plain,
		    "\n"
		    "internal control variables of libgomp\n"
		    "  nthreads-var              4                     process\n"
		    "  nthreads-var              2                     thread 0.1\n"
		    "  nthreads-var              4                     3 threads: 0.[0,2,3]\n"
		    "  levels-var                1                     region 0\n"
		    "  dyn-var                   false                 tasks 0-3\n"
		    "\n"
		    "internal control variables of libgomp\n"
		    "  run-sched-var             dynamic,1             process\n");
}
END_TEST

/* Looks ----------------------------------------------------------------------------------- */

static void add_everything(void)
{
	world_add_stuck_team(&world);
	world_add_task(&world, TASK_IMPLICIT, TASK_RUNNING, 0);
	add_child(0, TASK_QUEUED, -1, 57);
	world_add_icv(&world, "nthreads-var", "4", ICV_PROCESS, -1);
}

START_TEST(hostile_strings_are_harmless_wherever_they_stand)
{
	static char bad[] = "\033]0;x\a\x9b\xff\xe2\x80\xae\r\n\x7f";
	AUTO_BUF out = { 0 };
	size_t harmful = 0;

	add_everything();
	world_spoil(&world, bad);
	add_all(&out, &plain);
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

	add_everything();
	add_all(&out, &colored);
	add_all(&expected, &plain);
	unit_add_without_colors(&without, &out);
	ck_assert_uint_lt(without.len, out.len);
	ck_assert_str_eq(buf_text(&without), buf_text(&expected));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("format_omp");

	world_case(s, "runtimes", runtimes_are_told_with_their_files,
		   a_program_without_openmp_has_none_of_it);
	world_case(s, "regions", a_region_has_its_place_and_its_threads,
		   many_members_that_do_the_same_are_one_line,
		   members_at_different_instructions_are_told_apart, nested_regions_are_a_tree,
		   long_names_of_functions_are_shortened_unless_asked_for,
		   what_is_inferred_or_not_found_says_so,
		   nobody_has_left_a_team_that_others_are_still_to_come_to,
		   who_is_in_no_team_may_have_left_one_to_whose_end_all_have_come,
		   columns_line_up_in_large_teams);
	world_case(s, "tasks", tasks_are_a_tree_in_which_equal_ones_share_a_line,
		   a_very_long_chain_of_tasks_is_drawn_in_time_and_on_the_screen,
		   tasks_whose_creator_makes_no_sense_are_roots);
	world_case(s, "icvs", icvs_of_equal_value_share_a_line);
	world_case(s, "looks", hostile_strings_are_harmless_wherever_they_stand,
		   colors_change_nothing_but_the_color);
	return unit_run(s);
}
