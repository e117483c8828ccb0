/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * libompd-gomp.so on live programs of gcc's, which say about themselves what is right.
 * $LIBOMPD_GOMP and $SCENARIO name the files; without a scenario the tests skip. $SCENARIO_STATIC
 * is set if libgomp is linked into it.
 */
#include <check.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "client.h"

static struct client client;
static ompd_address_space_handle_t *space;
#define api client.api

#define ok(call) ck_assert_int_eq((call), ompd_rc_ok)

static void begin(const char *scenario)
{
	client_start(&client, getenv("SCENARIO"), scenario);
	ok(api.process_initialize((ompd_address_space_context_t *)&client, &space));
}

static void end(void)
{
	ok(api.rel_address_space_handle(space));
	ck_assert_int_eq(client_live_memory(), 0);
	client_end(&client);
}

static void set_up(void)
{
	ompd_word_t version;

	client_open(&client, getenv("LIBOMPD_GOMP"));
	ok(api.get_api_version(&version));
	ok(api.initialize(version, client_callbacks()));
}

static void tear_down(void)
{
	ok(api.finalize());
}

static ompd_thread_handle_t *thread_of(const struct fact *f)
{
	ompd_thread_handle_t *h;
	uint64_t id = f->pthread;

	ok(api.get_thread_handle(space, OMPD_THREAD_ID_PTHREAD, sizeof(id), &id, &h));
	return h;
}

/* An ICV by its name, in the scope that the enumeration says. */
static ompd_icv_id_t icv_id(const char *wanted, ompd_scope_t *ret_scope)
{
	ompd_icv_id_t id = 0, found = 0;
	const char *name;
	int more = 1;

	while (more && !found) {
		ok(api.enumerate_icvs(space, id, &id, &name, ret_scope, &more));
		if (!strcmp(name, wanted))
			found = id;
		client_callbacks()->free_memory((void *)name);
	}
	ck_assert_msg(found != 0, "no ICV %s", wanted);
	return found;
}

/* Some ICVs have become ones of tasks only in time. */
static ompd_word_t icv(void *handle, const char *name)
{
	ompd_scope_t scope;
	ompd_icv_id_t id = icv_id(name, &scope);
	ompd_word_t value = -99;
	ompd_rc_t rc = api.get_icv_from_scope(scope == ompd_scope_address_space ? space : handle,
					      scope, id, &value);

	ck_assert_msg(rc == ompd_rc_ok, "%s: %d", name, rc);
	return value;
}

static const char *icv_text(void *handle, const char *name)
{
	static char text[64];
	const char *string;
	ompd_scope_t scope;
	ompd_icv_id_t id = icv_id(name, &scope);

	ok(api.get_icv_string_from_scope(handle, scope, id, &string));
	snprintf(text, sizeof(text), "%s", string);
	client_callbacks()->free_memory((void *)string);
	return text;
}

static const struct fact *fact(const char *what)
{
	for (size_t i = 0; i < client.nfacts; i++)
		if (!strcmp(client.facts[i].what, what))
			return &client.facts[i];
	ck_abort_msg("nobody is '%s'", what);
	return NULL;
}

static ompd_word_t state_of(const struct fact *f, ompd_wait_id_t *ret_wait)
{
	ompd_thread_handle_t *th = thread_of(f);
	ompd_word_t state;

	ok(api.get_state(th, &state, ret_wait));
	ok(api.rel_thread_handle(th));
	return state;
}

/* Looks again and again until a thread has got to where it waits; the test's timeout bounds it. */
static void until_state(const struct fact *f, ompd_word_t wanted)
{
	ompd_wait_id_t wait;

	while (state_of(f, &wait) != wanted) {
		client_resume(&client);
		sched_yield();
		client_stop(&client);
	}
	ck_assert(wait != 0 || wanted == ompt_state_idle);
}

static ompd_task_handle_t *task_of(const struct fact *f)
{
	ompd_thread_handle_t *th = thread_of(f);
	ompd_task_handle_t *task;

	ok(api.get_curr_task_handle(th, &task));
	ok(api.rel_thread_handle(th));
	return task;
}

