/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Flow and leaks, which read code, are replaced here by tables.
 */
#include "code_fixture.h"
#include "ompd/holds.h"
#include "ompd/leaks.h"
#include "ompd/libgomp/libgomp.h"
#include "target/flow/flow.h"
#include "unit.h"

enum { A = 0x1000, B = 0x2000, ANY = 0, CODE = 0x400000, THREADS_MAX = 200, FRAMES = 3 };

/* The frames of a thread are known by letters: the code is at CODE plus the letter. */
static const struct code {
	char letter;
	size_t nholds;
	struct flow_hold holds[2];
	size_t ngives;
	struct flow_hold gives[1];
} code[] = {
/* clang-format off */
#define HOLD(object, always) { CODE, WAIT_LOCK, object, always }
	/* clang-format on */
	{ 'A', 1, { HOLD(A, true) } },
	{ 'a', 1, { HOLD(A, false) } },
	{ 'B', 1, { HOLD(B, true) } },
	{ 'X', 1, { HOLD(ANY, true) } },
	{ 'x', 1, { HOLD(ANY, false) } },
	{ '2', 2, { HOLD(B, true), HOLD(A, true) } },
	{ 'G', 0, { { 0 } }, 1, { HOLD(A, true) } },
	{ 'g', 0, { { 0 } }, 1, { HOLD(A, false) } },
	{ 'N', 1, { { CODE, WAIT_NEST_LOCK, A, true } } },
};

static struct {
	struct walk walk;
	struct code_fixture code; /* without functions */
	struct picture picture;
	struct runtime runtime;
	struct unwind_stack raw[THREADS_MAX];
	struct unwind_frame frames[THREADS_MAX][FRAMES];
	enum code_kind kinds[FRAMES];
	bool hidden[FRAMES];
	int analysed, flows, leaks; /* how often they were asked for */
} world;

struct flow *flow_new(struct target *t, struct unwinder *u, flow_classify *classify, void *context)
{
	(void)t, (void)u, (void)classify, (void)context;
	world.flows++;
	return malloc(1);
}

void flow_free(struct flow *f)
{
	free(f);
}

void flow_arguments(struct flow *f, struct thread *th, const struct unwind_stack *stack,
		    size_t index, struct flow_arguments *ret)
{
	(void)f, (void)th, (void)stack, (void)index;
	*ret = (struct flow_arguments){ 0 };
}

void flow_at(struct flow *f, struct thread *th, const struct unwind_stack *stack, size_t index,
	     struct flow_state *ret)
{
	(void)f, (void)th;
	char letter = (char)(stack->items[index].pc - CODE);

	world.analysed++;
	/* At "c" frames may differ. */
	*ret = (struct flow_state){ .never = letter != 'c', .complete = letter != '?' };
	for (size_t i = 0; i < COUNT(code); i++) {
		if (code[i].letter != letter)
			continue;
		ret->never = false;
		ret->nholds = code[i].nholds;
		ret->ngives = code[i].ngives;
		memcpy(ret->holds, code[i].holds, sizeof(code[i].holds));
		memcpy(ret->gives, code[i].gives, sizeof(code[i].gives));
	}
}

void leaks_find(struct walk *w, struct flow *flow)
{
	(void)w, (void)flow;
	world.leaks++;
}

void leaks_find_givers(struct walk *w, struct flow *flow)
{
	(void)w, (void)flow;
}

/* A thread in the runtime, called by these frames: "bA" is in b, called by A. */
static struct picture_wait *add_thread(enum wait_kind kind, taddr object, const char *frames)
{
	size_t n = world.picture.threads.len;
	struct picture_thread th = {
		.runtime = -1,
		.spans = { .kinds = world.kinds, .hidden = world.hidden, .len = FRAMES },
		.wait = { .kind = kind, .object = object, .holder = -1, .hold = -1 },
	};
	struct thread *its = calloc(1, sizeof(*its));

