/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/job/outline.h"

#include <string.h>

#include "base/hash.h"
#include "base/sorted.h"
#include "base/text.h"

static void free_node(struct outline_node *node)
{
	vec_for_each (set, &node->sets) {
		free(set->threads);
		vec_fini(&set->ranks);
	}
	vec_fini(&node->sets);
	vec_fini(&node->inside);
	free(node->text);
	free(node->where);
	free(node);
}

void outline_fini(struct outline *o)
{
	for (struct outline_node *node = o->root, *next; node; node = next) {
		next = node->next;
		free_node(node);
	}
	map_fini(&o->nodes);
	*o = (struct outline){ 0 };
}

static struct outline_node *new_node(enum outline_kind kind, const char *text, const char *where)
{
	struct outline_node *node = calloc(1, sizeof(*node));

	if (!node)
		return NULL;
	node->kind = kind;
	node->text = strdup(text);
	node->where = strdup(where);
	if (node->text && node->where)
		return node;
	free_node(node);
	return NULL;
}

static struct outline_node *root_of(struct outline *o)
{
	if (!o->root)
		o->root = new_node(OUTLINE_FRAME, "", "");
	return o->root;
}

static bool is_same(const struct outline_node *n, const struct outline_node *parent,
		    enum outline_kind kind, const char *text, const char *where)
{
	return n->parent == parent && n->kind == kind && text_same(n->text, text) &&
	       text_same(n->where, where);
}

struct outline_node *outline_add(struct outline *o, struct outline_node *parent,
				 enum outline_kind kind, const char *text, const char *where)
{
	if (!parent)
		parent = root_of(o);
	if (!parent)
		return NULL;
	const uint64_t hash = hash_add(hash_add(HASH_START, map_key(parent)), kind);
	struct map_item *item = map_add(&o->nodes, hash_text(hash_text(hash, text), where));
	for (struct outline_node *n = item ? item->pointer : NULL; n; n = n->same_hash) {
		if (is_same(n, parent, kind, text, where))
			return n;
	}
	struct outline_node *node = item ? new_node(kind, text, where) : NULL;
	if (!node)
		return NULL;
	if (!vec_push(&parent->inside, node)) {
		free_node(node);
		return NULL;
	}
	node->parent = parent;
	node->next = o->root->next;
	o->root->next = node;
	node->same_hash = item->pointer;
	item->pointer = node;
	o->len++;
	return node;
}

static struct outline_set *get_set(struct outline_node *node, const char *threads, size_t n)
{
	struct outline_set set = { .n = n };

	vec_for_each (s, &node->sets) {
		if (s->n == n && !strcmp(s->threads, threads))
			return s;
	}
	set.threads = strdup(threads);
	if (set.threads && vec_push(&node->sets, set))
		return &node->sets.items[node->sets.len - 1];
	free(set.threads);
	return NULL;
}

bool outline_add_set(struct outline_node *node, const char *threads, size_t n, const long *ranks,
		     size_t nranks)
{
	struct outline_set *set = get_set(node, threads, n);
	bool whole = set != NULL;

	for (size_t i = 0; whole && i < nranks; i++)
		whole = vec_push(&set->ranks, ranks[i]);
	node->threads += n * nranks;
	return whole;
}

static int by_number(const void *a, const void *b)
{
	const long x = *(const long *)a, y = *(const long *)b;

	return sorted_order(x, y);
}

static int by_first_rank(const void *a, const void *b)
{
	const struct outline_set *x = a, *y = b;

	return sorted_order(*x->ranks.items, *y->ranks.items);
}

static int by_threads(const void *a, const void *b)
{
	const struct outline_node *x = *(struct outline_node *const *)a;
	const struct outline_node *y = *(struct outline_node *const *)b;
	const int order = sorted_order(x->threads, y->threads);

	return order ? order : by_first_rank(x->sets.items, y->sets.items);
}

void outline_sort(struct outline *o)
{
	for (struct outline_node *node = o->root; node; node = node->next) {
		vec_for_each (set, &node->sets)
			qsort(set->ranks.items, set->ranks.len, sizeof(*set->ranks.items),
			      by_number);
		if (node->sets.len)
			qsort(node->sets.items, node->sets.len, sizeof(*node->sets.items),
			      by_first_rank);
	}
	for (struct outline_node *node = o->root; node; node = node->next) {
		if (node->inside.len)
			qsort(node->inside.items, node->inside.len, sizeof(*node->inside.items),
			      by_threads);
	}
}