/* ---- Each thread is who it says it is ---- */

static void check_data_environment(ompd_task_handle_t *task, const struct fact *f)
{
	ck_assert_int_eq(icv(task, "nthreads-var"), f->max_threads);
	ck_assert_int_eq(icv(task, "dyn-var"), f->dynamic);
	ck_assert_int_eq(icv(task, "max-active-levels-var"), f->max_active_levels);
	ck_assert_int_eq(icv(task, "final-task-var"), f->final);
	ck_assert_int_eq(icv(task, "thread-limit-var"), f->thread_limit);
	ck_assert_int_eq(icv(task, "bind-var"), f->bind);
	ck_assert_int_eq(icv(task, "run-sched-var"), f->sched);
}

/* The regions of a thread, from the inside out, and its place in the innermost one. */
static void check_regions(ompd_thread_handle_t *th, const struct fact *f)
{
	ompd_parallel_handle_t *region, *outer;
	ompd_thread_handle_t *member;
	int cmp;

	ok(api.get_curr_parallel_handle(th, &region));
	ck_assert_int_eq(icv(region, "active-levels-var"), f->active_level);
	ok(api.get_thread_in_parallel(region, f->number, &member));
	ok(api.thread_handle_compare(th, member, &cmp));
	ck_assert_int_eq(cmp, 0);
	ok(api.rel_thread_handle(member));
	for (int level = f->level; level; level--) {
		ck_assert_int_eq(icv(region, "levels-var"), level);
		ck_assert_int_eq(icv(region, "team-size-var"), f->team_size[level]);
		/* The ancestor of that number is a member too; it is this thread while all numbers
		 * are 0. */
		ok(api.get_thread_in_parallel(region, f->ancestor[level], &member));
		ok(api.rel_thread_handle(member));
		if (level == 1) {
			ck_assert_int_eq(api.get_enclosing_parallel_handle(region, &outer),
					 ompd_rc_unavailable);
			break;
		}
		ok(api.get_enclosing_parallel_handle(region, &outer));
		ok(api.rel_parallel_handle(region));
		region = outer;
	}
	ok(api.rel_parallel_handle(region));
}

static void check_thread(const struct fact *f)
{
	ompd_thread_handle_t *th = thread_of(f), *by_lwp;
	ompd_task_handle_t *task;
	uint64_t id = 0;
	uint32_t lwp = (uint32_t)f->lwp, lwp_back = 0;
	int cmp = 1;

	ok(api.get_thread_id(th, OMPD_THREAD_ID_PTHREAD, sizeof(id), &id));
	ck_assert_uint_eq(id, f->pthread);
	ok(api.get_thread_handle(space, OMPD_THREAD_ID_LWP, sizeof(lwp), &lwp, &by_lwp));
	ok(api.thread_handle_compare(th, by_lwp, &cmp));
	ck_assert_int_eq(cmp, 0);
	ok(api.get_thread_id(by_lwp, OMPD_THREAD_ID_LWP, sizeof(lwp_back), &lwp_back));
	ck_assert_uint_eq(lwp_back, lwp);
	ok(api.rel_thread_handle(by_lwp));
	ck_assert_int_eq(icv(th, "thread-num-var"), f->number);
	ok(api.get_curr_task_handle(th, &task));
	check_data_environment(task, f);
	ok(api.rel_task_handle(task));
	if (f->level)
		check_regions(th, f);
	ok(api.rel_thread_handle(th));
}

static void check_all(const char *scenario)
{
	begin(scenario);
	for (size_t i = 0; i < client.nfacts; i++)
		check_thread(&client.facts[i]);
	ck_assert_int_eq(icv(space, "cancel-var"), client.facts[0].cancel);
	end();
}

START_TEST(every_member_of_a_team_is_who_it_says)
{
	check_all("team");
}
END_TEST

START_TEST(members_of_nested_teams_are_who_they_say)
{
	check_all("nested");
}
END_TEST

START_TEST(regions_of_one_thread_are_levels_too)
{
	check_all("serialised");
	check_all("one");
}
END_TEST

START_TEST(threads_in_undeferred_tasks_are_who_they_say)
{
	check_all("undeferred");
	check_all("orphan");
}
END_TEST

