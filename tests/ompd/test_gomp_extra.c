/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the provider for libgomp tells ompdb beyond OMPD (gomp_extra.h), on live programs of gcc's.
 * $SCENARIO names the program; without it the tests skip.
 */
#include <check.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client.h"
#include "ompd/gomp/gomp_extra.h"

static struct client client;
static ompd_address_space_handle_t *space;

#define ok(call) ck_assert_int_eq((call), ompd_rc_ok)

static void begin(const char *scenario)
{
	client_start(&client, getenv("SCENARIO"), scenario);
	ok(ompd_process_initialize((ompd_address_space_context_t *)&client, &space));
}

static void end(void)
{
	ok(ompd_rel_address_space_handle(space));
	ck_assert_int_eq(client_live_memory(), 0);
	client_end(&client);
}

static void set_up(void)
{
	ok(ompd_initialize(OMPD_VERSION_5_0, client_callbacks()));
}

static void tear_down(void)
{
	ok(ompd_finalize());
}

static const struct fact *fact(const char *what)
{
	for (size_t i = 0; i < client.nfacts; i++)
		if (!strcmp(client.facts[i].what, what))
			return &client.facts[i];
	ck_abort_msg("nobody is '%s'", what);
	return NULL;
}

static ompd_thread_handle_t *thread_of(const struct fact *f)
{
	ompd_thread_handle_t *h;
	uint64_t id = f->pthread;

	ok(ompd_get_thread_handle(space, OMPD_THREAD_ID_PTHREAD, sizeof(id), &id, &h));
	return h;
}

static struct gomp_thread_facts thread_facts(const struct fact *f)
{
	ompd_thread_handle_t *th = thread_of(f);
	struct gomp_thread_facts ret;

	ok(gomp_extra_thread(th, &ret));
	ok(ompd_rel_thread_handle(th));
	return ret;
}

/* Waits until a thread sleeps (it spins first) and says where; the test's timeout bounds it. */
static struct gomp_location asleep(const struct fact *f, uint64_t *ret_futex)
{
	ompd_thread_handle_t *th;
	struct gomp_location ret;

	while (!(*ret_futex = client_futex((pid_t)f->lwp))) {
		client_resume(&client);
		sched_yield();
		client_stop(&client);
	}
	th = thread_of(f);
	ok(gomp_extra_locate(th, *ret_futex, &ret));
	ok(ompd_rel_thread_handle(th));
	return ret;
}

static void until_at(const struct fact *f, enum gomp_place wanted)
{
	uint64_t futex;

	/* On its way it may sleep for a moment for an internal lock. */
	while (asleep(f, &futex).place != wanted) {
		client_resume(&client);
		sched_yield();
		client_stop(&client);
	}
}

START_TEST(the_release_is_named_and_exact)
{
	struct gomp_release release;

	begin("one");
	ok(gomp_extra_release(space, &release));
	/* A static executable has no version nodes. */
	ck_assert_int_eq(release.exact, getenv("SCENARIO_STATIC") == NULL);
	ck_assert_int_ge(release.least, 4);
	ck_assert_int_ge(release.most, release.least);
	ck_assert_ptr_nonnull(strstr(release.note, "layout of GCC"));
	ck_assert_int_eq(gomp_extra_release(NULL, &release), ompd_rc_stale_handle);
	end();
}
END_TEST

/* ---- Places ---- */

struct place_row {
	const char *scenario, *who;
	enum gomp_place place;
};

static const struct place_row places[] = {
	{ "idle", "worker", GOMP_PLACE_DOCK },
	{ "barrier", "waiter", GOMP_PLACE_BARRIER },
	{ "region_end", "waiter", GOMP_PLACE_BARRIER },
	{ "taskwait", "waiter", GOMP_PLACE_TASKWAIT },
	{ "depwait", "waiter", GOMP_PLACE_TASKWAIT },
	{ "taskgroup", "waiter", GOMP_PLACE_TASKGROUP },
	{ "critical", "waiter", GOMP_PLACE_DEFAULT_LOCK },
	{ "nest_lock", "waiter", GOMP_PLACE_OTHER },
};

