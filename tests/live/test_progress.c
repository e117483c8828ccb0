/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Progress of real processes between looks: threads that sleep, spin, nap, pass barriers. */
#include "inferior.h"

#include <poll.h>

#include "debugger/progress.h"

static struct progress_meter *new_meter(void)
{
	struct progress_meter *m = progress_new();

	ck_assert_ptr_nonnull(m);
	return m;
}

static void look(struct progress_meter *m, const struct inferior *i)
{
	const struct session_options of_session = { .ompd_library = NULL };
	const struct snapshot_options options = { .footprints = true,
						  .max_frames = UNWIND_FRAMES_DEFAULT };
	AUTO_SESSION *session = NULL;
	AUTO_SNAPSHOT *s = NULL;

	ck_assert_no_error(session_new(inferior_attach(i), &of_session, &session));
	ck_assert_no_error(snapshot_take(session, &options, &s));
	ck_assert_no_error(progress_add(m, &s->picture, s->stacks->raw));
	ck_assert_no_error(target_detach(session->target));
}

static const struct progress_thread *thread_of(const struct progress *p, uint64_t lwp)
{
	vec_for_each (th, &p->threads) {
		if (th->lwp == (pid_t)lwp)
			return th;
	}
	ck_abort_msg("no thread %d", (int)lwp);
	return NULL;
}

/* Waits until a thread has used that much more. */
static void await_use(const struct inferior *i, uint64_t lwp, struct proc_use more)
{
	struct proc_use first, now;

	ck_assert_no_error(procfs_use(i->pid, (pid_t)lwp, &first));
	do {
		poll(NULL, 0, 1);
		ck_assert_no_error(procfs_use(i->pid, (pid_t)lwp, &now));
	} while (now.cpu_ns < first.cpu_ns + more.cpu_ns || now.runs < first.runs + more.runs);
}

/* A thread that has been joined may still be about to go. */
static void await_end(const struct inferior *i, uint64_t lwp)
{
	struct proc_stat stat;
	struct error *err;

	while (!(err = procfs_stat(i->pid, (pid_t)lwp, &stat)))
		poll(NULL, 0, 1);
	ck_assert_error(err, ERROR_GONE, "");
}

/* More than any of the kernel's clocks may fail to show. */
static const struct proc_use some_cpu = { .cpu_ns = 50 * 1000 * 1000 }, some_runs = { .runs = 10 };

START_TEST(threads_asleep_stand_still_though_their_calls_are_restarted)
{
	AUTO_INFERIOR i;
	AUTO_PROGRESS_METER *m = new_meter();
	AUTO_PROGRESS p = { 0 };

	ck_assert(inferior_start(&i, ARGS("blocked_calls")));
	for (int n = 0; n < 3; n++) {
		inferior_await_sleep(&i);
		look(m, &i);
		inferior_await_sleep(&i);
		progress_begin(m, i.pid);
		progress_end(m, i.pid);
	}
	ck_assert_no_error(progress_get(m, &p));
	ck_assert_uint_eq(p.looks, 3);
	ck_assert_double_gt(p.seconds, 0);
	ck_assert_int_eq(p.barriers, -1);
	ck_assert_uint_gt(p.cpus, 0);
	ck_assert_uint_eq(p.threads.len, 6);
	vec_for_each (th, &p.threads) {
		ck_assert(!th->moved);
		ck_assert_double_eq(th->load, 0);
	}
	inferior_finish(&i);
}
END_TEST

START_TEST(threads_that_spin_or_nap_are_told_from_those_that_sleep)
{
	AUTO_INFERIOR i;
	AUTO_PROGRESS_METER *m = new_meter();
	AUTO_PROGRESS p = { 0 };

	ck_assert(inferior_start(&i, ARGS("paces")));
	uint64_t reader = inferior_value(&i, "reader "), spinner = inferior_value(&i, "spinner "),
		 napper = inferior_value(&i, "napper ");
	look(m, &i);
	progress_begin(m, i.pid);
	await_use(&i, spinner, some_cpu);
	await_use(&i, napper, some_runs);
	progress_end(m, i.pid);
	look(m, &i);
	ck_assert_no_error(progress_get(m, &p));
	ck_assert(!thread_of(&p, reader)->moved);
	ck_assert_double_eq(thread_of(&p, reader)->load, 0);
	ck_assert_double_gt(thread_of(&p, spinner)->load, 0);
	ck_assert_double_gt(thread_of(&p, napper)->load, 0);
	inferior_finish(&i);
}
END_TEST