START_TEST(a_serial_program_has_an_initial_task_and_no_region)
{
	ompd_parallel_handle_t *region;
	ompd_task_handle_t *task, *other;
	ompd_thread_handle_t *th;
	ompd_wait_id_t wait;

	begin("serial");
	check_thread(fact("initial"));
	th = thread_of(fact("initial"));
	ck_assert_int_eq(api.get_curr_parallel_handle(th, &region), ompd_rc_unavailable);
	ok(api.get_curr_task_handle(th, &task));
	ck_assert_int_eq(icv(task, "implicit-task-var"), 1);
	ck_assert_str_eq(icv_text(task, "run-sched-var"), "guided,5");
	ck_assert_int_eq(api.get_generating_task_handle(task, &other), ompd_rc_unavailable);
	ck_assert_int_eq(state_of(fact("initial"), &wait), ompt_state_work_serial);
	ok(api.rel_task_handle(task));
	ok(api.rel_thread_handle(th));
	end();
}
END_TEST

/* Thread 0 of an inner team is the member of the outer one that made it, and nobody else is both.
 */
START_TEST(thread_0_of_an_inner_team_is_found_through_the_outer_one)
{
	begin("nested");
	for (size_t i = 0; i < client.nfacts; i++) {
		const struct fact *f = &client.facts[i];
		ompd_thread_handle_t *th = thread_of(f), *member;
		ompd_parallel_handle_t *inner, *outer;
		int cmp;

		ok(api.get_curr_parallel_handle(th, &inner));
		ok(api.get_enclosing_parallel_handle(inner, &outer));
		ok(api.get_thread_in_parallel(outer, f->ancestor[1], &member));
		ok(api.thread_handle_compare(th, member, &cmp));
		ck_assert_int_eq(cmp == 0, f->number == 0);
		ok(api.rel_thread_handle(member));
		ok(api.rel_parallel_handle(inner));
		ok(api.rel_parallel_handle(outer));
		ok(api.rel_thread_handle(th));
	}
	end();
}
END_TEST

/* The worker leads to no other thread: what is not known is not the one that asks. */
START_TEST(thread_0_of_a_serialised_outermost_region_is_nobody_else)
{
	begin("outer_serialised");
	for (size_t i = 0; i < client.nfacts; i++) {
		const struct fact *f = &client.facts[i];
		ompd_thread_handle_t *th = thread_of(f), *member;
		ompd_parallel_handle_t *inner, *outer;
		ompd_rc_t rc;
		int cmp = 0;

		ok(api.get_curr_parallel_handle(th, &inner));
		ok(api.get_enclosing_parallel_handle(inner, &outer));
		rc = api.get_thread_in_parallel(outer, 0, &member);
		ck_assert_int_eq(rc, f->number ? ompd_rc_unavailable : ompd_rc_ok);
		if (rc == ompd_rc_ok) {
			ok(api.thread_handle_compare(th, member, &cmp));
			ok(api.rel_thread_handle(member));
		}
		ck_assert_int_eq(cmp, 0);
		ok(api.rel_parallel_handle(inner));
		ok(api.rel_parallel_handle(outer));
		ok(api.rel_thread_handle(th));
	}
	end();
}
END_TEST

static void check_idle(const struct fact *f)
{
	ompd_thread_handle_t *th = thread_of(f);
	ompd_parallel_handle_t *region;
	ompd_task_handle_t *task;

	until_state(f, ompt_state_idle);
	ck_assert_int_eq(api.get_curr_parallel_handle(th, &region), ompd_rc_unavailable);
	ck_assert_int_eq(api.get_curr_task_handle(th, &task), ompd_rc_unavailable);
	ok(api.rel_thread_handle(th));
}

/* Their gomp_thread still has the team that has ended. */
static void check_idle_scenario(const char *scenario, const char *busy)
{
	begin(scenario);
	for (size_t i = 0; i < client.nfacts; i++)
		if (client.facts[i].lwp != client.pid)
			check_idle(&client.facts[i]);
	check_thread(fact(busy));
	end();
}

