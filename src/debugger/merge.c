/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/merge.h"

#include <limits.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/text.h"

/* What is looked for among the callees of a node. */
struct key {
	const struct stitched_frame *frame;
	bool border;
};

struct merger {
	struct merge_node *root;
	struct hash_map nodes;             /* by hash_of(): lists, by "same_hash"          */
	VEC(struct key) path;              /* of the stack at hand, from outside in       */
	VEC(struct merge_node *) previous; /* nodes that the stack before it came through */
	bool keeps_frames;
};

static bool same_border(const struct border *a, const struct border *b)
{
	return a->kind == b->kind && a->region == b->region && a->creator == b->creator &&
	       (a->source == SOURCE_INFERRED) == (b->source == SOURCE_INFERRED) &&
	       place_is_same(&a->place, &b->place);
}

/* What a frame without a name is known by: its place in a module. */
static taddr anonymous_pc(const struct stitched_frame *f)
{
	return !f->function && f->frame ? f->frame->pc : 0;
}

bool merge_same(const struct stitched_frame *a, const struct stitched_frame *b, bool border)
{
	if (border)
		return same_border(&a->border, &b->border);
	return a->line == b->line && a->hidden == b->hidden && !a->frame == !b->frame &&
	       anonymous_pc(a) == anonymous_pc(b) && text_same(a->function, b->function) &&
	       text_same(a->construct, b->construct) && text_same(a->file, b->file);
}

/* Equal for keys that are the same below the same parent. */
static uint64_t hash_of(const struct merge_node *parent, const struct key *k)
{
	const struct stitched_frame *f = k->frame;
	const struct border *b = &f->border;
	uint64_t hash = hash_add(hash_add(HASH_START, map_key(parent)), k->border);

	if (k->border) {
		hash = hash_add(hash_add(hash, (uint64_t)b->region), (uint64_t)b->creator);
		return hash_text(hash_add(hash, (uint64_t)b->place.line), b->place.file);
	}
	hash = hash_add(hash_add(hash, (uint64_t)f->line), anonymous_pc(f));
	return hash_text(hash_text(hash, f->function), f->file);
}

static bool is_node(const struct merge_node *n, const struct key *k)
{
	return n->border == k->border && merge_same(n->frame, k->frame, k->border);
}

static struct merge_node *add_node(struct merger *m, struct merge_node *parent, const struct key *k)
{
	struct merge_node *node = calloc(1, sizeof(*node));

	if (!node)
		return NULL;
	if (!vec_push(&parent->callees, node)) {
		free(node);
		return NULL;
	}
	node->frame = k->frame;
	node->border = k->border;
	node->parent = parent;
	node->next = m->root->next;
	m->root->next = node;
	return node;
}

/* The callee of parent for this key, made if need be; NULL: out of memory. */
static struct merge_node *get_callee(struct merger *m, struct merge_node *parent,
				     const struct key *k)
{
	struct map_item *item = map_add(&m->nodes, hash_of(parent, k));

	for (struct merge_node *n = item ? item->pointer : NULL; n; n = n->same_hash) {
		if (n->parent == parent && is_node(n, k))
			return n;
	}
	struct merge_node *node = item ? add_node(m, parent, k) : NULL;
	if (node) {
		node->same_hash = item->pointer;
		item->pointer = node;
	}
	return node;
}

/* Fills m->path. */
static bool read_path(struct merger *m, const struct stitched_stack *s, bool hidden)
{
	m->path.len = 0;
	for (size_t i = s->frames.len; i-- > 0;) {
		const struct stitched_frame *f = &s->frames.items[i];
		if (f->border.kind != BORDER_NONE &&
		    !vec_push(&m->path, (struct key){ .frame = f, .border = true }))
			return false;
		if ((hidden || !f->hidden) && !vec_push(&m->path, (struct key){ .frame = f }))
			return false;
	}
	return true;
}