START_TEST(a_thread_elsewhere_has_moved_and_so_has_a_new_one)
{
	AUTO_INFERIOR i;
	AUTO_PROGRESS_METER *m = new_meter();
	AUTO_PROGRESS p = { 0 };

	ck_assert(inferior_start(&i, ARGS("paces")));
	uint64_t reader = inferior_value(&i, "reader ");
	size_t before = i.said.len;
	inferior_await_state(i.pid, 0, "S");
	look(m, &i);
	progress_begin(m, i.pid);
	inferior_poke(&i);
	inferior_await_ready(&i, before);
	await_end(&i, inferior_value(&i, "quitter "));
	inferior_await_state(i.pid, 0, "S");
	progress_end(m, i.pid);
	look(m, &i);
	ck_assert_no_error(progress_get(m, &p));
	ck_assert(thread_of(&p, (uint64_t)i.pid)->moved);
	ck_assert_double_gt(thread_of(&p, (uint64_t)i.pid)->load, 0);
	ck_assert(!thread_of(&p, reader)->moved);
	ck_assert(p.threads.items[p.threads.len - 1].moved);
	ck_assert_double_lt(p.threads.items[p.threads.len - 1].load, 0);
	inferior_finish(&i);
}
END_TEST

static const char *const teams[] = { "omp_paces-gcc-O0", "omp_paces-gcc-O2" };

START_TEST(a_team_passes_barriers)
{
	enum { SOME = 10 };
	AUTO_INFERIOR i;
	AUTO_PROGRESS_METER *m = new_meter();
	AUTO_PROGRESS p = { 0 };

	ck_assert(inferior_start(&i, ARGS(teams[_i])));
	taddr passed = inferior_symbol(&i, "passed");
	look(m, &i);
	progress_begin(m, i.pid);
	uint64_t first = inferior_peek(&i, passed);
	while (inferior_peek(&i, passed) < first + SOME)
		poll(NULL, 0, 1);
	progress_end(m, i.pid);
	look(m, &i);
	ck_assert_no_error(progress_get(m, &p));
	ck_assert_int_ge(p.barriers, SOME);
	ck_assert_uint_eq(p.threads.len, 2);
	ck_assert(p.threads.items[0].moved && p.threads.items[1].moved);
	inferior_finish(&i);
}
END_TEST

START_TEST(a_process_that_has_ended_leaves_all_unknown)
{
	AUTO_INFERIOR i;
	AUTO_PROGRESS_METER *m = new_meter();
	AUTO_PROGRESS p = { 0 };

	ck_assert(inferior_start(&i, ARGS("sleepers", "3")));
	look(m, &i);
	progress_begin(m, i.pid);
	inferior_finish(&i);
	progress_end(m, i.pid);
	progress_begin(m, i.pid);
	progress_end(m, i.pid);
	ck_assert_no_error(progress_get(m, &p));
	ck_assert_uint_eq(p.threads.len, 3);
	vec_for_each (th, &p.threads) {
		ck_assert(!th->moved);
		ck_assert_double_lt(th->load, 0);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("progress");

	live_case(s, "progress", 2 * PATIENCE_S,
		  threads_asleep_stand_still_though_their_calls_are_restarted,
		  threads_that_spin_or_nap_are_told_from_those_that_sleep,
		  a_thread_elsewhere_has_moved_and_so_has_a_new_one,
		  a_process_that_has_ended_leaves_all_unknown);
	live_table(s, a_team_passes_barriers, 2 * PATIENCE_S, COUNT(teams));
	return unit_run(s);
}