START_TEST(workers_between_regions_are_idle_and_in_no_team)
{
	check_idle_scenario("idle", "initial");
}
END_TEST

START_TEST(workers_stay_idle_while_the_initial_thread_is_in_another_region)
{
	check_idle_scenario("idle_beside", "member");
}
END_TEST

START_TEST(a_thread_of_the_users_has_a_team_of_its_own)
{
	ompd_thread_handle_t *member, *of_foreign, *plain;
	ompd_parallel_handle_t *a, *b;
	uint64_t id;
	int cmp;

	begin("foreign");
	for (size_t i = 0; i < client.nfacts; i++)
		if (client.facts[i].level)
			check_thread(&client.facts[i]);
	member = thread_of(fact("member"));
	of_foreign = thread_of(fact("foreign"));
	ok(api.get_curr_parallel_handle(member, &a));
	ok(api.get_curr_parallel_handle(of_foreign, &b));
	ok(api.parallel_handle_compare(a, b, &cmp));
	ck_assert_int_ne(cmp, 0);
	/* It has asked for its number and such, and stays no OpenMP thread. */
	id = fact("plain")->pthread;
	ck_assert_int_eq(
		api.get_thread_handle(space, OMPD_THREAD_ID_PTHREAD, sizeof(id), &id, &plain),
		ompd_rc_unavailable);
	ok(api.rel_parallel_handle(a));
	ok(api.rel_parallel_handle(b));
	ok(api.rel_thread_handle(member));
	ok(api.rel_thread_handle(of_foreign));
	end();
}
END_TEST

/* ---- Tasks ---- */

START_TEST(a_deferred_task_has_its_function_and_its_creator)
{
	const struct fact *f;
	ompd_task_handle_t *task, *creator, *single;
	ompd_address_t function;
	int cmp;

	begin("tasks");
	f = fact("task");
	task = task_of(f);
	ck_assert_int_eq(icv(task, "implicit-task-var"), 0);
	ok(api.get_task_function(task, &function));
	ck_assert_ptr_nonnull(strstr(client_file(&client, function.address), "scenario"));
	ok(api.get_generating_task_handle(task, &creator));
	ck_assert_int_eq(icv(creator, "implicit-task-var"), 1);
	/* Its thread has begun it at the end of the region. */
	ok(api.get_scheduling_task_handle(task, &single));
	ck_assert_int_eq(icv(single, "implicit-task-var"), 1);
	ok(api.task_handle_compare(single, creator, &cmp));
	ck_assert_int_ne(cmp, 0);
	ok(api.rel_task_handle(single));
	/* The same task made the undeferred one, in which its thread is now. */
	single = task_of(fact("undeferred"));
	ck_assert_int_eq(api.get_task_function(single, &function), ompd_rc_unavailable);
	ok(api.rel_task_handle(task));
	ok(api.get_generating_task_handle(single, &task));
	ok(api.task_handle_compare(task, creator, &cmp));
	ck_assert_int_eq(cmp, 0);
	ok(api.rel_task_handle(task));
	ok(api.get_scheduling_task_handle(single, &task));
	ok(api.task_handle_compare(task, creator, &cmp));
	ck_assert_int_eq(cmp, 0);
	ok(api.rel_task_handle(task));
	ok(api.rel_task_handle(creator));
	ok(api.rel_task_handle(single));
	end();
}
END_TEST

/* From an undeferred task in an undeferred task in an implicit task out to the initial one. */
START_TEST(the_chain_of_creators_leads_to_the_initial_task)
{
	static const int implicit[] = { 0, 0, 1, 1 };
	ompd_task_handle_t *task, *creator;
	ompd_parallel_handle_t *region;

	begin("undeferred");
	task = task_of(&client.facts[0]);
	for (size_t i = 0; i < 4; i++) {
		ompd_rc_t rc;

		ck_assert_int_eq(icv(task, "implicit-task-var"), implicit[i]);
		rc = api.get_task_parallel_handle(task, &region);
		ck_assert_msg((rc == ompd_rc_ok) == (i < 3), "region of step %zu: %d", i, rc);
		if (rc == ompd_rc_ok)
			ok(api.rel_parallel_handle(region));
		rc = api.get_generating_task_handle(task, &creator);
		ck_assert_msg((rc == ompd_rc_ok) == (i < 3), "creator of step %zu: %d", i, rc);
		ok(api.rel_task_handle(task));
		task = creator;
	}
	end();
}
END_TEST