	ck_assert(n < THREADS_MAX && its);
	its->lwp = (pid_t)n + 1;
	ck_assert(vec_push(&world.walk.target->threads, its));
	ck_assert(vec_push(&th.spans.list, (struct span){ .outer = 1, .runtime = &world.runtime }));
	ck_assert(vec_push(&world.picture.threads, th));
	for (size_t i = 0; frames[i]; i++)
		world.frames[n][i + 1].pc = CODE + (taddr)frames[i];
	world.raw[n].items = world.frames[n];
	world.raw[n].len = 1 + strlen(frames);
	return &world.picture.threads.items[n].wait;
}

static void begin(void)
{
	code_fixture_init(&world.code, NULL, 0);
	world.runtime.ops = &libgomp_ops;
	world.kinds[0] = CODE_RUNTIME;
	world.hidden[0] = true;
	world.walk.target = &world.code.fake->base;
	world.walk.calls = call_sites_new(world.walk.target, world.code.unwinder);
	world.walk.picture = &world.picture;
	world.walk.raw = world.raw;
	world.walk.runtimes.items = &world.runtime;
	world.walk.runtimes.len = 1;
}

static void end(void)
{
	vec_for_each (th, &world.picture.threads)
		vec_fini(&th->spans.list);
	vec_fini(&world.picture.threads);
	vec_fini(&world.picture.holds);
	call_sites_free(world.walk.calls);
	code_fixture_fini(&world.code);
}

/* ---- one lock --------------------------------------------------------------------------- */

/* clang-format off */
/* The frames of thread 0, which waits for A, and others; "!" in front: so do they. Who holds A. */
static const struct {
	const char *frames[4];
	int holder;
} locks[] = {
	{ { "-", "A" }, 1 },
	{ { "-", "-A" }, 1 },
	{ { "-", "a" }, 1 },
	{ { "-", "2" }, 1 },
	{ { "-", "-", "-" }, -1 },
	{ { "-", "B" }, -1 },      /* another lock                            */
	{ { "-", "N" }, -1 },      /* another kind                            */
	{ { "-", "A", "A" }, -1 }, /* it has one holder                       */
	{ { "-", "a", "A" }, 2 },  /* certain before possible                 */
	{ { "-", "a", "a" }, -1 },
	{ { "-", "X", "A" }, 2 },  /* known before unknown                    */
	{ { "-", "X" }, 1 },
	{ { "-", "x" }, 1 },
	{ { "-", "X", "x" }, -1 },
	{ { "-", "X", "X" }, -1 },
	{ { "X", "X" }, 1 },       /* its own unknown one is another one      */
	{ { "X", "!X", "X" }, 2 },
	{ { "X", "-" }, -1 },
	{ { "A", "-" }, 0 },       /* it waits for itself                     */
	{ { "-", "!A" }, 1 },
	{ { "A", "A" }, 1 },
	{ { "a", "!a", "a" }, 2 }, /* in a loop, those that wait might have it */
	{ { "a", "!-" }, 0 },
	{ { "a", "!a" }, -1 },
	{ { "a", "!A" }, 1 },
	{ { "a", "X" }, 1 },
	{ { "a", "X", "X" }, -1 },
	{ { "a", "a", "X" }, 1 },
	{ { "-", "GA" }, -1 },     /* given back by what A has called         */
	{ { "-", "GA", "A" }, 2 },
	{ { "-", "GB" }, -1 },
	{ { "-", "GB", "A" }, 2 },
	{ { "-", "gA" }, 1 },
	{ { "-", "gA", "A" }, 2 },
	{ { "-", "GX", "A" }, 2 },
	{ { "-", "AG" }, 1 },      /* it was given back before                */
};
/* clang-format on */

START_TEST(lock)
{
	begin();
	add_thread(WAIT_LOCK, A, locks[_i].frames[0]);
	for (int i = 1; i < 4 && locks[_i].frames[i]; i++) {
		const char *frames = locks[_i].frames[i];
		bool waits = *frames == '!';
		add_thread(waits ? WAIT_LOCK : WAIT_NONE, waits ? A : 0, frames + waits);
	}
	holds_find(&world.walk);
	ck_assert(!world.walk.failed);
	const struct picture_wait *wait = &world.picture.threads.items[0].wait;
	ck_assert_int_eq(wait->holder, locks[_i].holder);
	ck_assert_int_eq(wait->holder_source, wait->holder < 0 ? SOURCE_NONE : SOURCE_INFERRED);
	ck_assert_int_eq(world.leaks, wait->holder < 0);
	ck_assert_int_eq(wait->hold >= 0, wait->holder >= 0);
	if (wait->hold >= 0)
		ck_assert_int_eq(world.picture.holds.items[wait->hold].thread, wait->holder);
	end();
}
END_TEST

