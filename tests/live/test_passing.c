/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Getting over sites: hard instructions, many threads at full rate, exact counts. */
#include "inferior.h"

#include <stdio.h>

enum { THREADS = 4, TIMES = 40, HANDLER = 100 };

static const char *const names[] = { "call", "call_slot", "jmp_slot", "lea",  "load",
				     "rep",  "syscall",   "pushf",    "popf", "ret",
				     "jcc",  "loop",      "push",     "lock", "sse" };

static taddr lent, lent_end;

/* Behind the last byte of the program's code, to the end of its page. */
static void lend_behind(struct target *t, taddr code)
{
	struct map_list maps = { 0 };
	uint8_t bytes[MEMORY_PAGE];

	ck_assert_no_error(target_maps(t, &maps));
	const struct map *map = map_list_find(&maps, code);
	ck_assert_ptr_nonnull(map);
	taddr page = map->end - sizeof(bytes);
	ck_assert_no_error(target_read(t, page, bytes, sizeof(bytes)));
	lent_end = map->end;
	size_t used = sizeof(bytes);
	while (used && !bytes[used - 1])
		used--;
	lent = page + used + 16;
	ck_assert_no_error(target_lend(t, lent, lent_end));
	map_list_fini(&maps);
}

static void set(struct target *t, const struct inferior *i, unsigned int id, const char *name,
		uint64_t ignore)
{
	char label[32];

	snprintf(label, sizeof(label), "at_%s", name);
	struct point p = { .id = id, .addr = inferior_symbol(i, label), .ignore = ignore };
	ck_assert_no_error(target_set_point(t, &p));
}

static void check(struct target *t, unsigned int id, const char *name, uint64_t hits)
{
	struct point_state state;

	ck_assert_no_error(target_point_state(t, id, &state));
	ck_assert_msg(state.hits == hits, "%s: %lu hits, not %lu", name, (unsigned long)state.hits,
		      (unsigned long)hits);
}

enum { LENT = 1, SIGNALS = 2, TOLD = 4, STEPPED = 8 };
static const int ways[] = { 0,
			    LENT,
			    SIGNALS,
			    LENT | SIGNALS,
			    TOLD,
			    LENT | TOLD,
			    STEPPED | TOLD,
			    LENT | STEPPED | TOLD,
			    TOLD | SIGNALS | STEPPED,
			    LENT | TOLD | SIGNALS | STEPPED };

/* Whoever stands is where the program has its code, not in a copy of that. */
static void check_place(struct target *t, struct thread *th)
{
	uint64_t pc;

	ck_assert_no_error(target_get_uint(t, th, t->arch->pc, &pc));
	ck_assert(pc < lent || pc >= lent_end);
}

static void run(struct target *t, struct inferior *i, int how, struct told *told)
{
	bool steps = how & STEPPED;

	while (!strstr(buf_text(&i->said), "handled")) {
		struct event event = { 0 };
		ck_assert_no_error(target_wait(t, 1000, &event));
		told->of[event.stop.kind]++;
		ck_assert_msg(!stop_is_end(&event.stop), "it ended: %s %ld",
			      stop_kind_name(event.stop.kind), event.stop.value);
		if (event.stop.kind == STOP_STEPPED)
			check_place(t, event.thread);
		if (event.stop.kind == STOP_SITE && steps)
			ck_assert_no_error(target_resume(t, event.thread, RESUME_STEP));
		else
			ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
		inferior_listen(i);
	}
	ck_assert_no_error(target_stop_all(t));
}