START_TEST(implicit_tasks_are_found_by_number)
{
	ompd_thread_handle_t *th, *nobody;
	ompd_parallel_handle_t *region;
	ompd_task_handle_t *task, *by_number;
	int cmp;

	begin("team");
	for (size_t i = 0; i < client.nfacts; i++) {
		th = thread_of(&client.facts[i]);
		ok(api.get_curr_parallel_handle(th, &region));
		ok(api.get_curr_task_handle(th, &task));
		ok(api.get_task_in_parallel(region, client.facts[i].number, &by_number));
		ok(api.task_handle_compare(task, by_number, &cmp));
		ck_assert_int_eq(cmp, 0);
		ok(api.rel_task_handle(task));
		ok(api.rel_task_handle(by_number));
		ck_assert_int_eq(api.get_task_in_parallel(region, 4, &task), ompd_rc_bad_input);
		ck_assert_int_eq(api.get_task_in_parallel(region, -1, &task), ompd_rc_bad_input);
		ck_assert_int_eq(api.get_thread_in_parallel(region, 4, &nobody), ompd_rc_bad_input);
		ok(api.rel_parallel_handle(region));
		ok(api.rel_thread_handle(th));
	}
	end();
}
END_TEST

START_TEST(waits_for_tasks_are_states)
{
	ompd_wait_id_t wait;

	begin("taskwait");
	until_state(fact("waiter"), ompt_state_wait_taskwait);
	ck_assert_int_eq(state_of(fact("task"), &wait), ompt_state_work_parallel);
	end();
	begin("depwait");
	until_state(fact("waiter"), ompt_state_wait_taskwait);
	end();
	begin("taskgroup");
	until_state(fact("waiter"), ompt_state_wait_taskgroup);
	ck_assert_int_eq(state_of(fact("task"), &wait), ompt_state_work_parallel);
	end();
}
END_TEST

/* ---- What clients do wrong ---- */

START_TEST(null_arguments_are_refused)
{
	ompd_thread_handle_t *th;
	ompd_word_t word;
	uint64_t id = 0;

	begin("one");
	ck_assert_int_eq(api.get_api_version(NULL), ompd_rc_bad_input);
	ck_assert_int_eq(api.get_version_string(NULL), ompd_rc_bad_input);
	ck_assert_int_eq(api.process_initialize(NULL, &space), ompd_rc_bad_input);
	ck_assert_int_eq(api.get_omp_version(NULL, &word), ompd_rc_stale_handle);
	ck_assert_int_eq(api.get_omp_version(space, NULL), ompd_rc_bad_input);
	ck_assert_int_eq(api.get_thread_handle(space, 0, 8, NULL, &th), ompd_rc_bad_input);
	ck_assert_int_eq(api.get_thread_handle(space, 0, 8, &id, NULL), ompd_rc_bad_input);
	ck_assert_int_eq(api.get_thread_handle(space, 0, 8, &id, &th), ompd_rc_bad_input);
	ck_assert_int_eq(api.get_thread_handle(space, 0, 4, &id, &th), ompd_rc_bad_input);
	ck_assert_int_eq(api.get_thread_handle(space, 2, 8, &id, &th), ompd_rc_unsupported);
	ck_assert_int_eq(api.get_state(NULL, &word, NULL), ompd_rc_stale_handle);
	ck_assert_int_eq(api.get_icv_from_scope(NULL, ompd_scope_task, 1, &word),
			 ompd_rc_stale_handle);
	ck_assert_int_eq(api.get_icv_from_scope(space, 0, 1, &word), ompd_rc_bad_input);
	ck_assert_int_eq(api.get_icv_from_scope(space, 99, 1, &word), ompd_rc_bad_input);
	ck_assert_int_eq(api.get_icv_from_scope(space, ompd_scope_task, 1, &word),
			 ompd_rc_stale_handle);
	ck_assert_int_eq(api.get_icv_from_scope(space, ompd_scope_address_space, 999, &word),
			 ompd_rc_bad_input);
	ck_assert_int_eq(api.rel_task_handle(NULL), ompd_rc_stale_handle);
	end();
}
END_TEST