START_TEST(a_sleeping_thread_is_at_a_known_place)
{
	const struct place_row *row = &places[_i];
	const struct fact *f;
	struct gomp_location at;
	uint64_t futex;

	begin(row->scenario);
	f = fact(row->who);
	/* The initial thread is the first to leave a region: look at another one. */
	for (size_t i = 0; row->place == GOMP_PLACE_DOCK && f->lwp == client.pid; i++)
		f = &client.facts[i];
	until_at(f, row->place);
	at = asleep(f, &futex);
	ck_assert_int_eq(at.depend, !strcmp(row->scenario, "depwait"));
	if (row->place == GOMP_PLACE_OTHER)
		ck_assert_uint_eq(futex, client.value);
	if (row->place == GOMP_PLACE_DOCK)
		ck_assert_uint_eq(at.team, thread_facts(f).pool);
	if (row->place == GOMP_PLACE_BARRIER)
		ck_assert_uint_eq(at.team, thread_facts(f).team);
	end();
}
END_TEST

START_TEST(a_thread_that_waits_for_its_turn_is_at_the_ordered_place)
{
	uint32_t turn = 99;
	ompd_thread_handle_t *th;

	begin("ordered");
	for (size_t i = 0; i < client.nfacts; i++) {
		const struct fact *f = &client.facts[i];

		if (f->number == 3)
			until_at(f, GOMP_PLACE_ORDERED);
	}
	th = thread_of(fact("turn"));
	ck_assert(gomp_extra_ordered_turn(th, &turn));
	ck_assert_uint_eq(turn, 2);
	ok(ompd_rel_thread_handle(th));
	end();
}
END_TEST

START_TEST(a_barrier_counts_who_has_arrived)
{
	static const char *const scenarios[] = { "barrier", "region_end" };

	for (int i = 0; i < 2; i++) {
		ompd_thread_handle_t *th;
		ompd_parallel_handle_t *region;
		struct gomp_barrier barrier;

		begin(scenarios[i]);
		for (size_t k = 0; k < client.nfacts; k++)
			if (!strcmp(client.facts[k].what, "waiter"))
				until_at(&client.facts[k], GOMP_PLACE_BARRIER);
		th = thread_of(fact("missing"));
		ok(ompd_get_curr_parallel_handle(th, &region));
		ok(gomp_extra_barrier(region, &barrier));
		ck_assert_uint_eq(barrier.address, gomp_extra_parallel_address(region));
		ck_assert_uint_eq(barrier.total, 4);
		ck_assert_uint_eq(barrier.arrived, i == 0 ? 3 : 0);
		ck_assert_uint_eq(barrier.arrived_final, i == 1 ? 3 : 0);
		ck_assert_int_eq(barrier.final, i == 1);
		ck_assert(!barrier.tasks_pending && !barrier.waiting_for_tasks &&
			  !barrier.cancelled);
		ok(ompd_rel_parallel_handle(region));
		ok(ompd_rel_thread_handle(th));
		end();
	}
}
END_TEST

START_TEST(an_idle_thread_tells_nothing_of_its_last_team)
{
	struct gomp_thread_facts facts;
	const struct fact *f;

	begin("idle");
	f = &client.facts[client.facts[0].lwp == client.pid];
	until_at(f, GOMP_PLACE_DOCK);
	facts = thread_facts(f);
	ck_assert(facts.idle);
	ck_assert_uint_eq(facts.team, 0);
	ck_assert_uint_eq(facts.task, 0);
	ck_assert_uint_eq(facts.level, 0);
	ck_assert_uint_ne(facts.pool, 0);
	facts = thread_facts(fact("initial"));
	ck_assert(!facts.idle);
	ck_assert_uint_eq(facts.team, 0);
	end();
}
END_TEST

/* ---- Tasks ---- */

struct found {
	struct gomp_task_facts tasks[32];
	size_t n, most;
};

static bool add_found(void *context, const struct gomp_task_facts *task)
{
	struct found *f = context;

	ck_assert_uint_lt(f->n, f->most);
	f->tasks[f->n++] = *task;
	return f->n < f->most;
}

