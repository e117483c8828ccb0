/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/gomp/queue.h"

/*
 * priority_queue: { root of a splay tree, priority_list }; the list counts while there is no tree.
 * priority_list: { priority, first node, last task that its parent waits for }.
 * prio_splay_tree_node: { priority_list, left, right }.
 */
enum {
	QUEUE_ROOT = 0,
	QUEUE_LIST = 8,
	LIST_FIRST = 8,
	NODE_LEFT = 24,
	NODE_RIGHT = 32,
	NODE_SIZE = 40
};

/* More priorities than any program has. */
enum { MAX_PENDING = 1024 };

bool gomp_queue_has_priorities(const ompd_address_space_handle_t *space, const uint8_t *queue)
{
	return space->layout->priorities && gomp_u64(queue + QUEUE_ROOT);
}

static bool walk_ring(struct gomp_queue_walk *walk, uint64_t first, enum gomp_queue kind,
		      bool *ret_more)
{
	const struct gomp_layout *l = walk->space->layout;
	uint64_t at = first;

	while (at && *ret_more) {
		uint64_t task = l->priorities ? at - l->links[kind] : at;

		if (!walk->budget)
			return false;
		walk->budget--;
		*ret_more = walk->found(walk->context, task);
		if (gomp_space_read_word(walk->space, task + l->links[kind], &at) != ompd_rc_ok)
			return false;
		if (at == first)
			break;
	}
	return true;
}

static bool push(uint64_t *pending, size_t *n, uint64_t node)
{
	if (!node)
		return true;
	if (*n == MAX_PENDING)
		return false;
	pending[(*n)++] = node;
	return true;
}

static bool walk_tree(struct gomp_queue_walk *walk, uint64_t root, enum gomp_queue kind)
{
	uint64_t pending[MAX_PENDING] = { root };
	bool complete = true, more = true;
	uint8_t node[NODE_SIZE];
	size_t n = 1;

	while (n && more) {
		uint64_t at = pending[--n];

		if (!walk->budget ||
		    gomp_space_read(walk->space, at, node, sizeof(node)) != ompd_rc_ok)
			return false;
		walk->budget--;
		complete &= push(pending, &n, gomp_u64(node + NODE_LEFT)) &&
			    push(pending, &n, gomp_u64(node + NODE_RIGHT));
		complete &= walk_ring(walk, gomp_u64(node + LIST_FIRST), kind, &more);
	}
	return complete;
}

bool gomp_queue_walk(struct gomp_queue_walk *walk, const uint8_t *queue, enum gomp_queue kind)
{
	bool more = true;

	if (!walk->space->layout->priorities)
		return walk_ring(walk, gomp_u64(queue), kind, &more);
	if (gomp_queue_has_priorities(walk->space, queue))
		return walk_tree(walk, gomp_u64(queue + QUEUE_ROOT), kind);
	return walk_ring(walk, gomp_u64(queue + QUEUE_LIST + LIST_FIRST), kind, &more);
}