/* A client that has one process, whatever context it is asked about; but it knows its own. */
static ompd_rc_t sizes_of_ours(ompd_address_space_context_t *context,
			       ompd_device_type_sizes_t *sizes)
{
	return context == (ompd_address_space_context_t *)&client
		       ? client_callbacks()->sizeof_type(context, sizes)
		       : ompd_rc_bad_input;
}

static ompd_rc_t symbol_of_ours(ompd_address_space_context_t *context, ompd_thread_context_t *th,
				const char *name, ompd_address_t *ret, const char *file)
{
	(void)context;
	return client_callbacks()->symbol_addr_lookup((ompd_address_space_context_t *)&client, th,
						      name, ret, file);
}

static ompd_rc_t memory_of_nobody(ompd_address_space_context_t *context, ompd_thread_context_t *th,
				  const ompd_address_t *from, ompd_size_t len, void *ret)
{
	(void)context, (void)th, (void)from, (void)len, (void)ret;
	return ompd_rc_error;
}

START_TEST(contexts_that_the_client_does_not_know_are_refused)
{
	ompd_callbacks_t callbacks = *client_callbacks();
	ompd_address_space_context_t *bogus = (ompd_address_space_context_t *)16;
	ompd_address_space_handle_t *handle;
	ompd_word_t version;

	begin("one");
	ok(api.rel_address_space_handle(space));
	ok(api.get_api_version(&version));
	callbacks.symbol_addr_lookup = symbol_of_ours;
	callbacks.sizeof_type = sizes_of_ours;
	ok(api.initialize(version, &callbacks));
	ck_assert_int_eq(api.process_initialize(bogus, &handle), ompd_rc_bad_input);
	callbacks.sizeof_type = NULL;
	callbacks.read_memory = memory_of_nobody;
	ok(api.initialize(version, &callbacks));
	ck_assert_int_eq(api.process_initialize(bogus, &handle), ompd_rc_callback_error);
	ok(api.initialize(version, client_callbacks()));
	ok(api.process_initialize((ompd_address_space_context_t *)&client, &space));
	end();
}
END_TEST

/* This client keeps released memory, so that asking is safe. */
START_TEST(released_handles_are_stale)
{
	ompd_thread_handle_t *th;
	ompd_parallel_handle_t *region;
	ompd_task_handle_t *task;
	ompd_word_t word;

	begin("one");
	th = thread_of(fact("member"));
	ok(api.get_curr_parallel_handle(th, &region));
	ok(api.rel_thread_handle(th));
	ck_assert_int_eq(api.rel_thread_handle(th), ompd_rc_stale_handle);
	ck_assert_int_eq(api.get_state(th, &word, NULL), ompd_rc_stale_handle);
	/* A handle of another kind is no thread's. */
	ck_assert_int_eq(api.get_curr_task_handle((ompd_thread_handle_t *)region, &task),
			 ompd_rc_stale_handle);
	/* Handles that outlive their address space answer nothing, but can be released. */
	ok(api.rel_address_space_handle(space));
	ck_assert_int_eq(api.rel_address_space_handle(space), ompd_rc_stale_handle);
	ck_assert_int_eq(api.get_enclosing_parallel_handle(region, &region), ompd_rc_stale_handle);
	ok(api.rel_parallel_handle(region));
	ok(api.process_initialize((ompd_address_space_context_t *)&client, &space));
	end();
}
END_TEST

START_TEST(what_memory_does_not_tell_is_unsupported)
{
	ompd_task_handle_t *task;
	ompd_frame_info_t frame;
	ompd_word_t word;
	ompd_address_t at;

	begin("one");
	task = task_of(fact("member"));
	ck_assert_int_eq(api.get_task_frame(task, &frame, &frame), ompd_rc_unsupported);
	ck_assert_int_eq(api.get_task_function(task, &at), ompd_rc_unavailable);
	ck_assert_int_eq(api.get_tool_data(task, ompd_scope_task, &word, &at), ompd_rc_unsupported);
	ck_assert_int_eq(api.device_initialize(space, NULL, 1, 0, NULL, NULL), ompd_rc_unsupported);
	ok(api.rel_task_handle(task));
	end();
}
END_TEST

