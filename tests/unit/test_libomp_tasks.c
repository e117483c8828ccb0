/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The structures of LLVM's runtime that hold tasks, in memory as it lays them out: what is there is
 * found, and what does not fit is refused.
 */
#include "unit.h"

#include "ompd/libomp/libomp_taskdata.h"

#define BASE UINT64_C(0x7e0000000000)
enum { ARENA = 1 << 18, MOST = 600 };

/* Offsets within kmp_taskdata_t, as on x86-64. */
enum {
	FLAGS = 4,
	TEAM = 8,
	PARENT = 24,
	LEVEL = 32,
	INCOMPLETE = 132,
	DEPNODE = 152,
	SIZE_ALLOC = 168,
	LAST_TIED = 184,
	EVENT = 200,
	EVENT_TASK = 224,
	TASKDATA = 320,
	ROUTINE = TASKDATA + 8,
};
enum { TIED = 1, PROXY = 1 << 4, EXPLICIT = 1 << 16, EXECUTING = 1 << 21, COMPLETE = 1 << 22 };

/* Places in the arena. */
#define TASKS   (BASE + 0x8000)
#define TASK(n) (TASKS + 0x180 * (taddr)(n))
#define TEAMS   (BASE + 0x1000)
#define INFO(n) (BASE + 0x2000 + 0x40 * (taddr)(n))
#define THREADS (BASE + 0x2800)
#define HEAD    (BASE + 0x3000) /* of the task team */
#define QUEUES  (BASE + 0x3800)
#define RING    (BASE + 0x4000)
#define NODE(n) (BASE + 0x5000 + 0xc0 * (taddr)(n))
#define LIST(n) (BASE + 0x7000 + 0x10 * (taddr)(n))
enum { QUEUE = 192 };

static const struct libomp_task_layout words = {
	.flags = FLAGS,
	.team = TEAM,
	.parent = PARENT,
	.icvs = 64,
	.icvs_size = 56,
	.ompt = 232,
	.size = TASKDATA,
	.routine = 8,
	.tied = TIED,
	.final = 2,
	.is_explicit = EXPLICIT,
	.executing = EXECUTING,
	.complete = COMPLETE,
	.freed = 1 << 23,
	.its_team = 64,
	.its_task = 80,
	.team_parent = 16,
	.team_size = 68,
	.team_level = 80,
	.team_threads = 88,
	.team_implicit = 96,
};

static uint8_t arena[ARENA];
static struct libomp_task_layout layout;
static taddr seen[MOST];
static size_t nseen;

static size_t read_arena(void *context, taddr from, void *ret, size_t len)
{
	(void)context;
	if (from < BASE || from - BASE >= ARENA)
		return 0;
	if (len > ARENA - (from - BASE))
		len = ARENA - (from - BASE);
	memcpy(ret, arena + (from - BASE), len);
	return len;
}

static void put(taddr at, uint64_t value, size_t size)
{
	ck_assert(at >= BASE && at - BASE + size <= ARENA);
	memcpy(arena + (at - BASE), &value, size);
	memory_flush(layout.memory);
}

static bool note(void *context, const struct libomp_taskdata *task)
{
	(void)context;
	ck_assert_uint_lt(nseen, MOST);
	seen[nseen++] = task->address;
	return true;
}

static void put_task(taddr at)
{
	put(at + FLAGS, TIED | EXPLICIT, 4);
	put(at + TEAM, TEAMS, 8);
	put(at + PARENT, TASK(100), 8);
	put(at + LEVEL, 1, 4);
	put(at + INCOMPLETE, 2, 4);
	put(at + SIZE_ALLOC, TASKDATA + 40, 8);
	put(at + LAST_TIED, at, 8);
	put(at + ROUTINE, 0x401000, 8);
}

static void put_lock(taddr at)
{
	put(at, 1, 8);
	put(at + 8, at, 8);
}

/* A queue with room for eight. */
static void put_queue(taddr at, taddr thread, uint32_t head, uint32_t tail, uint32_t n)
{
	put(at, thread, 8);
	put_lock(at + 64);
	put(at + 128, RING, 8);
	put(at + 136, 8, 4);
	put(at + 140, head, 4);
	put(at + 144, tail, 4);
	put(at + 148, n, 4);
}