START_TEST(hard_instructions_do_what_they_do_and_are_counted)
{
	int how = ways[_i];
	AUTO_INFERIOR i;
	const char *times = how & TOLD ? "10" : "40";
	unsigned int n = how & TOLD ? 10 : TIMES, hits = 0;
	struct told told = { 0 };
	struct point_state state;
	AUTO_TARGET *t = inferior_launch(
		&i, ARGS("live_insns", "4", times, how & SIGNALS ? "signals" : NULL));

	if (how & LENT)
		lend_behind(t, inferior_symbol(&i, "at_handler"));
	for (unsigned int k = 0; k < COUNT(names); k++)
		set(t, &i, k + 1, names[k], how & TOLD ? 0 : 1000000);
	set(t, &i, HANDLER, "handler", 1000000);
	ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
	run(t, &i, how, &told);
	for (unsigned int k = 0; k < COUNT(names); k++) {
		unsigned int each = strcmp(names[k], "loop") == 0 ? 5 : 1;
		check(t, k + 1, names[k], (uint64_t)each * THREADS * n);
		hits += each * THREADS * n;
	}
	ck_assert_no_error(target_point_state(t, HANDLER, &state));
	ck_assert_uint_eq(state.hits, inferior_value(&i, "handled"));
	ck_assert_uint_eq(told.of[STOP_SITE], how & TOLD ? hits : 0);
	if (how & SIGNALS)
		ck_assert_uint_gt(state.hits, 0);
	run_to_end(t, &i, NULL);
}
END_TEST

/* The program counts, too. */
START_TEST(many_threads_are_counted_at_full_rate)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = inferior_launch(&i, ARGS("live_sites", "threads", "5000"));
	struct point p = { .id = 1, .addr = inferior_symbol(&i, "site"), .ignore = 1000000 };
	struct told told = { 0 };

	lend_behind(t, p.addr);
	ck_assert_no_error(target_set_point(t, &p));
	run_until_ready(t, &i, &told);
	check(t, 1, "site", inferior_peek(&i, inferior_symbol(&i, "count")));
	ck_assert_uint_eq(told.of[STOP_SITE], 0);
	run_to_end(t, &i, NULL);
}
END_TEST

static const char *const makers[] = { "fork", "vfork", "share", "exec" };

START_TEST(children_get_over_sites_and_are_not_counted)
{
	enum { N = 20 };
	AUTO_INFERIOR i;
	AUTO_TARGET *t = inferior_launch(&i, ARGS("live_sites", makers[_i], "20"));
	struct point p = { .id = 1, .addr = inferior_symbol(&i, "site"), .ignore = 1000000 };
	bool is_exec = strcmp(makers[_i], "exec") == 0;

	lend_behind(t, p.addr);
	ck_assert_no_error(target_set_point(t, &p));
	for (int n = 0; is_exec && n < N; n++) { /* hits are kept, and points are set again */
		run_until(t, STOP_EXEC, NULL);
		lend_behind(t, p.addr);
		ck_assert_no_error(target_set_point(t, &p));
	}
	run_until_ready(t, &i, NULL);
	check(t, 1, "site", N);
	run_to_end(t, &i, NULL);
}
END_TEST

START_TEST(nothing_is_left_behind)
{
	AUTO_INFERIOR i;

	ck_assert(inferior_start(&i, ARGS("live_sites", "loop")));
	for (int n = 0; n < 20; n++) {
		AUTO_TARGET *t = inferior_attach(&i);
		struct map_list maps = { 0 };
		taddr site = inferior_symbol(&i, "site");
		uint8_t bytes[64], now[64];
		ck_assert_no_error(target_maps(t, &maps));
		taddr end = map_list_find(&maps, site)->end;
		map_list_fini(&maps);
		ck_assert_no_error(target_read(t, end - 64, bytes, sizeof(bytes)));
		ck_assert_no_error(target_lend(t, end - 64, end));
		struct point p = { .id = 1, .addr = site, .ignore = 50 };
		ck_assert_no_error(target_set_point(t, &p));
		run_until(t, STOP_SITE, NULL);
		ck_assert_no_error(target_stop_all(t));
		ck_assert_no_error(target_read(t, end - 64, now, sizeof(now)));
		ck_assert_mem_eq(now, bytes, sizeof(now));
		if (n % 2) /* it runs just then */
			ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
		ck_assert_no_error(target_detach(t));
		inferior_check_untouched(&i, "SR");
	}
	inferior_finish(&i);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("passing");

	live_table(s, hard_instructions_do_what_they_do_and_are_counted, 60, COUNT(ways));
	live_table(s, children_get_over_sites_and_are_not_counted, 60, COUNT(makers));
	live_case(s, "counts", 60, many_threads_are_counted_at_full_rate);
	live_case(s, "after it", 60, nothing_is_left_behind);
	return unit_run(s);
}
