/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/branches.h"

#include <stdlib.h>
#include <string.h>

/* Branches of one parent, of which those before "next" are in the list with all below them. */
struct level {
	VEC(struct branch) items;
	size_t next;
};

/* What is said of a thread. */
struct said {
	const char *text;
	int thread;
};

struct walk {
	const struct stitched *stitched;
	branch_say *say;
	const void *context;
	VEC(struct level) inside; /* from outside in                 */
	VEC(struct said) said;    /* of the threads at hand          */
	VEC(char *) texts;        /* owned; all that has been said   */
	struct branches out;
};

static void walk_fini(struct walk *w)
{
	vec_for_each (level, &w->inside)
		vec_fini(&level->items);
	vec_fini(&w->inside);
	vec_fini(&w->said);
	vec_fini_all(&w->texts);
	branches_fini(&w->out);
}

void branches_fini(struct branches *b)
{
	vec_fini(&b->list);
	vec_fini(&b->ends);
	vec_fini_all(&b->numbers);
}

/* Groups of threads ----------------------------------------------------------------------- */

static int compare_said(const void *a, const void *b)
{
	const struct said *x = a, *y = b;
	int order = strcmp(x->text, y->text);

	return order ? order : (x->thread > y->thread) - (x->thread < y->thread);
}

/* Adds a group for each thing that is said; w->out keeps the numbers of its threads. */
static bool group(struct walk *w, struct branch_groups *ret)
{
	const struct said *said = w->said.items;
	int *numbers = calloc(w->said.len + 1, sizeof(*numbers));
	bool whole = numbers && vec_push(&w->out.numbers, numbers);

	if (!whole) {
		free(numbers);
		return false;
	}
	if (said)
		qsort(w->said.items, w->said.len, sizeof(*said), compare_said);
	for (size_t i = 0, end; whole && i < w->said.len; i = end) {
		for (end = i; end < w->said.len && !strcmp(said[end].text, said[i].text); end++)
			numbers[end] = said[end].thread;
		whole = vec_push(ret, (struct branch_threads){ numbers + i, end - i });
	}
	return whole;
}

/* Of those threads whose stacks do not get to main(), for each reason why. */
static bool find_ends(struct walk *w, struct branch *b)
{
	bool whole = true;

	w->said.len = 0;
	b->first_end = w->out.ends.len;
	for (size_t i = 0; i < b->threads.len; i++) {
		int thread = b->threads.items[i];
		const char *end = w->stitched->stacks.items[thread].end;
		whole &= !end || vec_push(&w->said, (struct said){ end, thread });
	}
	whole = whole && group(w, &w->out.ends);
	b->ends = w->out.ends.len - b->first_end;
	return whole;
}

/* Of the threads whose stacks end at a node, by what is said of them. */
static bool find_staying(struct walk *w, const struct merge_node *node, struct branch_groups *ret)
{
	w->said.len = 0;
	vec_for_each (thread, &node->here) {
		struct buf text = { 0 };
		w->say(&text, w->context, *thread, !node->frame);
		buf_addc(&text, '\0');
		if (!buf_ok(&text) || !vec_push(&w->texts, text.data)) {
			buf_fini(&text);
			return false;
		}
		if (!vec_push(&w->said, (struct said){ text.data, *thread }))
			return false;
	}
	return group(w, ret);
}

/* Branches -------------------------------------------------------------------------------- */

static int compare_branches(const void *a, const void *b)
{
	const struct branch *x = a, *y = b;

	return (*x->threads.items > *y->threads.items) - (*x->threads.items < *y->threads.items);
}

/* What goes on behind a node. */
static bool fill_level(struct walk *w, const struct merge_node *node, int depth,
		       struct level *level)
{
	struct branch_groups staying = { 0 };
	bool whole = find_staying(w, node, &staying);

	vec_for_each (threads, &staying)
		whole = whole && vec_push(&level->items, (struct branch){ .threads = *threads });
	vec_fini(&staying);
	vec_for_each (callee, &node->callees) {
		struct branch_threads threads = { (*callee)->threads.items,
						  (*callee)->threads.len };
		whole = whole && vec_push(&level->items,
					  (struct branch){ .from = *callee, .threads = threads });
	}
	if (level->items.len)
		qsort(level->items.items, level->items.len, sizeof(*level->items.items),
		      compare_branches);
	for (size_t i = 0; i < level->items.len; i++) {
		level->items.items[i].depth = depth;
		level->items.items[i].more = i + 1 < level->items.len;
	}
	return whole;
}

static const struct merge_node *where_threads_part(const struct merge_node *node)
{
	while (!node->here.len && node->callees.len == 1)
		node = node->callees.items[0];
	return node;
}

/* Adds a branch to the list; what goes on behind it is a new level. */
static bool add_branch(struct walk *w, struct branch b)
{
	struct level below = { 0 };

	if (!b.from)
		return vec_push(&w->out.list, b);
	b.to = where_threads_part(b.from);
	bool whole = (b.depth || find_ends(w, &b)) && fill_level(w, b.to, b.depth + 1, &below);
	b.together = below.items.len == 1 && !below.items.items[0].from;
	whole = whole && vec_push(&w->out.list, b);
	if (whole && !b.together && vec_push(&w->inside, below))
		return true;
	vec_fini(&below.items);
	return whole && b.together;
}

static bool walk_tree(struct walk *w, const struct merge_node *root)
{
	struct level top = { 0 };
	bool whole = fill_level(w, root, 0, &top);

	if (!vec_push(&w->inside, top)) {
		vec_fini(&top.items);
		return false;
	}
	while (whole && w->inside.len) {
		struct level *level = &w->inside.items[w->inside.len - 1];
		if (level->next < level->items.len) {
			whole = add_branch(w, level->items.items[level->next++]);
			continue;
		}
		vec_fini(&level->items);
		w->inside.len--;
	}
	return whole;
}

struct error *branches_make(const struct merge_node *root, const struct stitched *s,
			    branch_say *say, const void *context, struct branches *ret)
{
	struct walk w = { .stitched = s, .say = say, .context = context };
	bool whole = walk_tree(&w, root);

	if (whole) {
		*ret = w.out;
		w.out = (struct branches){ 0 };
	}
	walk_fini(&w);
	return whole ? NULL : &error_nomem;
}
