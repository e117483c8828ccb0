/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Walks over memory that means nothing: teams, tasks and queues whose pointers lead anywhere. Every
 * entry point must come to an end, after a bounded number of reads, and give back all memory.
 */
#include <stdlib.h>

#include "fake_libgomp.h"
#include "ompd/gomp/gomp_extra.h"
#include "ompd/gomp/graph.h"
#include "ompd/gomp/team.h"
#include "unit.h"

enum { ARENA = 1 << 16, MOST = 100, ROUNDS = 150 };
#define ARENA_BASE 0x7e0000000000ULL

static struct fake_libgomp fake;
static ompd_address_space_handle_t *space;
static uint8_t arena[ARENA];
static uint64_t state;

static uint32_t next_random(void)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (uint32_t)(state >> 32);
}

/* Words that look like what structures have: zero, small numbers, pointers into the same memory. */
static uint64_t next_word(void)
{
	uint32_t r = next_random();

	switch (r & 7) {
	case 0:
	case 1:
		return 0;
	case 2:
		return r >> 3 & 7;
	case 3:
		return r >> 8 & 1 ? UINT64_MAX : (uint64_t)next_random() << 32 | r;
	default:
		return ARENA_BASE + (r >> 3) % ARENA / 8 * 8;
	}
}

static bool read_arena(void *context, uint64_t from, void *ret, size_t len)
{
	(void)context;
	if (from < ARENA_BASE || from - ARENA_BASE >= ARENA || len > ARENA - (from - ARENA_BASE))
		return false;
	memcpy(ret, arena + (from - ARENA_BASE), len);
	return true;
}

static void set_word(uint64_t address, uint64_t value)
{
	if (address - ARENA_BASE <= ARENA - sizeof(value))
		memcpy(arena + (address - ARENA_BASE), &value, sizeof(value));
}

static void set_int(uint64_t address, uint32_t value)
{
	if (address - ARENA_BASE <= ARENA - sizeof(value))
		memcpy(arena + (address - ARENA_BASE), &value, sizeof(value));
}

/* What a gomp_team must have to be taken for one; the rest stays random. */
static void make_team(uint64_t team, uint32_t nthreads)
{
	const struct gomp_layout *l = space->layout;

	set_int(team, nthreads);
	set_word(team + l->team.ordered_release,
		 team + l->team.implicit_task + (uint64_t)nthreads * l->task.size);
	set_int(team + GOMP_TEAM_BARRIER, nthreads);
}

static void make_task(uint64_t task)
{
	set_int(task + space->layout->task.kind, next_random() % 6);
	if (task + space->layout->task.final - ARENA_BASE < ARENA)
		arena[task + space->layout->task.final - ARENA_BASE] = next_random() & 1;
}

static void set_up(void)
{
	ck_assert_int_eq(ompd_initialize(OMPD_VERSION_5_0, fake_libgomp_callbacks()), ompd_rc_ok);
}

static void tear_down(void)
{
	ck_assert_int_eq(fake_libgomp_live_memory(), 0);
}

static void open_space(const struct fake_release *release, uint64_t seed)
{
	const char *nodes[] = { release->node, NULL };
	uint64_t word;

	state = seed * 2654435761u + 1;
	fake_libgomp_init(&fake, release, nodes);
	fake.read = read_arena;
	ck_assert_int_eq(ompd_process_initialize((ompd_address_space_context_t *)&fake, &space),
			 ompd_rc_ok);
	for (size_t i = 0; i < ARENA; i += sizeof(word)) {
		word = next_word();
		memcpy(arena + i, &word, sizeof(word));
	}
	/* Half of all places could be tasks. */
	for (uint64_t at = ARENA_BASE; at < ARENA_BASE + ARENA; at += 16)
		make_task(at);
	for (int i = 0; i < 8; i++)
		make_team(ARENA_BASE + next_random() % (ARENA / 2) / 8 * 8, 1 + next_random() % 8);
	fake.reads = 0;
}

static bool count_task(void *context, const struct gomp_task_facts *task)
{
	uint32_t *n = context;

	ck_assert_uint_ne(task->address, 0);
	ck_assert_uint_le(task->nwaits_for, GOMP_TASK_DEPENDS_MAX);
	ck_assert_uint_lt((*n)++, MOST);
	return true;
}

static void look_at_region(ompd_parallel_handle_t *region)
{
	ompd_parallel_handle_t *outer;
	ompd_thread_handle_t *member;
	ompd_task_handle_t *task;
	struct gomp_barrier barrier;
	uint32_t n = 0;

	gomp_extra_tasks(region, MOST, count_task, &n);
	ck_assert_int_eq(gomp_extra_barrier(region, &barrier), ompd_rc_ok);
	ck_assert_uint_le(barrier.arrived, barrier.total);
	for (int i = -1; i < 10; i++) {
		if (ompd_get_thread_in_parallel(region, i, &member) == ompd_rc_ok)
			ompd_rel_thread_handle(member);
		if (ompd_get_task_in_parallel(region, i, &task) == ompd_rc_ok)
			ompd_rel_task_handle(task);
	}
	if (ompd_get_enclosing_parallel_handle(region, &outer) == ompd_rc_ok)
		ompd_rel_parallel_handle(outer);
}