static ompd_rc_t find_tasks(const struct fact *f, uint32_t most, struct found *ret)
{
	ompd_thread_handle_t *th = thread_of(f);
	ompd_parallel_handle_t *region;
	ompd_rc_t rc;

	ret->n = 0;
	ok(ompd_get_curr_parallel_handle(th, &region));
	rc = gomp_extra_tasks(region, most, add_found, ret);
	ok(ompd_rel_parallel_handle(region));
	ok(ompd_rel_thread_handle(th));
	return rc;
}

static size_t count(const struct found *f, enum gomp_task_kind kind, bool blocked)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++)
		n += f->tasks[i].kind == kind && (f->tasks[i].unmet > 0) == blocked;
	return n;
}

static uint64_t current_task(const struct fact *f)
{
	return thread_facts(f).task;
}

START_TEST(every_task_of_a_region_is_found_once)
{
	struct found found = { .most = 32 };

	begin("tasks");
	for (size_t i = 0; i < client.nfacts; i++) {
		ok(find_tasks(&client.facts[i], 1000, &found));
		ck_assert_uint_eq(count(&found, GOMP_TASK_IMPLICIT, false), 3);
		ck_assert_uint_eq(count(&found, GOMP_TASK_RUNNING, false), 2);
		ck_assert_uint_eq(count(&found, GOMP_TASK_WAITING, false), 3);
		ck_assert_uint_eq(count(&found, GOMP_TASK_WAITING, true), 1);
		ck_assert_uint_eq(count(&found, GOMP_TASK_UNDEFERRED, false), 1);
		ck_assert_uint_eq(found.n, 10);
		for (size_t k = 0; k < found.n; k++)
			for (size_t m = 0; m < k; m++)
				ck_assert_uint_ne(found.tasks[k].address, found.tasks[m].address);
	}
	end();
}
END_TEST

START_TEST(a_blocked_task_knows_which_one_it_depends_on)
{
	struct found found = { .most = 32 };
	const struct gomp_task_facts *blocked = NULL;
	bool runs = false;

	begin("tasks");
	ok(find_tasks(fact("task"), 1000, &found));
	for (size_t i = 0; i < found.n; i++)
		if (found.tasks[i].unmet)
			blocked = &found.tasks[i];
	ck_assert_ptr_nonnull(blocked);
	ck_assert_uint_eq(blocked->unmet, 1);
	ck_assert_uint_eq(blocked->nwaits_for, 1);
	for (size_t i = 0; i < client.nfacts; i++)
		runs |= !strcmp(client.facts[i].what, "task") &&
			current_task(&client.facts[i]) == blocked->waits_for[0];
	ck_assert(runs);
	end();
}
END_TEST

START_TEST(a_search_for_fewer_tasks_says_that_there_are_more)
{
	struct found found = { .most = 4 };

	begin("tasks");
	ck_assert_int_eq(find_tasks(fact("task"), 4, &found), ompd_rc_incomplete);
	ck_assert_uint_eq(found.n, 4);
	/* Or the receiver may have enough of them. */
	ok(find_tasks(fact("task"), 1000, &found));
	ck_assert_uint_eq(found.n, 4);
	end();
}
END_TEST

static struct gomp_task_facts task_facts(const struct fact *f)
{
	ompd_thread_handle_t *th = thread_of(f);
	struct gomp_task_facts ret;
	ompd_task_handle_t *task;

	ok(ompd_get_curr_task_handle(th, &task));
	ok(gomp_extra_task(task, &ret));
	ck_assert_uint_eq(gomp_extra_task_address(task), ret.address);
	ok(ompd_rel_task_handle(task));
	ok(ompd_rel_thread_handle(th));
	return ret;
}

