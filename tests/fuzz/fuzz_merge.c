/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Fuzz_merge: stacks and sets of threads made of any bytes, merged and written as a tree, and what
 * is promised of the result: each thread stays at one node and comes through all above it.
 */
#include <assert.h>
#include <string.h>

#include "base/cursor.h"
#include "debugger/output/format_tree.h"
#include "fuzz.h"

enum { THREADS_MAX = 64, FRAMES_MAX = 64 };

static const char *const names[] = { "main", "work", "f", "\033[31m", NULL, "a", "b", "c" };

struct made {
	struct stacks stacks;
	struct stack_thread threads[THREADS_MAX];
	struct picture picture;
	struct stitched stitched;
	struct stack_frame machine[2];
};

static void must(bool done)
{
	if (!done)
		abort();
}

static int small(struct cursor *c, int below)
{
	return (int)(cursor_uint(c, 1) % (unsigned int)(below + 1)) - 1;
}

static void make_frame(struct made *m, struct stitched_stack *s, struct cursor *c)
{
	uint64_t bits = cursor_uint(c, 1);
	struct stitched_frame f = {
		.frame = bits & 0x80 ? NULL : &m->machine[bits >> 6 & 1],
		.function = names[bits & 7],
		.construct = bits & 8 ? "parallel" : NULL,
		.file = bits & 16 ? "/srv/app.c" : NULL,
		.line = bits & 32 ? 7 : 8,
	};

	bits = cursor_uint(c, 1);
	f.hidden = bits & 1;
	if (bits & 2)
		f.border = (struct border){
			.kind = (enum border_kind)(bits >> 2) % NUM_BORDERS,
			.region = small(c, 4),
			.creator = small(c, THREADS_MAX),
			.task = -1,
			.source = bits & 0x80 ? SOURCE_INFERRED : SOURCE_OMPD,
		};
	must(vec_push(&s->frames, f));
}

static void make_thread(struct made *m, int n, struct cursor *c)
{
	struct stitched_stack s = { .thread = n };
	uint64_t bits = cursor_uint(c, 1);
	struct picture_thread t = {
		.lwp = 100 + (pid_t)cursor_uint(c, 1),
		.role = (enum thread_role)(bits % NUM_ROLES),
		.region = small(c, 3),
		.number = small(c, 9),
		.wait = { .kind = (enum wait_kind)(cursor_uint(c, 1) % NUM_WAIT_KINDS),
			  .holder = small(c, THREADS_MAX) },
	};

	m->threads[n] = (struct stack_thread){ .lwp = t.lwp, .name = (char *)"app" };
	for (size_t i = 0, len = bits % FRAMES_MAX; i < len && cursor_left(c); i++)
		make_frame(m, &s, c);
	if (bits & 0x40)
		s.end = bits & 0x80 ? "no memory" : "no tables";
	must(vec_push(&m->picture.threads, t) && vec_push(&m->stitched.stacks, s));
}

static void make(struct made *m, struct cursor *c)
{
	m->machine[0].pc = 1;
	m->machine[1].module = "/lib/l.so";
	for (int i = 0; i < 2; i++)
		must(vec_push(&m->picture.regions,
			      (struct picture_region){ .parent = i - 1, .primary = -1 }));
	for (int n = 0; n < THREADS_MAX && cursor_left(c); n++)
		make_thread(m, n, c);
	m->stacks.exe = (char *)"";
	m->stacks.threads.items = m->threads;
	m->stacks.threads.len = m->picture.threads.len;
}

static void unmake(struct made *m)
{
	vec_for_each (s, &m->stitched.stacks)
		vec_fini(&s->frames);
	vec_fini(&m->stitched.stacks);
	vec_fini(&m->picture.threads);
	vec_fini(&m->picture.regions);
}

/* Stacks are short here: recursion is fine. */
static size_t check_node(const struct merge_node *n)
{
	size_t stay = n->here.len, come = n->here.len;

	for (size_t i = 1; i < n->threads.len; i++)
		assert(n->threads.items[i] > n->threads.items[i - 1]);
	vec_for_each (callee, &n->callees) {
		vec_for_each (other, &n->callees)
			assert(callee == other || (*callee)->border != (*other)->border ||
			       !merge_same((*callee)->frame, (*other)->frame, (*callee)->border));
		come += (*callee)->threads.len;
		stay += check_node(*callee);
	}
	assert(come == n->threads.len && stay == n->threads.len);
	return stay;
}

/* Each thread ends in one branch: one without frames, or one in which all end together. */
static void check_branches(const struct branches *branches, size_t threads)
{
	size_t ended = 0;

	vec_for_each (b, &branches->list) {
		assert(b->depth >= 0 && b->threads.len && !b->from == !b->to);
		if (!b->from || b->together)
			ended += b->threads.len;
	}
	assert(ended == threads);
}

static void write_tree(const struct view *v, const struct merge_node *root)
{
	const struct style style = { .utf8 = true };
	AUTO(branches_fini) struct branches branches = { 0 };
	AUTO_BUF out = { 0 };

	must(!branches_make(root, v->stitched, format_tree_say, v, &branches));
	check_branches(&branches, v->stitched->stacks.len);
	format_tree(&out, v, &branches, &style);
	assert(buf_ok(&out) && !memchr(buf_text(&out), '\033', out.len));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cursor c = cursor_of(data, size);
	struct made m = { 0 };

	make(&m, &c);
	for (int hidden = 0; hidden < 2; hidden++) {
		const struct view v = { &m.stacks, &m.picture, &m.stitched, hidden, false };
		AUTO_MERGE *root = NULL;
		must(!merge_stacks(&m.stitched, hidden, false, &root));
		assert(check_node(root) == m.stitched.stacks.len);
		write_tree(&v, root);
	}
	unmake(&m);
	return 0;
}