static void look_at_task(ompd_task_handle_t *task)
{
	struct gomp_task_facts facts;
	ompd_parallel_handle_t *region;
	ompd_task_handle_t *other;
	ompd_address_t function;

	ck_assert_int_eq(gomp_extra_task(task, &facts), ompd_rc_ok);
	ompd_get_task_function(task, &function);
	if (ompd_get_generating_task_handle(task, &other) == ompd_rc_ok)
		ompd_rel_task_handle(other);
	if (ompd_get_scheduling_task_handle(task, &other) == ompd_rc_ok)
		ompd_rel_task_handle(other);
	if (ompd_get_task_parallel_handle(task, &region) == ompd_rc_ok)
		ompd_rel_parallel_handle(region);
}

static void look_at_thread(ompd_thread_handle_t *th)
{
	struct gomp_thread_facts facts;
	struct gomp_location at;
	ompd_parallel_handle_t *region;
	ompd_task_handle_t *task;
	ompd_wait_id_t wait;
	ompd_word_t word;
	uint32_t turn, times;
	uint64_t owner;

	ck_assert_int_eq(gomp_extra_thread(th, &facts), ompd_rc_ok);
	ck_assert_int_eq(ompd_get_state(th, &word, &wait), ompd_rc_ok);
	gomp_extra_locate(th, next_word(), &at);
	gomp_extra_ordered_turn(th, &turn);
	gomp_extra_nest_lock(space, next_word(), &owner, &times);
	for (int point = GOMP_POINT_UNDEFERRED; point <= GOMP_POINT_BARRIER; point++)
		gomp_extra_suspended(th, next_word(), (enum gomp_scheduling_point)point);
	for (ompd_icv_id_t id = 0; id < 40; id++)
		ompd_get_icv_from_scope(th, ompd_scope_thread, id, &word);
	if (ompd_get_curr_parallel_handle(th, &region) == ompd_rc_ok) {
		look_at_region(region);
		ompd_rel_parallel_handle(region);
	}
	if (ompd_get_curr_task_handle(th, &task) == ompd_rc_ok) {
		look_at_task(task);
		ompd_rel_task_handle(task);
	}
}

START_TEST(threads_in_random_memory_come_to_an_end)
{
	const struct fake_release *release = &fake_releases[_i];
	size_t found = 0;

	for (uint64_t seed = 0; seed < ROUNDS; seed++) {
		open_space(release, seed);
		for (uint64_t tp = ARENA_BASE + 4096; tp < ARENA_BASE + ARENA; tp += 4096) {
			ompd_thread_handle_t *th;

			set_word(tp, tp);
			if (ompd_get_thread_handle(space, OMPD_THREAD_ID_PTHREAD, sizeof(tp), &tp,
						   &th) != ompd_rc_ok)
				continue;
			look_at_thread(th);
			ompd_rel_thread_handle(th);
			found++;
		}
		ck_assert_uint_lt(fake.reads, 2000000);
		ompd_rel_address_space_handle(space);
	}
	ck_assert_uint_gt(found, ROUNDS);
}
END_TEST

/* The walk over tasks starts from a team that stands: so it gets deep into what is random. */
START_TEST(searches_for_tasks_in_random_memory_are_bounded)
{
	const struct fake_release *release = &fake_releases[_i];
	uint32_t most_found = 0;

	for (uint64_t seed = 0; seed < ROUNDS; seed++) {
		ompd_parallel_handle_t *region;
		struct gomp_team team;
		struct gomp_graph graph;

		open_space(release, seed);
		make_team(ARENA_BASE + 8, 4);
		set_int(ARENA_BASE + 8 + GOMP_TEAM_PREV_TS + GOMP_TS_LEVEL, 0);
		ck_assert_int_eq(gomp_team_read(space, ARENA_BASE + 8, &team), ompd_rc_ok);
		ck_assert_int_eq(gomp_team_new_handle(space, &team, ARENA_BASE + 4096, &region),
				 ompd_rc_ok);
		ck_assert_int_eq(gomp_graph_collect(region, MOST, &graph), ompd_rc_ok);
		ck_assert_uint_le(graph.nnodes, MOST);
		ck_assert_uint_lt(fake.reads, 100000);
		most_found = graph.nnodes > most_found ? graph.nnodes : most_found;
		gomp_graph_fini(&graph);
		look_at_region(region);
		ompd_rel_parallel_handle(region);
		ompd_rel_address_space_handle(space);
	}
	ck_assert_uint_eq(most_found, MOST);
}
END_TEST