/* Most threads go the way of the one before: that is tried before anything is hashed. */
static bool add_path(struct merger *m, int thread)
{
	struct merge_node *node = m->root;
	bool together = true;

	for (size_t i = 0; i < m->path.len; i++) {
		const struct key *k = &m->path.items[i];
		together = together && i < m->previous.len && is_node(m->previous.items[i], k);
		if (!together)
			m->previous.len = i;
		struct merge_node *callee =
			together ? m->previous.items[i] : get_callee(m, node, k);
		if (!callee || !vec_push(&callee->threads, thread) ||
		    (m->keeps_frames && !vec_push(&callee->frames, k->frame)))
			return false;
		if (!together && !vec_push(&m->previous, callee))
			return false;
		node = callee;
	}
	m->previous.len = m->path.len;
	return vec_push(&m->root->threads, thread) && vec_push(&node->here, thread);
}

static bool add_stacks(struct merger *m, const struct stitched *s, bool hidden)
{
	vec_for_each (stack, &s->stacks) {
		if (!read_path(m, stack, hidden) || !add_path(m, stack->thread))
			return false;
	}
	return true;
}

struct error *merge_stacks(const struct stitched *s, bool hidden, bool frames,
			   struct merge_node **ret)
{
	AUTO_MERGE *root = calloc(1, sizeof(*root));
	struct merger m = { .root = root, .keeps_frames = frames };

	if (!root)
		return &error_nomem;
	bool done = add_stacks(&m, s, hidden);
	map_fini(&m.nodes);
	vec_fini(&m.path);
	vec_fini(&m.previous);
	if (!done)
		return &error_nomem;
	*ret = TAKE(root);
	return NULL;
}

/* Stacks may be a million frames deep: no recursion. */
void merge_free(struct merge_node *root)
{
	while (root) {
		struct merge_node *next = root->next;
		vec_fini(&root->threads);
		vec_fini(&root->frames);
		vec_fini(&root->here);
		vec_fini(&root->callees);
		free(root);
		root = next;
	}
}

/* Thread sets ----------------------------------------------------------------------------- */

struct member {
	long team, number; /* in no team the number is the LWP */
};

/* In the place of teams. */
#define HELPERS (LONG_MAX - 1)
#define OUTSIDE LONG_MAX

static struct member member_of(const struct picture *p, int thread)
{
	const struct picture_thread *t = picture_thread(p, thread);

	if (picture_is_numbered(t))
		return (struct member){ picture_region_id(p, t->region), t->number };
	return (struct member){ t->role == ROLE_HELPER ? HELPERS : OUTSIDE, t->lwp };
}

static int compare_members(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->team != y->team)
		return x->team < y->team ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static void add_team(struct buf *out, long team, const long *numbers, size_t len)
{
	if (team >= HELPERS) {
		buf_adds(out, team == HELPERS ? "hidden helper " : "");
		buf_adds(out, len == 1 ? "thread " : "threads ");
		text_add_ranges(out, numbers, len, ' ');
		return;
	}
	buf_addf(out, len == 1 ? "%ld." : "%ld.[", team);
	text_add_ranges(out, numbers, len, ',');
	if (len > 1)
		buf_addc(out, ']');
}

void merge_add_thread_set(struct buf *out, const struct picture *p, const int *threads, size_t len)
{
	AUTO_FREE struct member *members = calloc(len ? len : 1, sizeof(*members));
	AUTO_FREE long *numbers = calloc(len ? len : 1, sizeof(*numbers));

	if (!members || !numbers) {
		out->failed = true;
		return;
	}
	for (size_t i = 0; i < len; i++)
		members[i] = member_of(p, threads[i]);
	qsort(members, len, sizeof(*members), compare_members);
	for (size_t i = 0; i < len; i++)
		numbers[i] = members[i].number;
	for (size_t i = 0, end; i < len; i = end) {
		for (end = i + 1; end < len && members[end].team == members[i].team; end++)
			;
		if (i)
			buf_addc(out, ' ');
		add_team(out, members[i].team, numbers + i, end - i);
	}
}

void merge_add_holder(struct buf *out, const struct picture *p, const struct picture_wait *w)
{
	struct ints threads = { 0 };

	if (!w->ncandidates) {
		merge_add_thread_set(out, p, &w->holder, 1);
		return;
	}
	for (size_t i = 0; i < w->ncandidates; i++)
		out->failed |= !vec_push(&threads, picture_candidate(p, w, i));
	buf_adds(out, "one of ");
	merge_add_thread_set(out, p, threads.items, threads.len);
	vec_fini(&threads);
}
