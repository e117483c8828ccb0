/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/omp_ids.h"
#include "fake_target.h"
#include "picture_fixture.h"
#include "target/process/memory.h"

enum { HANDLE = 0x7000, GIVEN = 0x7080, CHUNK = 0x101, FRAME = 0x9000, CREATOR_FRAME = 0xa000 };

/* A task, executed by thread 1, that thread 0 has created, and what differs at the second look. */
struct given_task {
	taddr handle, function, arguments, frame, creator_frame;
	uint64_t value; /* that it was given */
	long generation;
	enum task_state state;
	int thread, region, creator;
};

static const struct given_task first = {
	.handle = HANDLE,
	.function = 0x401000,
	.arguments = GIVEN,
	.frame = FRAME,
	.creator_frame = CREATOR_FRAME,
	.value = 7,
	.generation = 3,
	.state = TASK_RUNNING,
	.thread = 1,
	.region = 0,
	.creator = 0,
};

static struct omp_ids *ids;
static struct fake_target *target;

static void set_up(void)
{
	ids = omp_ids_new();
	target = fake_target_new();
	ck_assert_ptr_nonnull(ids);
	fake_target_add(target, HANDLE - 8, (uint64_t[64]){ CHUNK }, sizeof(uint64_t[64]));
}

static void tear_down(void)
{
	omp_ids_free(ids);
	target_free(&target->base);
}

/* ---- looks -------------------------------------------------------------------------------- */

/* The thread executes that task, whose outermost frame has this CFA. */
static void execute(struct world *w, struct unwind_stack *raw, int thread, int task, taddr frame)
{
	struct picture_thread *th = &w->picture.threads.items[thread];

	th->task = task;
	ck_assert(vec_push(&th->spans.list, (struct span){ .inner = 1, .outer = 2 }));
	th->borders = calloc(1, sizeof(*th->borders));
	ck_assert_ptr_nonnull(th->borders);
	*th->borders = (struct picture_border){ .task = task, .region = -1 };
	ck_assert(vec_push(&raw[thread], (struct unwind_frame){ .pc = 0x401004, .cfa = frame }));
	ck_assert(vec_push(&raw[thread], (struct unwind_frame){ .pc = 0x501004, .cfa = 0xf000 }));
}

static void fill(struct world *w, struct unwind_stack *raw, const struct given_task *t)
{
	static const taddr handles[] = { 0x6000, 0x6100 };

	world_init(w);
	world_add_region(w, -1, 0, 2, 41);
	world_add_region(w, -1, -1, 2, 51);
	w->picture.regions.items[0].handle = 0x5000;
	w->picture.regions.items[1].handle = 0x5100;
	w->picture.regions.items[0].generation = t->generation;
	for (int i = 0; i < 2; i++) {
		world_add_thread(w, ROLE_WORKER, 0, i);
		int implicit = world_add_task(w, TASK_IMPLICIT, TASK_RUNNING, i);
		w->picture.tasks.items[implicit].handle = handles[i];
		w->picture.tasks.items[implicit].region = 0;
	}
	int n = world_add_task(w, TASK_EXPLICIT, t->state, t->thread);
	struct picture_task *task = &w->picture.tasks.items[n];
	task->handle = t->handle;
	task->function = t->function;
	task->arguments = t->arguments;
	task->region = t->region;
	task->creator = t->creator;
	execute(w, raw, 0, 0, t->creator_frame);
	if (t->thread == 1)
		execute(w, raw, 1, n, t->frame);
	fake_target_add(target, GIVEN, &t->value, sizeof(t->value));
	memory_flush(target->base.memory);
}

/* The id that the task gets. */
static long look(const struct given_task *t, bool all, bool *ret_doubtful)
{
	struct unwind_stack raw[2] = { 0 };
	struct world w;

	fill(&w, raw, t);
	ck_assert_no_error(omp_ids_assign(ids, &target->base, &w.picture, all ? raw : NULL));
	const long id = picture_task_id(&w.picture, 2);
	*ret_doubtful = w.picture.tasks.items[2].doubtful;
	for (int i = 0; i < 2; i++)
		unwind_stack_fini(&raw[i]);
	world_fini(&w);
	return id;
}

/* ---- tasks -------------------------------------------------------------------------------- */

START_TEST(a_task_that_nothing_has_happened_to_keeps_its_id)
{
	bool doubtful;

	ck_assert_int_eq(look(&first, true, &doubtful), 2);
	ck_assert_int_eq(look(&first, true, &doubtful), 2);
	ck_assert_int_eq(look(&first, false, &doubtful), 2);
	ck_assert(!doubtful);
}
END_TEST

/* One member of the first one is another. */
static const struct {
	size_t offset, size;
	int64_t value;
	bool same, doubtful;
} members[] = {
#define MEMBER(member, ...)                                                                        \
	{                                                                                          \
		offsetof(struct given_task, member), sizeof(first.member), __VA_ARGS__             \
	}
	MEMBER(handle, 0x7700),
	MEMBER(function, 0x402000),
	MEMBER(function, 0, .same = true), /* not known: a look may tell less */
	MEMBER(arguments, GIVEN + 8),
	MEMBER(frame, FRAME + 64),
	MEMBER(frame, 0, .same = true),
	MEMBER(creator_frame, CREATOR_FRAME + 64),
	MEMBER(value, 8, .doubtful = true), /* it may have changed it itself */
	MEMBER(generation, 4),
	MEMBER(state, TASK_QUEUED),
	MEMBER(state, TASK_SUSPENDED, .same = true),
	MEMBER(thread, 0, .doubtful = true), /* it may be untied */
	MEMBER(region, 1),
	MEMBER(creator, 1),
	MEMBER(creator, -1, .same = true), /* it has ended */
};