/* A team whose thread 0 came from a team whose thread 0 came from ..., each level right, for ever.
 */
static bool read_tower(void *context, uint64_t from, void *ret, size_t len)
{
	const struct gomp_layout *l = space->layout;
	uint64_t team = from & ~(uint64_t)0xffff, level = 0xffffffff - (team >> 16 & 0xffffffff);
	uint8_t b[0x10000] = { 0 };

	(void)context;
	if (from - team + len > sizeof(b))
		return false;
	b[0] = 1;
	b[GOMP_TEAM_BARRIER] = 1;
	memcpy(b + l->team.ordered_release,
	       &(uint64_t){ team + l->team.implicit_task + l->task.size }, 8);
	memcpy(b + GOMP_TEAM_PREV_TS + GOMP_TS_TEAM, &(uint64_t){ team + 0x10000 }, 8);
	memcpy(b + GOMP_TEAM_PREV_TS + GOMP_TS_LEVEL, &(uint32_t){ (uint32_t)level }, 4);
	memcpy(ret, b + (from - team), len);
	return true;
}

START_TEST(a_tower_of_levels_without_end_ends)
{
	ompd_parallel_handle_t *region;
	struct gomp_team team;
	uint64_t thread;

	open_space(&fake_releases[2], 1);
	fake.read = read_tower;
	ck_assert_int_eq(gomp_team_read(space, 0x10000, &team), ompd_rc_ok);
	ck_assert_int_eq(gomp_team_new_handle(space, &team, 8, &region), ompd_rc_ok);
	ck_assert_int_eq(gomp_team_member(region, 0, &thread), ompd_rc_error);
	ck_assert_uint_lt(fake.reads, 2 * GOMP_MAX_LEVELS);
	ompd_rel_parallel_handle(region);
	ompd_rel_address_space_handle(space);
}
END_TEST

static void be_in(uint64_t thread, uint64_t team, uint32_t number, uint32_t level)
{
	set_word(thread + GOMP_THREAD_TS + GOMP_TS_TEAM, team);
	set_int(thread + GOMP_THREAD_TS + GOMP_TS_TEAM_ID, number);
	set_int(thread + GOMP_THREAD_TS + GOMP_TS_LEVEL, level);
}

/* Memory of teams is used again: two of them name the thread at one place, and it is in one. */
START_TEST(a_place_that_nobody_has_come_to_is_nobodys)
{
	const uint64_t first = ARENA_BASE, second = first + 8192, inner = second + 8192,
		       thread = inner + 8192;
	const uint64_t teams[] = { first, second, inner };
	ompd_parallel_handle_t *regions[2];
	struct gomp_team team;
	uint64_t member;

	open_space(&fake_releases[2], 1);
	memset(arena, 0, sizeof(arena));
	for (size_t i = 0; i < 3; i++) {
		make_team(teams[i], 2);
		set_word(teams[i] + space->layout->team.implicit_task +
				 2 * space->layout->task.size + 8,
			 thread + space->layout->thread.release);
	}
	set_word(inner + GOMP_TEAM_PREV_TS + GOMP_TS_TEAM, first);
	set_int(inner + GOMP_TEAM_PREV_TS + GOMP_TS_TEAM_ID, 1);
	set_int(inner + GOMP_TEAM_PREV_TS + GOMP_TS_LEVEL, 1);
	for (size_t i = 0; i < 2; i++) {
		ck_assert_int_eq(gomp_team_read(space, teams[i], &team), ompd_rc_ok);
		ck_assert_int_eq(gomp_team_new_handle(space, &team, thread, &regions[i]),
				 ompd_rc_ok);
	}
	for (uint32_t deep = 0; deep < 2; deep++) {
		be_in(thread, deep ? inner : first, !deep, 1 + deep);
		ck_assert_int_eq(gomp_team_member(regions[0], 1, &member), ompd_rc_ok);
		ck_assert_uint_eq(member, thread);
		ck_assert_int_eq(gomp_team_member(regions[1], 1, &member), ompd_rc_unavailable);
	}
	for (size_t i = 0; i < 2; i++)
		ompd_rel_parallel_handle(regions[i]);
	ompd_rel_address_space_handle(space);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("gomp_walk");
	TCase *tc = tcase_create("gomp_walk");

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_loop_test(tc, threads_in_random_memory_come_to_an_end, 0, FAKE_NUM_RELEASES);
	tcase_add_loop_test(tc, searches_for_tasks_in_random_memory_are_bounded, 0,
			    FAKE_NUM_RELEASES);
	tcase_add_test(tc, a_tower_of_levels_without_end_ends);
	tcase_add_test(tc, a_place_that_nobody_has_come_to_is_nobodys);
	suite_add_tcase(s, tc);
	return unit_run(s);
}