START_TEST(two_processes_at_once_are_kept_apart)
{
	struct client other = client; /* the library alone: nothing has been started */
	ompd_address_space_handle_t *first, *second;

	begin("team");
	first = space;
	client_start(&other, getenv("SCENARIO"), "nested");
	ok(api.process_initialize((ompd_address_space_context_t *)&other, &second));
	for (size_t i = 0; i < 4; i++) {
		space = first;
		check_thread(&client.facts[i]);
		space = second;
		check_thread(&other.facts[i]);
	}
	ok(api.rel_address_space_handle(second));
	client_end(&other);
	space = first;
	end();
}
END_TEST

START_TEST(the_library_describes_itself_and_the_runtime)
{
	const char *text, *const *settings;
	ompd_size_t *sizes;
	ompd_thread_id_t *kinds;
	bool threads = false, offload = false;
	ompd_word_t version;
	int n;

	setenv("OMP_NUM_THREADS", "5", 1);
	setenv("OMP_TARGET_OFFLOAD", "disabled", 1);
	begin("one");
	ok(api.get_version_string(&text));
	ck_assert_ptr_nonnull(strstr(text, "libgomp"));
	ok(api.get_omp_version(space, &version));
	ck_assert_int_ge(version, 201307);
	ok(api.get_omp_version_string(space, &text));
	ck_assert_ptr_nonnull(strstr(text, "layout of GCC"));
	ck_assert_int_eq(strstr(text, "by its code alone") != NULL,
			 getenv("SCENARIO_STATIC") != NULL);
	client_callbacks()->free_memory((void *)text);
	ok(api.get_display_control_vars(space, &settings));
	for (int i = 0; settings[i]; i++) {
		threads |= !strcmp(settings[i], "OMP_NUM_THREADS=5");
		offload |= !strcmp(settings[i], "OMP_TARGET_OFFLOAD=disabled");
	}
	ck_assert(threads && offload);
	ok(api.rel_display_control_vars(&settings));
	ok(api.get_device_thread_id_kinds(space, &kinds, &sizes, &n));
	ck_assert_int_eq(n, 2);
	client_callbacks()->free_memory(kinds);
	client_callbacks()->free_memory(sizes);
	end();
}
END_TEST

static void check_list(void *handle, ompd_scope_t scope, const char *name, ompd_word_t first,
		       const char *wanted)
{
	ompd_scope_t enumerated;
	ompd_icv_id_t id = icv_id(name, &enumerated);
	ompd_word_t value = -99;
	const char *text;

	ck_assert_int_eq(api.get_icv_from_scope(handle, scope, id, &value),
			 strchr(wanted, ',') ? ompd_rc_incomplete : ompd_rc_ok);
	ck_assert_int_eq(value, first);
	ok(api.get_icv_string_from_scope(handle, scope, id, &text));
	ck_assert_str_eq(text, wanted);
	client_callbacks()->free_memory((void *)text);
}

static const char *find_setting(const char *const *settings, const char *wanted)
{
	size_t len = strlen(wanted);

	while (*settings && strncmp(*settings, wanted, len) != 0)
		settings++;
	return *settings ? *settings : "";
}

