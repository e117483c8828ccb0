/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Progress between pictures made by hand. What /proc says of real processes: tests/live. */
#include "debugger/progress.h"

#include <limits.h>

#include "picture_fixture.h"

enum { FRAMES = 4, THREADS_MAX = 8 };
enum { RUNTIME_PC = 0x7000, CALL_PC = 0x1100, USER_PC = 0x1000 };

static struct progress_meter *new_meter(void)
{
	struct progress_meter *m = progress_new();

	ck_assert_ptr_nonnull(m);
	return m;
}

/* The stack that all threads have: two frames of a runtime's, called by two of the user's. */
static struct unwind_frame frames[FRAMES];
static struct unwind_stack raw[THREADS_MAX];

static void reset_stacks(void)
{
	const struct unwind_frame start[FRAMES] = {
		{ .pc = RUNTIME_PC, .cfa = 0x8000, .exact = true },
		{ .pc = RUNTIME_PC + 0x10, .cfa = 0x8010 },
		{ .pc = CALL_PC + 1, .cfa = 0x8020 },
		{ .pc = USER_PC, .cfa = 0x8030 },
	};

	memcpy(frames, start, sizeof(frames));
	for (size_t i = 0; i < THREADS_MAX; i++)
		raw[i] = (struct unwind_stack){ .items = frames, .len = FRAMES };
}

/* One worker of one region, executing one task, waits at a barrier. */
static void make_waiter(void)
{
	reset_stacks();
	int region = world_add_region(&world, -1, 0, 2, 10);
	struct picture_region *r = &world.picture.regions.items[region];
	r->handle = 0x100;
	r->function = 0x200;
	r->generation = 3;
	int thread = world_add_thread(&world, ROLE_WORKER, region, 0);
	int task = world_add_task(&world, TASK_IMPLICIT, TASK_RUNNING, thread);
	world.picture.tasks.items[task].handle = 0x300;
	world.picture.threads.items[thread].task = task;
	struct picture_wait *wait = world_wait(&world, WAIT_BARRIER);
	wait->object = 0x400;
	wait->api = "GOMP_barrier";
	wait->arrived = 1;
	wait->total = 2;
	wait->place.pc = CALL_PC;
}

static struct picture_thread *waiter(void)
{
	return &world.picture.threads.items[0];
}

static struct picture_region *its_region(void)
{
	return &world.picture.regions.items[0];
}

static void look(struct progress_meter *m)
{
	ck_assert_no_error(progress_add(m, &world.picture, raw));
}

/* ---- what moves a thread ---------------------------------------------------------------- */

static void nothing(void)
{
}

static void deeper_in_runtime(void)
{
	frames[0].pc += 8;
	frames[1].cfa += 8;
}

static void fewer_frames_in_runtime(void)
{
	raw[0].items++;
	raw[0].len--;
}

static void in_runtime_of_unknown_place(void)
{
	static struct span inside = { .inner = 0, .outer = 2 };

	waiter()->wait.place.pc = 0;
	waiter()->spans.list.items = &inside;
	waiter()->spans.list.len = 1;
	deeper_in_runtime();
}

static void caller_at_another_place(void)
{
	frames[2].pc += 8;
	waiter()->wait.place.pc += 8;
}

static void caller_called_anew(void)
{
	frames[2].cfa += 0x10;
}

static void outer_frame_elsewhere(void)
{
	frames[3].pc += 8;
}

static void stack_unknown(void)
{
	raw[0].len = 0;
	waiter()->wait = (struct picture_wait){ .kind = WAIT_UNKNOWN };
}

static void out_of_the_runtime(void)
{
	waiter()->wait = (struct picture_wait){ .kind = WAIT_NONE, .place.pc = CALL_PC };
}

static void for_something_else(void)
{
	waiter()->wait.kind = WAIT_TASKWAIT;
}

static void busy_in_runtime(void)
{
	waiter()->wait.kind = WAIT_RUNTIME;
}

static void at_another_object(void)
{
	waiter()->wait.object++;
}

static void object_unknown(void)
{
	waiter()->wait.object = 0;
}

static void by_another_entry(void)
{
	waiter()->wait.api = "GOMP_barrier_cancel";
}

static void entry_unknown(void)
{
	waiter()->wait.api = NULL;
}

static void spinning_now(void)
{
	waiter()->wait.spinning = true;
}