/* A task team; "members" is where the members are that are later in LLVM 15 on. */
static void put_task_team(taddr members)
{
	put_lock(HEAD);
	put(members + 8, QUEUES, 8);
	put(members + 16, 1, 4); /* tt_found_tasks */
	put(members + 20, 2, 4); /* tt_nproc */
}
#define OLD_MEMBERS (HEAD + 64)
#define NEW_MEMBERS (HEAD + 136)

static const struct libomp_team team = { .address = TEAMS, .threads = THREADS, .size = 2 };

static void put_node(int n, taddr task, int npredecessors, taddr successors)
{
	put(NODE(n), successors, 8);
	put(NODE(n) + 8, task ? task + TASKDATA : 0, 8);
	put_lock(NODE(n) + 64);
	put(NODE(n) + 128, (uint64_t)npredecessors, 4);
	if (task) {
		put_task(task);
		put(task + DEPNODE, NODE(n), 8);
	}
}

static void setup(void)
{
	memset(arena, 0, sizeof(arena));
	layout = words;
	layout.memory = memory_new(read_arena, NULL, MEMORY_PAGE);
	ck_assert_ptr_nonnull(layout.memory);
	nseen = 0;
	for (int i = 0; i < 8; i++) {
		put_task(TASK(i));
		put(RING + 8 * (taddr)i, TASK(i), 8);
	}
	put(THREADS, INFO(0), 8);
	put(THREADS + 8, INFO(1), 8);
	put_task_team(OLD_MEMBERS);
	put_queue(QUEUES, INFO(0), 0, 0, 0);
	put_queue(QUEUES + QUEUE, INFO(1), 6, 1, 3);
}

static void teardown(void)
{
	memory_free(layout.memory);
}

/* ---- layout ----------------------------------------------------------------------------- */

START_TEST(a_layout_with_any_word_wrong_is_refused)
{
	static const size_t slots[] = {
		offsetof(struct libomp_task_layout, flags),
		offsetof(struct libomp_task_layout, team),
		offsetof(struct libomp_task_layout, parent),
		offsetof(struct libomp_task_layout, icvs),
		offsetof(struct libomp_task_layout, ompt),
		offsetof(struct libomp_task_layout, routine),
		offsetof(struct libomp_task_layout, tied),
		offsetof(struct libomp_task_layout, final),
		offsetof(struct libomp_task_layout, is_explicit),
	};

	ck_assert(libomp_task_layout_fits(&layout));
	for (size_t i = 0; i < COUNT(slots); i++) {
		struct libomp_task_layout wrong = words;
		uint64_t *word = (uint64_t *)((uint8_t *)&wrong + slots[i]);
		*word += 64;
		ck_assert_msg(!libomp_task_layout_fits(&wrong), "slot %zu", i);
	}
	layout.size = 1 << 20;
	ck_assert(!libomp_task_layout_fits(&layout));
}
END_TEST

/* ---- tasks ------------------------------------------------------------------------------ */

START_TEST(a_task_is_read)
{
	struct libomp_taskdata task;

	ck_assert(libomp_taskdata_read(&layout, TASK(3), &task));
	ck_assert_uint_eq(task.address, TASK(3));
	ck_assert_uint_eq(task.team, TEAMS);
	ck_assert_uint_eq(task.parent, TASK(100));
	ck_assert_uint_eq(task.function, 0x401000);
	ck_assert_int_eq(task.level, 1);
	ck_assert_int_eq(task.unfinished, 2);
	ck_assert(task.is_explicit && !task.executing && !task.ended && !task.detached);
}
END_TEST

static const struct {
	int offset, size;
	uint64_t value;
} damages[] = {
	{ INCOMPLETE, 4, UINT32_MAX },
	{ INCOMPLETE, 4, 1 << 30 },
	{ LAST_TIED, 8, TASKS },
	{ SIZE_ALLOC, 8, 0 },
	{ SIZE_ALLOC, 8, UINT64_MAX },
	{ EVENT, 4, 2 },
	{ EVENT, 4, 1 }, /* and no task of its own there */
};

START_TEST(what_cannot_be_a_task_is_none)
{
	struct libomp_taskdata task;

	put(TASK(3) + (taddr)damages[_i].offset, damages[_i].value, (size_t)damages[_i].size);
	ck_assert(!libomp_taskdata_read(&layout, TASK(3), &task));
	ck_assert(!libomp_taskdata_read(&layout, TASK(4) + 4, &task));
	ck_assert(!libomp_taskdata_read(&layout, 0, &task));
	ck_assert(!libomp_taskdata_read(&layout, BASE + ARENA, &task));
}
END_TEST