/* Of regions of the second level the items before are of no interest any more. */
START_TEST(lists_are_told_as_a_whole_or_as_incomplete)
{
	static const char *const set[][2] = {
		{ "OMP_NUM_THREADS", " 5 , 4,3,2" },
		{ "OMP_PROC_BIND", "spread,Close,master" },
		{ "OMP_PLACES", "threads" },
		{ "OMP_STACKSIZE", "2 M" },
		{ "OMP_WAIT_POLICY", "passive" },
		{ "OMP_TARGET_OFFLOAD", "sometimes" },
		{ "OMP_ALLOCATOR", "omp_high_bw_mem_alloc" },
	};
	static const char *const shown[] = {
		"OMP_NUM_THREADS=5,4,3,2", "OMP_ALLOCATOR=omp_high_bw_mem_alloc",
		"OMP_PLACES=threads",      "OMP_STACKSIZE=2 M",
		"OMP_WAIT_POLICY=passive", "OMP_PROC_BIND=spread,close,primary",
	};
	const char *const *settings;
	ompd_task_handle_t *task;

	for (size_t i = 0; i < sizeof(set) / sizeof(set[0]); i++)
		setenv(set[i][0], set[i][1], 1);
	begin("nested");
	check_list(space, ompd_scope_address_space, "nthreads-var", 5, "5,4,3,2");
	task = task_of(&client.facts[0]);
	check_list(task, ompd_scope_task, "nthreads-var", 3, "3,2");
	ck_assert_str_eq(icv_text(task, "bind-var"), "primary");
	ok(api.rel_task_handle(task));
	ok(api.get_display_control_vars(space, &settings));
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
		ck_assert_str_eq(find_setting(settings, shown[i]), shown[i]);
	ck_assert_str_eq(find_setting(settings, "OMP_TARGET_OFFLOAD"), "");
	ok(api.rel_display_control_vars(&settings));
	end();
}
END_TEST

START_TEST(states_are_enumerated_from_undefined_on)
{
	ompd_word_t state = ompt_state_undefined, more = 1;
	bool idle = false;
	const char *name;
	int n = 0;

	begin("one");
	while (more) {
		ok(api.enumerate_states(space, state, &state, &name, &more));
		idle |= state == ompt_state_idle && !strcmp(name, "ompt_state_idle");
		client_callbacks()->free_memory((void *)name);
		ck_assert_int_lt(n++, 100);
	}
	ck_assert(idle);
	ck_assert_int_eq(api.enumerate_states(space, state, &state, &name, &more),
			 ompd_rc_bad_input);
	end();
}
END_TEST

static void add(Suite *s, const char *name, const TTest *const *tests)
{
	TCase *tc = tcase_create(name);

	suite_add_tcase(s, tc);
	tcase_add_checked_fixture(tc, set_up, tear_down);
	for (; *tests; tests++)
		tcase_add_test(tc, *tests);
}

#define CASE(name, ...) add(s, name, (const TTest *const[]){ __VA_ARGS__, NULL })

int main(void)
{
	Suite *s = suite_create("libompd-gomp");
	SRunner *r;
	int failed;

	if (!getenv("SCENARIO") || access(getenv("SCENARIO"), X_OK)) {
		printf("1..0 # SKIP there is no gcc with OpenMP to build the scenarios\n");
		return 77;
	}
	CASE("threads and regions", every_member_of_a_team_is_who_it_says,
	     members_of_nested_teams_are_who_they_say, regions_of_one_thread_are_levels_too,
	     threads_in_undeferred_tasks_are_who_they_say,
	     a_serial_program_has_an_initial_task_and_no_region,
	     thread_0_of_an_inner_team_is_found_through_the_outer_one,
	     thread_0_of_a_serialised_outermost_region_is_nobody_else,
	     workers_between_regions_are_idle_and_in_no_team,
	     workers_stay_idle_while_the_initial_thread_is_in_another_region,
	     a_thread_of_the_users_has_a_team_of_its_own);
	CASE("tasks", a_deferred_task_has_its_function_and_its_creator,
	     the_chain_of_creators_leads_to_the_initial_task, implicit_tasks_are_found_by_number,
	     waits_for_tasks_are_states);
	CASE("clients", null_arguments_are_refused,
	     contexts_that_the_client_does_not_know_are_refused, released_handles_are_stale,
	     what_memory_does_not_tell_is_unsupported, two_processes_at_once_are_kept_apart);
	CASE("descriptions", the_library_describes_itself_and_the_runtime,
	     lists_are_told_as_a_whole_or_as_incomplete, states_are_enumerated_from_undefined_on);
	r = srunner_create(s);
	srunner_set_tap(r, "-");
	srunner_run_all(r, CK_SILENT);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
