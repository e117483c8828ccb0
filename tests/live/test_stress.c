/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Breakpoints, conditions, ignore counts, steps and ranges while threads and processes are made and
 * signals come, all by chance: each hit is counted and told once, and each step is told to whom it
 * was for. OMPDB_STRESS=SECONDS for longer; OMPDB_SEED=N for a certain beginning.
 */
#include "inferior.h"

#include <signal.h>
#include <stdio.h>
#include <time.h>

#include "target/process/condition.h"

enum { FUNCTIONS = 4, NEVER = 10, STEPPERS = 4096 };

struct stress {
	struct inferior i;
	struct target *t; /* owned */
	unsigned int *seed;
	taddr at[FUNCTIONS];
	uint64_t size[FUNCTIONS], told[FUNCTIONS + 1];
	pid_t steppers[STEPPERS]; /* who was sent on by a step, and has told nothing since */
	size_t nsteppers;
};

static int chance(struct stress *s, int of)
{
	return rand_r(s->seed) % of;
}

/* The first is counted alone, the others stop; with each, one that never holds. */
static void set_points(struct stress *s)
{
	static const uint8_t never[] = { CONDITION_PC, CONDITION_NOT };
	bool doubled = chance(s, 2);

	for (unsigned int k = 0; k < FUNCTIONS; k++) {
		char name[] = { 'f', (char)('0' + k), '\0' };
		s->at[k] = inferior_function(&s->i, name, &s->size[k]);
		struct point p = { .id = k + 1, .addr = s->at[k], .ignore = k ? 0 : 1000000000 };
		struct point q = { .id = k + 1 + NEVER,
				   .addr = s->at[k],
				   .condition = never,
				   .condition_size = sizeof(never) };
		if (k == FUNCTIONS - 1 && chance(s, 2) && debug_registers_work())
			p.kind = POINT_CODE_HARD;
		ck_assert_no_error(target_set_point(s->t, &p));
		if (doubled)
			ck_assert_no_error(target_set_point(s->t, &q));
	}
}

static void lend(struct stress *s)
{
	struct map_list maps = { 0 };

	ck_assert_no_error(target_maps(s->t, &maps));
	const struct map *map = map_list_find(&maps, s->at[0]);
	ck_assert_no_error(target_lend(s->t, map->end - 512, map->end));
	map_list_fini(&maps);
}

static bool was_stepping(struct stress *s, const struct thread *th)
{
	for (size_t k = 0; th && k < s->nsteppers; k++) {
		if (s->steppers[k] != th->lwp)
			continue;
		s->steppers[k] = s->steppers[--s->nsteppers];
		return true;
	}
	return false;
}

static void note(struct stress *s, const struct event *e)
{
	bool stepped = was_stepping(s, e->thread);

	ck_assert_msg(!stop_is_end(&e->stop), "it ended: %s %ld", stop_kind_name(e->stop.kind),
		      e->stop.value);
	ck_assert(e->stop.kind != STOP_STEPPED || stepped);
	for (size_t k = 0; k < e->npoints; k++) {
		ck_assert_uint_le(e->points[k], FUNCTIONS);
		s->told[e->points[k]]++;
	}
}

/* One thread steps, or all go on, or both. */
static void go_on(struct stress *s, const struct event *e)
{
	int how = chance(s, 6);
	size_t k = 0;
	bool steps = how < 4 && e->thread && e->thread->state == THREAD_STOPPED;

	while (k < FUNCTIONS && (e->stop.kind != STOP_SITE || s->at[k] != (taddr)e->stop.value))
		k++;
	if (steps && (how == 0 || k < FUNCTIONS)) {
		s->steppers[s->nsteppers++] = e->thread->lwp;
		ck_assert_uint_lt(s->nsteppers, STEPPERS);
		if (how == 0)
			ck_assert_no_error(target_resume(s->t, e->thread, RESUME_STEP));
		else
			ck_assert_no_error(target_step_range(s->t, e->thread, s->at[k],
							     s->at[k] + s->size[k]));
		if (chance(s, 3) == 0)
			return;
	}
	ck_assert_no_error(target_resume(s->t, NULL, RESUME_CONTINUE));
}

static void run(struct stress *s)
{
	struct event event = { 0 };

	ck_assert_no_error(target_resume(s->t, NULL, RESUME_CONTINUE));
	while (!strstr(buf_text(&s->i.said), "counted")) {
		ck_assert_no_error(target_wait(s->t, chance(s, 4) ? 100 * 1000 : 0, &event));
		bool none = event.stop.kind == STOP_NONE;
		if (!none)
			note(s, &event);
		if (!none || chance(s, 3) == 0) {
			ck_assert_no_error(target_stop_all(s->t));
			go_on(s, &event);
		}
		inferior_listen(&s->i);
	}
	ck_assert_no_error(target_stop_all(s->t));
}

static void check(struct stress *s)
{
	for (unsigned int k = 0; k < FUNCTIONS; k++) {
		char name[] = { 'f', (char)('0' + k), '\0' };
		struct point_state state;
		uint64_t wanted = inferior_value(&s->i, name);
		ck_assert_no_error(target_point_state(s->t, k + 1, &state));
		ck_assert_msg(state.hits == wanted, "%s: %lu hits, not %lu", name,
			      (unsigned long)state.hits, (unsigned long)wanted);
		ck_assert_uint_eq(s->told[k + 1], k ? wanted : 0);
	}
}

static void stress_once(unsigned int *seed)
{
	struct stress s = { .seed = seed };
	char threads[16], rounds[16], first[16];

	snprintf(threads, sizeof(threads), "%d", 1 + chance(&s, 10));
	snprintf(rounds, sizeof(rounds), "%d", 20 + chance(&s, 100));
	snprintf(first, sizeof(first), "%d", chance(&s, 1000000));
	s.t = inferior_launch(&s.i, ARGS("live_stress", threads, rounds, first));
	set_points(&s);
	if (chance(&s, 2))
		lend(&s);
	if (chance(&s, 2))
		ck_assert_no_error(
			target_pass_signals(s.t, 1 << (SIGUSR1 - 1) | 1 << (SIGCHLD - 1)));
	run(&s);
	check(&s);
	run_to_end(s.t, &s.i, NULL);
	target_free(s.t);
	inferior_fini(&s.i);
}

START_TEST(all_at_once_is_counted_exactly)
{
	const char *wanted = getenv("OMPDB_STRESS"), *first = getenv("OMPDB_SEED");
	time_t end = time(NULL) + (wanted ? atoi(wanted) : 5);
	unsigned int seed = first ? (unsigned int)strtoul(first, NULL, 10) : (unsigned int)end;

	do {
		printf("# OMPDB_SEED=%u\n", seed);
		fflush(stdout);
		stress_once(&seed);
	} while (time(NULL) < end);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("stress");
	const char *wanted = getenv("OMPDB_STRESS");

	live_case(s, "all", 120 + (wanted ? atoi(wanted) : 0), all_at_once_is_counted_exactly);
	return unit_run(s);
}
