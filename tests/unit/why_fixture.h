/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Why_fixture: verdicts made by hand, for the tests of what shows them. As the world of
 * picture_fixture.h, there is one for each test.
 */
#ifndef UNIT_WHY_FIXTURE_H
#define UNIT_WHY_FIXTURE_H

#include "debugger/why/why.h"
#include "picture_fixture.h"

static struct why why;

#define why_push(v, ...) (vec_push(v, __VA_ARGS__) ? (void)0 : abort())

/* A link of the chain of blame for "threads" threads from "first" on; first -1: nobody. */
static inline struct why_blame *why_add_blame(int first, int threads, struct place place,
					      const char *reason)
{
	struct why_blame b = { .thread = first, .place = place, .reason = strdup(reason) };

	for (int i = 0; first >= 0 && i < threads; i++)
		why_push(&b.threads, first + i);
	why_push(&why.blame, b);
	return &why.blame.items[why.blame.len - 1];
}

static inline void why_add_reason(const char *sentence)
{
	why_push(&why.reasons, strdup(sentence));
}

static inline void why_add_hint(const char *sentence)
{
	why_push(&why.hints, strdup(sentence));
}

/* Returns its number. */
static inline int why_add_node(enum why_node_kind kind, int index, const char *name)
{
	why_push(&why.nodes,
		 (struct why_node){ .kind = kind, .index = index, .name = strdup(name) });
	return (int)why.nodes.len - 1;
}

/* "thread 0.N", or "thread LWP" where it has no number. */
static inline int why_add_thread_node(int thread)
{
	const struct picture_thread *t = &world.picture.threads.items[thread];
	AUTO_BUF name = { 0 };

	if (t->region >= 0)
		buf_addf(&name, "thread %d.%ld", t->region, t->number);
	else
		buf_addf(&name, "thread %d", t->lwp);
	return why_add_node(WHY_NODE_THREAD, thread, buf_text(&name));
}

static inline void why_add_edge(int from, enum why_edge_kind kind, int to,
				enum why_knowledge knowledge)
{
	why_push(&why.edges, (struct why_edge){ kind, from, to, knowledge });
}

/* A team of "threads" threads, 0.0 to 0.N, all running; their nodes are 0 to N. */
static inline void why_add_team(int threads)
{
	int region = world_add_region(&world, -1, 0, threads, 41);

	for (int i = 0; i < threads; i++) {
		world_add_thread(&world, i ? ROLE_WORKER : ROLE_PRIMARY, region, i);
		why_add_thread_node(i);
	}
}

static inline struct picture_wait *why_wait(int thread, enum wait_kind kind, int line)
{
	struct picture_wait *w = &world.picture.threads.items[thread].wait;

	w->kind = kind;
	w->source = SOURCE_MEMORY;
	w->place = world_place("work", line);
	return w;
}

/*
 * 0.0 to 0.2 wait at a barrier that 0.3 has not come to: it waits for a lock that probably 0.4
 * holds, which reads from stdin.
 */
static inline void why_add_chain(void)
{
	why_add_team(5);
	int barrier = why_add_node(WHY_NODE_BARRIER, 0, "barrier of team 0");
	int lock = why_add_node(WHY_NODE_OBJECT, 3, "lock 'L'");
	for (int i = 0; i < 3; i++) {
		struct picture_wait *w = why_wait(i, WAIT_EXPLICIT_BARRIER, 40);
		w->arrived = 3;
		w->total = 5;
		why_add_edge(i, WHY_WAITS_FOR, barrier, WHY_KNOWN);
	}
	why_add_edge(3, WHY_WAITS_FOR, lock, WHY_KNOWN);
	why_add_edge(barrier, WHY_MUST_COME, 3, WHY_KNOWN);
	why_add_edge(barrier, WHY_MUST_COME, 4, WHY_KNOWN);
	why_add_edge(lock, WHY_HELD_BY, 4, WHY_LIKELY);
	why_wait(3, WAIT_LOCK, 22)->name = strdup("L");
	struct picture_wait *w = why_wait(4, WAIT_SYSCALL, 31);
	w->name = strdup("read");
	w->fd = 0;
}

static inline void why_fixture_setup(void)
{
	world_init(&world);
	why = (struct why){ .confidence = WHY_CERTAIN };
}

static inline void why_fixture_teardown(void)
{
	why_fini(&why);
	world_fini(&world);
}

static inline TCase *why_new_case(Suite *s, const char *name)
{
	TCase *tc = tcase_create(name);

	tcase_add_checked_fixture(tc, why_fixture_setup, why_fixture_teardown);
	tcase_set_timeout(tc, 60);
	suite_add_tcase(s, tc);
	return tc;
}

static inline void why_add_case(Suite *s, const char *name, const TTest *const *tests)
{
	TCase *tc = why_new_case(s, name);

	for (; *tests; tests++)
		tcase_add_test(tc, *tests);
}

/* As unit_case() and unit_table(). */
#define why_case(suite, name, ...)                                                                 \
	why_add_case(suite, name, (const TTest *const[]){ __VA_ARGS__, NULL })
#define why_table(suite, test, table)                                                              \
	tcase_add_loop_test(why_new_case(suite, #table), test, 0, (int)COUNT(table))

#endif