/* ---- waits ------------------------------------------------------------------------------ */

START_TEST(nothing_is_done_where_nobody_waits_for_a_lock)
{
	begin();
	add_thread(WAIT_BARRIER, A, "-");
	add_thread(WAIT_NONE, 0, "A");
	holds_find(&world.walk);
	ck_assert(!world.walk.failed);
	ck_assert_int_eq(world.flows + world.analysed + world.leaks, 0);
	ck_assert_uint_eq(world.picture.holds.len, 0);
	ck_assert(!world.picture.holds_complete);
	end();
}
END_TEST

START_TEST(a_recorded_holder_stays)
{
	begin();
	struct picture_wait *wait = add_thread(WAIT_NEST_LOCK, A, "-");
	wait->holder = 2;
	wait->holder_source = SOURCE_MEMORY;
	add_thread(WAIT_NONE, 0, "N");
	add_thread(WAIT_NONE, 0, "A-");
	holds_find(&world.walk);
	ck_assert(!world.walk.failed);
	wait = &world.picture.threads.items[0].wait;
	ck_assert_int_eq(wait->holder, 2);
	ck_assert_int_eq(wait->holder_source, SOURCE_MEMORY);
	ck_assert_int_eq(wait->hold, -1);
	end();
}
END_TEST

START_TEST(an_unknown_lock_is_held_by_the_only_one_that_holds_any)
{
	begin();
	add_thread(WAIT_LOCK, ANY, "-");
	add_thread(WAIT_LOCK, A, "-");
	add_thread(WAIT_NONE, 0, "A");
	holds_find(&world.walk);
	ck_assert(!world.walk.failed);
	ck_assert_int_eq(world.picture.threads.items[0].wait.holder, 2);
	ck_assert_int_eq(world.picture.threads.items[1].wait.holder, 2);
	end();
}
END_TEST

START_TEST(many_threads_in_one_place_are_looked_at_once)
{
	begin();
	for (int i = 0; i < THREADS_MAX - 1; i++)
		add_thread(WAIT_LOCK, A, "-m");
	add_thread(WAIT_NONE, 0, "Am");
	holds_find(&world.walk);
	ck_assert(!world.walk.failed);
	ck_assert_int_eq(world.analysed, 3);
	ck_assert(world.picture.holds_complete);
	vec_for_each (th, &world.picture.threads)
		ck_assert_int_eq(th->wait.holder,
				 th->wait.kind == WAIT_LOCK ? THREADS_MAX - 1 : -1);
	end();
}
END_TEST

START_TEST(threads_in_one_place_that_may_differ_are_all_looked_at)
{
	begin();
	for (int i = 0; i < 10; i++)
		add_thread(WAIT_LOCK, A, "c");
	holds_find(&world.walk);
	ck_assert(!world.walk.failed);
	ck_assert_int_eq(world.analysed, 10);
	end();
}
END_TEST

START_TEST(code_that_is_not_understood_makes_it_incomplete)
{
	begin();
	add_thread(WAIT_LOCK, A, "-");
	add_thread(WAIT_NONE, 0, "?A");
	holds_find(&world.walk);
	ck_assert(!world.walk.failed);
	ck_assert(!world.picture.holds_complete);
	ck_assert_int_eq(world.picture.threads.items[0].wait.holder, 1);
	end();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("holds");

	unit_table(s, lock, locks);
	unit_case(s, "holds_find", nothing_is_done_where_nobody_waits_for_a_lock,
		  a_recorded_holder_stays, an_unknown_lock_is_held_by_the_only_one_that_holds_any,
		  many_threads_in_one_place_are_looked_at_once,
		  threads_in_one_place_that_may_differ_are_all_looked_at,
		  code_that_is_not_understood_makes_it_incomplete);
	return unit_run(s);
}