static void another_has_arrived(void)
{
	waiter()->wait.arrived++;
}

static void arrivals_unknown(void)
{
	waiter()->wait.arrived = waiter()->wait.total = 0;
}

static void barrier_passed(void)
{
	its_region()->generation++;
}

static void generation_unknown(void)
{
	its_region()->generation = -1;
}

static void region_of_other_code(void)
{
	its_region()->function++;
}

static void another_region(void)
{
	its_region()->handle++;
}

static void another_task(void)
{
	world.picture.tasks.items[0].handle++;
}

static void no_task(void)
{
	waiter()->task = -1;
}

static const struct {
	void (*change)(void);
	bool moves;
} changes[] = {
	{ nothing, false },
	{ deeper_in_runtime, false },
	{ fewer_frames_in_runtime, false },
	{ in_runtime_of_unknown_place, false },
	{ caller_at_another_place, true },
	{ caller_called_anew, true },
	{ outer_frame_elsewhere, true },
	{ stack_unknown, false },
	{ out_of_the_runtime, true },
	{ for_something_else, true },
	{ busy_in_runtime, false },
	{ at_another_object, true },
	{ object_unknown, false },
	{ by_another_entry, true },
	{ entry_unknown, false },
	{ spinning_now, false },
	{ another_has_arrived, true },
	{ arrivals_unknown, false },
	{ barrier_passed, true },
	{ generation_unknown, false },
	{ region_of_other_code, true },
	{ another_region, true },
	{ another_task, true },
	{ no_task, false },
};

/* Whether the waiter has moved after those looks. */
static bool has_moved(const struct progress_meter *m)
{
	AUTO_PROGRESS p = { 0 };

	ck_assert_no_error(progress_get(m, &p));
	ck_assert_uint_eq(p.threads.len, 1);
	return p.threads.items[0].moved;
}

START_TEST(a_thread_has_moved_if_what_it_waits_in_differs)
{
	AUTO_PROGRESS_METER *m = new_meter();

	make_waiter();
	look(m);
	changes[_i].change();
	look(m);
	bool moved = has_moved(m);
	waiter()->spans.list.items = NULL;
	waiter()->spans.list.len = 0;
	ck_assert_msg(moved == changes[_i].moves, "change %d", _i);
}
END_TEST

START_TEST(a_thread_in_user_code_moves_with_each_instruction)
{
	AUTO_PROGRESS_METER *m = new_meter();

	make_waiter();
	out_of_the_runtime();
	look(m);
	look(m);
	ck_assert(!has_moved(m));
	frames[0].pc++;
	look(m);
	ck_assert(has_moved(m));
}
END_TEST

START_TEST(what_moved_once_has_moved)
{
	AUTO_PROGRESS_METER *m = new_meter();

	make_waiter();
	look(m);
	caller_called_anew();
	look(m);
	look(m);
	ck_assert(has_moved(m));
}
END_TEST

START_TEST(a_look_that_cannot_tell_hides_no_change)
{
	AUTO_PROGRESS_METER *m = new_meter();

	make_waiter();
	look(m);
	taddr object = waiter()->wait.object;
	object_unknown();
	look(m);
	ck_assert(!has_moved(m));
	waiter()->wait.object = object + 1;
	look(m);
	ck_assert(has_moved(m));
}
END_TEST

/* ---- threads and barriers --------------------------------------------------------------- */

START_TEST(threads_begin_and_end_between_looks)
{
	AUTO_PROGRESS_METER *m = new_meter();
	AUTO_PROGRESS p = { 0 };

	reset_stacks();
	for (int i = 0; i < 4; i++)
		world_add_thread(&world, ROLE_NONE, -1, -1);
	struct picture_thread *threads = world.picture.threads.items;
	look(m);
	/* 4242 and 4245 end, 4244 becomes the last but two. */
	threads[0].lwp = 4243;
	threads[1].lwp = 4244;
	threads[2].lwp = 4250;
	threads[3].lwp = 4251;
	look(m);
	ck_assert_no_error(progress_get(m, &p));
	ck_assert_uint_eq(p.threads.len, 4);
	for (size_t i = 0; i < p.threads.len; i++) {
		ck_assert_int_eq(p.threads.items[i].lwp, threads[i].lwp);
		ck_assert_int_eq(p.threads.items[i].moved, i >= 2);
	}
}
END_TEST