START_TEST(what_of_it_may_change)
{
	struct given_task now = first;
	bool doubtful;
	const long before = look(&first, true, &doubtful);

	ck_assert(!doubtful);
	memcpy((char *)&now + members[_i].offset, &members[_i].value, members[_i].size);
	const long after = look(&now, true, &doubtful);
	ck_assert_msg((before == after) == members[_i].same, "row %d: %ld, %ld", _i, before, after);
	ck_assert_msg(doubtful == members[_i].doubtful, "row %d: doubt", _i);
	ck_assert_msg(after >= before, "row %d: an id of the past", _i);
}
END_TEST

START_TEST(what_it_was_given_does_not_change_before_it_begins)
{
	struct given_task queued = first;
	bool doubtful;

	queued.state = TASK_QUEUED;
	queued.thread = -1;
	const long before = look(&queued, true, &doubtful);
	ck_assert_int_eq(look(&queued, true, &doubtful), before);
	queued.value = 8;
	ck_assert_int_gt(look(&queued, true, &doubtful), before);
	ck_assert(!doubtful);
}
END_TEST

START_TEST(what_the_user_has_written_there_is_no_difference)
{
	struct given_task queued = first;
	unsigned int points = 0;
	bool doubtful;

	queued.state = TASK_QUEUED;
	queued.thread = -1;
	const long before = look(&queued, true, &doubtful);
	queued.value = 8;
	target->base.changes++;
	ck_assert_int_eq(look(&queued, true, &doubtful), before);
	/* Whatever was written while it ran was not the user. */
	omp_ids_arm(ids, &target->base, &points);
	queued.value = 9;
	target->base.changes++;
	ck_assert_int_gt(look(&queued, true, &doubtful), before);
}
END_TEST

START_TEST(one_that_begins_is_the_same)
{
	struct given_task queued = first;
	bool doubtful;

	queued.state = TASK_QUEUED;
	queued.thread = -1;
	const long before = look(&queued, true, &doubtful);
	ck_assert_int_eq(look(&first, true, &doubtful), before);
	ck_assert(!doubtful);
}
END_TEST

START_TEST(one_that_was_gone_has_another_id)
{
	struct given_task other = first;
	bool doubtful;
	const long before = look(&first, true, &doubtful);

	other.handle = 0x7800;
	look(&other, true, &doubtful);
	ck_assert_int_gt(look(&first, true, &doubtful), before + 1);
}
END_TEST

START_TEST(memory_that_cannot_be_read_tells_nothing)
{
	bool doubtful;
	struct given_task other = first;
	const long before = look(&first, true, &doubtful);

	target->unreadable = true;
	other.value = 8;
	ck_assert_int_eq(look(&other, true, &doubtful), before);
}
END_TEST

START_TEST(after_an_exec_all_is_new)
{
	bool doubtful;
	const long before = look(&first, true, &doubtful);

	omp_ids_forget(ids);
	ck_assert_int_gt(look(&first, true, &doubtful), before);
}
END_TEST

/* ---- regions ------------------------------------------------------------------------------ */

static long look_at_region(long generation, taddr handle, taddr function, bool *ret_doubtful)
{
	struct world w;

	world_init(&w);
	world_add_thread(&w, ROLE_PRIMARY, 0, 0);
	world_add_region(&w, -1, 0, 1, 41);
	w.picture.regions.items[0].generation = generation;
	w.picture.regions.items[0].handle = handle;
	w.picture.regions.items[0].function = function;
	ck_assert_no_error(omp_ids_assign(ids, &target->base, &w.picture, NULL));
	const long id = picture_region_id(&w.picture, 0);
	*ret_doubtful = w.picture.regions.items[0].doubtful;
	world_fini(&w);
	return id;
}

START_TEST(a_region_is_the_same_as_far_as_its_barriers_tell)
{
	bool doubtful;

	ck_assert_int_eq(look_at_region(1, 0x5000, 0x401000, &doubtful), 0);
	ck_assert_int_eq(look_at_region(1, 0x5000, 0x401000, &doubtful), 0);
	ck_assert(!doubtful);
	ck_assert_int_eq(look_at_region(2, 0x5000, 0x401000, &doubtful), 1);
	ck_assert_msg(doubtful, "one that has passed a barrier may be the same");
	ck_assert_int_eq(look_at_region(2, 0x5000, 0x402000, &doubtful), 2);
	ck_assert_msg(!doubtful, "one of another function is another one");
	ck_assert_int_eq(look_at_region(2, 0x5800, 0x402000, &doubtful), 3);
	ck_assert(!doubtful);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("omp_ids");
	TCase *all = tcase_create("omp_ids");

	suite_add_tcase(s, all);
	tcase_add_checked_fixture(all, set_up, tear_down);
	tcase_add_test(all, a_task_that_nothing_has_happened_to_keeps_its_id);
	tcase_add_loop_test(all, what_of_it_may_change, 0, (int)COUNT(members));
	tcase_add_test(all, what_it_was_given_does_not_change_before_it_begins);
	tcase_add_test(all, what_the_user_has_written_there_is_no_difference);
	tcase_add_test(all, one_that_begins_is_the_same);
	tcase_add_test(all, one_that_was_gone_has_another_id);
	tcase_add_test(all, memory_that_cannot_be_read_tells_nothing);
	tcase_add_test(all, after_an_exec_all_is_new);
	tcase_add_test(all, a_region_is_the_same_as_far_as_its_barriers_tell);
	return unit_run(s);
}