START_TEST(waits_of_tasks_are_told_by_their_flags)
{
	struct gomp_task_facts facts;

	begin("taskwait");
	until_at(fact("waiter"), GOMP_PLACE_TASKWAIT);
	facts = task_facts(fact("waiter"));
	ck_assert(facts.in_taskwait && !facts.in_depend_wait && !facts.in_taskgroup_wait);
	end();
	begin("depwait");
	until_at(fact("waiter"), GOMP_PLACE_TASKWAIT);
	facts = task_facts(fact("waiter"));
	ck_assert(facts.in_depend_wait && !facts.in_taskgroup_wait);
	end();
	begin("taskgroup");
	until_at(fact("waiter"), GOMP_PLACE_TASKGROUP);
	facts = task_facts(fact("waiter"));
	ck_assert(facts.in_taskgroup_wait && !facts.in_taskwait);
	ck_assert_uint_eq(facts.taskgroup_children, 1);
	/* The task in the group has the same group, and does not wait for it. */
	facts = task_facts(fact("task"));
	ck_assert(!facts.in_taskgroup_wait);
	ck_assert_uint_eq(facts.parent, current_task(fact("waiter")));
	end();
}
END_TEST

struct suspended_row {
	const char *scenario;
	enum gomp_scheduling_point point;
	int steps; /* creators between the task and the suspended one */
};

static const struct suspended_row suspended[] = {
	{ "in_taskwait", GOMP_POINT_TASKWAIT, 1 },
	{ "in_barrier", GOMP_POINT_BARRIER, 1 },
	{ "in_taskgroup", GOMP_POINT_TASKWAIT, 1 },
	{ "in_taskgroup", GOMP_POINT_TASKGROUP, 2 },
};

START_TEST(the_task_that_was_suspended_is_known)
{
	const struct suspended_row *row = &suspended[_i];
	ompd_task_handle_t *task, *creator;
	ompd_thread_handle_t *th;
	uint64_t address;

	begin(row->scenario);
	th = thread_of(fact("task"));
	ok(ompd_get_curr_task_handle(th, &task));
	address = gomp_extra_task_address(task);
	for (int i = 0; i < row->steps; i++) {
		ok(ompd_get_generating_task_handle(task, &creator));
		ok(ompd_rel_task_handle(task));
		task = creator;
	}
	ck_assert_uint_eq(gomp_extra_suspended(th, address, row->point),
			  gomp_extra_task_address(task));
	ck_assert_uint_eq(gomp_extra_suspended(th, 8, row->point), 0);
	ok(ompd_rel_task_handle(task));
	ok(ompd_rel_thread_handle(th));
	end();
}
END_TEST

START_TEST(a_nest_lock_knows_its_owner)
{
	uint64_t task, futex;
	uint32_t times;

	begin("nest_lock");
	asleep(fact("waiter"), &futex);
	ok(gomp_extra_nest_lock(space, client.value, &task, &times));
	ck_assert_uint_eq(task, current_task(fact("owner")));
	ck_assert_uint_ge(times, 2);
	ck_assert_int_ne(gomp_extra_nest_lock(space, 8, &task, &times), ompd_rc_ok);
	end();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("gomp_extra");
	TCase *tc = tcase_create("gomp_extra");
	SRunner *r;
	int failed;

	if (!getenv("SCENARIO") || access(getenv("SCENARIO"), X_OK)) {
		printf("1..0 # SKIP there is no gcc with OpenMP to build the scenarios\n");
		return 77;
	}
	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, the_release_is_named_and_exact);
	tcase_add_loop_test(tc, a_sleeping_thread_is_at_a_known_place, 0,
			    sizeof(places) / sizeof(places[0]));
	tcase_add_test(tc, a_thread_that_waits_for_its_turn_is_at_the_ordered_place);
	tcase_add_test(tc, a_barrier_counts_who_has_arrived);
	tcase_add_test(tc, an_idle_thread_tells_nothing_of_its_last_team);
	tcase_add_test(tc, every_task_of_a_region_is_found_once);
	tcase_add_test(tc, a_blocked_task_knows_which_one_it_depends_on);
	tcase_add_test(tc, a_search_for_fewer_tasks_says_that_there_are_more);
	tcase_add_test(tc, waits_of_tasks_are_told_by_their_flags);
	tcase_add_loop_test(tc, the_task_that_was_suspended_is_known, 0,
			    sizeof(suspended) / sizeof(suspended[0]));
	tcase_add_test(tc, a_nest_lock_knows_its_owner);
	suite_add_tcase(s, tc);
	r = srunner_create(s);
	srunner_set_tap(r, "-");
	srunner_run_all(r, CK_SILENT);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