START_TEST(a_detached_task_is_found_by_its_event)
{
	struct libomp_taskdata task;
	const taddr at = BASE + 0x10000;

	put_task(at);
	put(at + EVENT, 1, 4);
	put(at + EVENT_TASK, at + TASKDATA, 8);
	ck_assert(libomp_taskdata_of_event(&layout, at + EVENT, &task));
	ck_assert_uint_eq(task.address, at);
	ck_assert(!task.detached);
	put(at + FLAGS, TIED | EXPLICIT | PROXY, 4);
	ck_assert(libomp_taskdata_of_event(&layout, at + EVENT, &task) && task.detached);
	put(at + FLAGS, TIED | EXPLICIT | PROXY | COMPLETE, 4);
	ck_assert(libomp_taskdata_of_event(&layout, at + EVENT, &task) && !task.detached);
	ck_assert(!libomp_taskdata_of_event(&layout, at + EVENT + 8, &task));
	ck_assert(!libomp_taskdata_of_event(&layout, 8, &task));
}
END_TEST

/* ---- queues ----------------------------------------------------------------------------- */

START_TEST(a_ring_is_read_from_its_head_over_its_end)
{
	const taddr wanted[] = { TASK(6), TASK(7), TASK(0) };

	ck_assert(libomp_taskdata_queued(&layout, &team, HEAD, note, NULL));
	ck_assert_uint_eq(nseen, 3);
	ck_assert_mem_eq(seen, wanted, sizeof(wanted));
}
END_TEST

START_TEST(a_full_ring_is_not_an_empty_one)
{
	put_queue(QUEUES, INFO(0), 2, 2, 8);
	put_queue(QUEUES + QUEUE, INFO(1), 2, 2, 0);
	ck_assert(libomp_taskdata_queued(&layout, &team, HEAD, note, NULL));
	ck_assert_uint_eq(nseen, 8);
	ck_assert_uint_eq(seen[0], TASK(2));
}
END_TEST

START_TEST(queues_by_priority_are_read_too)
{
	const taddr first = BASE + 0x20000, second = BASE + 0x20200;

	memset(arena + (HEAD - BASE), 0, 256);
	put_task_team(NEW_MEMBERS);
	put_lock(HEAD + 64);
	put(HEAD + 128, first, 8);
	put_queue(first, 0, 0, 1, 1);
	put(first + 200, second, 8);
	put_queue(second, 0, 1, 3, 2);
	ck_assert(libomp_taskdata_queued(&layout, &team, HEAD, note, NULL));
	ck_assert_uint_eq(nseen, 6);
	put(second + 200, first, 8); /* a ring of rings */
	nseen = 0;
	put_queue(first, 0, 0, 0, 0);
	put_queue(second, 0, 0, 0, 0);
	ck_assert(!libomp_taskdata_queued(&layout, &team, HEAD, note, NULL));
}
END_TEST

START_TEST(nothing_is_queued_before_the_first_task)
{
	put(OLD_MEMBERS + 16, 0, 4);
	ck_assert(libomp_taskdata_queued(&layout, &team, HEAD, note, NULL));
	ck_assert(libomp_taskdata_queued(&layout, &team, 0, note, NULL));
	ck_assert_uint_eq(nseen, 0);
}
END_TEST

#define SECOND (QUEUES + QUEUE)
static const struct {
	taddr at;
	int size;
	uint64_t value;
	size_t found; /* tasks, before that is noticed */
} queue_damages[] = {
	{ HEAD + 8, 8, HEAD + 1, 0 },           /* the lock                      */
	{ OLD_MEMBERS + 16, 4, 7, 0 },          /* tt_found_tasks                */
	{ OLD_MEMBERS + 20, 4, UINT32_MAX, 0 }, /* tt_nproc                    */
	{ SECOND, 8, INFO(0), 0 },              /* whose queue it is             */
	{ SECOND + 72, 8, 0, 0 },               /* its lock                      */
	{ SECOND + 136, 4, 9, 0 },              /* its size                      */
	{ SECOND + 136, 4, 1u << 30, 0 },
	{ SECOND + 140, 4, 8, 0 },            /* where it begins               */
	{ SECOND + 144, 4, UINT32_MAX, 0 },   /* where it ends                 */
	{ SECOND + 148, 4, 2, 3 },            /* how many, just before or after */
	{ RING + 8 * 7, 8, TASK(50), 1 },     /* an entry                      */
	{ TASK(7) + TEAM, 8, TEAMS + 64, 1 }, /* a task of another team        */
	{ TASK(7) + FLAGS, 4, TIED, 1 },      /* no explicit one               */
};