static long barriers_of(const struct progress_meter *m)
{
	AUTO_PROGRESS p = { 0 };

	ck_assert_no_error(progress_get(m, &p));
	return p.barriers;
}

static const struct {
	const char *what;
	long generations[3];
	taddr handles[3];
	long barriers;
} counts[] = {
	{ "none passed", { 3, 3, 3 }, { 1, 1, 1 }, 0 },
	{ "some passed", { 3, 4, 9 }, { 1, 1, 1 }, 6 },
	{ "never known", { -1, -1, -1 }, { 1, 1, 1 }, -1 },
	{ "known once", { -1, 7, -1 }, { 1, 1, 1 }, -1 },
	{ "known from the second on", { -1, 7, 8 }, { 1, 1, 1 }, 1 },
	{ "another region each time", { 3, 4, 5 }, { 1, 2, 3 }, -1 },
	{ "without a handle", { 3, 4, 5 }, { 0, 0, 0 }, -1 },
	{ "a new one in the same place", { 8, 0, 2 }, { 1, 1, 1 }, 2 },
};

START_TEST(barriers_are_counted_in_regions_of_two_looks)
{
	AUTO_PROGRESS_METER *m = new_meter();

	make_waiter();
	for (size_t n = 0; n < COUNT(counts[_i].generations); n++) {
		its_region()->generation = counts[_i].generations[n];
		its_region()->handle = counts[_i].handles[n];
		look(m);
	}
	ck_assert_msg(barriers_of(m) == counts[_i].barriers, "%s: %ld", counts[_i].what,
		      barriers_of(m));
}
END_TEST

START_TEST(barriers_of_all_regions_are_added_up)
{
	AUTO_PROGRESS_METER *m = new_meter();

	reset_stacks();
	for (int i = 0; i < 3; i++)
		world_add_region(&world, -1, -1, 2, 10);
	world_add_thread(&world, ROLE_WORKER, 2, 0);
	struct picture_region *regions = world.picture.regions.items;
	for (int i = 0; i < 3; i++) {
		regions[i].handle = (taddr)(30 - i);
		regions[i].generation = 10 * i;
	}
	look(m);
	struct picture_region first = regions[0];
	regions[0] = regions[2];
	regions[2] = first;
	regions[0].generation += 1;
	regions[1].generation += 2;
	regions[2].generation = LONG_MAX;
	look(m);
	ck_assert_int_eq(barriers_of(m), LONG_MAX);
}
END_TEST

/* ---- what is unknown -------------------------------------------------------------------- */

START_TEST(one_look_knows_no_progress)
{
	AUTO_PROGRESS_METER *m = new_meter();
	AUTO_PROGRESS p = { 0 };

	make_waiter();
	look(m);
	progress_begin(m, 0);
	progress_end(m, 0);
	ck_assert_no_error(progress_get(m, &p));
	ck_assert_uint_eq(p.looks, 1);
	ck_assert_double_eq(p.seconds, 0);
	ck_assert_int_eq(p.barriers, -1);
	ck_assert_uint_eq(p.cpus, 0);
	ck_assert_uint_eq(p.threads.len, 1);
	ck_assert(!p.threads.items[0].moved);
	ck_assert_double_lt(p.threads.items[0].load, 0);
}
END_TEST

START_TEST(no_look_is_no_thread)
{
	AUTO_PROGRESS_METER *m = new_meter();
	AUTO_PROGRESS p = { 0 };

	progress_begin(m, getpid());
	progress_end(m, getpid());
	ck_assert_no_error(progress_get(m, &p));
	ck_assert_uint_eq(p.looks, 0);
	ck_assert_uint_eq(p.threads.len, 0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("progress");

	world_table(s, a_thread_has_moved_if_what_it_waits_in_differs, changes);
	world_case(s, "threads", a_thread_in_user_code_moves_with_each_instruction,
		   what_moved_once_has_moved, a_look_that_cannot_tell_hides_no_change,
		   threads_begin_and_end_between_looks);
	world_table(s, barriers_are_counted_in_regions_of_two_looks, counts);
	world_case(s, "barriers", barriers_of_all_regions_are_added_up);
	world_case(s, "unknown", one_look_knows_no_progress, no_look_is_no_thread);
	return unit_run(s);
}