START_TEST(a_queue_that_does_not_fit_is_not_all)
{
	put(queue_damages[_i].at, queue_damages[_i].value, (size_t)queue_damages[_i].size);
	ck_assert(!libomp_taskdata_queued(&layout, &team, HEAD, note, NULL));
	ck_assert_uint_eq(nseen, queue_damages[_i].found);
}
END_TEST

/* ---- dependences ------------------------------------------------------------------------ */

static void put_successors(void)
{
	put_node(0, TASK(20), 0, LIST(0));
	for (int i = 0; i < 3; i++) {
		put(LIST(i), NODE(i + 1), 8);
		put(LIST(i) + 8, i < 2 ? LIST(i + 1) : 0, 8);
	}
	put_node(1, TASK(21), 1, 0);
	put_node(2, 0, 1, 0); /* of a thread that waits itself */
	put_node(3, TASK(23), 2, 0);
}

START_TEST(those_that_wait_for_a_task_are_found)
{
	put_successors();
	ck_assert(libomp_taskdata_successors(&layout, NODE(0), note, NULL));
	ck_assert_uint_eq(nseen, 2);
	ck_assert_uint_eq(seen[0], TASK(21));
	ck_assert_uint_eq(seen[1], TASK(23));
}
END_TEST

static bool note_node(void *context, taddr node)
{
	(void)context;
	seen[nseen++] = node;
	return true;
}

START_TEST(a_thread_that_waits_for_a_task_itself_is_found)
{
	put_successors();
	ck_assert(libomp_taskdata_waiters(&layout, NODE(0), note_node, NULL));
	ck_assert_uint_eq(nseen, 1);
	ck_assert_uint_eq(seen[0], NODE(2));
}
END_TEST

static const struct {
	taddr at;
	uint64_t value;
} node_damages[] = {
	{ NODE(0) + 72, 0 }, { LIST(1), NODE(9) },         { LIST(2) + 8, 8 },
	{ NODE(3) + 72, 0 }, { TASK(23) + DEPNODE, 0x10 }, { NODE(1) + 8, TASK(23) },
};

START_TEST(dependences_that_do_not_fit_are_not_all)
{
	put_successors();
	put(node_damages[_i].at, node_damages[_i].value, 8);
	ck_assert(!libomp_taskdata_successors(&layout, NODE(0), note, NULL));
}
END_TEST

static bool count(void *context, const struct libomp_taskdata *task)
{
	(void)task;
	++*(size_t *)context;
	return true;
}

START_TEST(a_ring_of_dependences_comes_to_an_end)
{
	size_t n = 0;

	put_successors();
	put(LIST(2) + 8, LIST(0), 8);
	ck_assert(!libomp_taskdata_successors(&layout, NODE(0), count, &n));
	ck_assert_uint_gt(n, 3);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("libomp_tasks");
	TCase *tc = tcase_create("structures");

	suite_add_tcase(s, tc);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, a_layout_with_any_word_wrong_is_refused);
	tcase_add_test(tc, a_task_is_read);
	tcase_add_loop_test(tc, what_cannot_be_a_task_is_none, 0, (int)COUNT(damages));
	tcase_add_test(tc, a_detached_task_is_found_by_its_event);
	tcase_add_test(tc, a_ring_is_read_from_its_head_over_its_end);
	tcase_add_test(tc, a_full_ring_is_not_an_empty_one);
	tcase_add_test(tc, queues_by_priority_are_read_too);
	tcase_add_test(tc, nothing_is_queued_before_the_first_task);
	tcase_add_loop_test(tc, a_queue_that_does_not_fit_is_not_all, 0, (int)COUNT(queue_damages));
	tcase_add_test(tc, those_that_wait_for_a_task_are_found);
	tcase_add_test(tc, a_thread_that_waits_for_a_task_itself_is_found);
	tcase_add_loop_test(tc, dependences_that_do_not_fit_are_not_all, 0,
			    (int)COUNT(node_damages));
	tcase_add_test(tc, a_ring_of_dependences_comes_to_an_end);
	return unit_run(s);
}
