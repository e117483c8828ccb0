/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/still_lines.h"

#include <stdlib.h>

#include "base/sorted.h"

/* In lines, if nothing else is said. */
enum {
	PAGE = MEMORY_PAGE / MEMORY_LINE,
	STACK_LINES = 64 * PAGE, /* of one thread at most                                   */
	STACK_LEAST = 1 * PAGE,  /* and at least                                            */
	STACKS_LINES = 1 << 11,  /* of all threads together, else                           */
	SLOT_LINES = 2 * PAGE,   /* of each module                                          */
	RED_ZONE = 128,          /* bytes below the stack pointer (x86-64 psABI, 3.2.2)     */
	LOCAL = 2048,            /* bytes of thread-local variables, and of the first frames */
	PTHREAD = 2304,          /* of glibc's struct pthread, behind them                  */
	IN_HAND = 96,            /* words of a stack that may be pointers to what is in use  */
	IN_HAND_BYTES = 48,      /* of that                                                 */
	IN_HAND_THREADS = 256,   /* at most                                                 */
	REGISTERS = 32,
};

static int compare_lines(const void *a, const void *b)
{
	return sorted_order(*(const taddr *)a, *(const taddr *)b);
}

static bool add_range(struct line_list *lines, taddr from, taddr to, size_t most)
{
	taddr line = from & ~(taddr)(MEMORY_LINE - 1);
	bool ok = true;

	for (size_t n = 0; ok && line < to && n < most; n++, line += MEMORY_LINE)
		ok = vec_push(lines, line);
	return ok;
}

void still_lines_sort(struct line_list *l)
{
	size_t n = 0;

	if (l->len)
		qsort(l->items, l->len, sizeof(*l->items), compare_lines);
	for (size_t i = 0; i < l->len; i++) {
		if (!n || l->items[n - 1] != l->items[i])
			l->items[n++] = l->items[i];
	}
	l->len = n;
}

/* What a thread waits for: what its system call is about, or what it polls. */
static bool add_pointed(const struct target *t, const struct map_list *maps,
			const struct thread *th, struct line_list *ret)
{
	const struct arch *arch = t->arch;
	bool in_call = (int64_t)arch_get(arch->call_number, th->general) >= 0;
	const struct reg *const *regs = in_call ? arch->call_args : arch->code_regs;
	size_t n = in_call ? 1 : arch->ncode_regs;
	bool ok = true;

	for (size_t i = 0; ok && i < n; i++) {
		taddr at = arch_get(regs[i], th->general);
		const struct map *map = map_list_find(maps, at);
		if (map && map->flags & MAP_WRITE)
			ok = add_range(ret, at, at + 1, 1);
	}
	return ok;
}

/* By the mappings of a moment ago: a stack that is not there yet is missed, as others are. */
static bool add_stack(const struct target *t, const struct map_list *maps, const struct thread *th,
		      size_t most, struct line_list *ret)
{
	const struct arch *arch = t->arch;

	if (!th->general_valid)
		return true;
	taddr sp = arch_get(arch->sp, th->general);
	taddr tp = arch_get(arch->thread_pointer, th->general);
	const struct map *map = map_list_find(maps, sp);
	return (!map || add_range(ret, sp - RED_ZONE, map->end, most)) &&
	       (!tp || add_range(ret, tp - LOCAL, tp + PTHREAD, STACK_LINES)) &&
	       add_pointed(t, maps, th, ret);
}

/* Where what modules write begins are the slots through which they call each other. */
static bool add_slots(const struct map_list *maps, struct line_list *ret)
{
	bool ok = true;

	vec_for_each (map, maps) {
		if (map->flags & MAP_WRITE && map->path[0] == '/')
			ok = ok && add_range(ret, map->start, map->end, SLOT_LINES);
	}
	return ok;
}

/* What is taken of each of so many threads. */
static size_t stack_lines(size_t threads)
{
	size_t n = STACKS_LINES / (threads + 1) + STACK_LEAST;

	return n < STACK_LINES ? n : STACK_LINES;
}

/* Where what add_stack() has taken of a stack ends. */
static taddr end_of_taken(const struct map_list *maps, taddr sp, size_t most)
{
	const struct map *map = map_list_find(maps, sp);
	const taddr end = ((sp - RED_ZONE) & ~(taddr)(MEMORY_LINE - 1)) + most * MEMORY_LINE;

	return !map ? sp : end < map->end ? end : map->end;
}

/* What a thread may have in hand: in registers, and in the frames furthest in. */
static bool add_in_hand(const struct target *t, const struct map_list *maps,
			const struct thread *th, size_t most, struct line_list *ret)
{
	const struct arch *arch = t->arch;
	const taddr lowest = maps->len ? maps->items[0].start : 0;
	const struct map *map = NULL;
	taddr words[IN_HAND + REGISTERS];
	size_t n = IN_HAND;
	bool ok = true;

	if (!th->general_valid || arch->ncode_regs > REGISTERS)
		return true;
	const taddr sp = arch_get(arch->sp, th->general), end = end_of_taken(maps, sp, most);
	if (!memory_try_read(t->memory, sp, words, IN_HAND * sizeof(*words)))
		n = 0;
	for (size_t i = 0; i < arch->ncode_regs; i++)
		words[n++] = arch_get(arch->code_regs[i], th->general);
	for (size_t i = 0; ok && i < n; i++) {
		/* Most words are numbers, and of pointers most lead to where the one before does.
		 */
		if (words[i] < lowest || (words[i] >= sp && words[i] + IN_HAND_BYTES <= end))
			continue;
		if (!map || words[i] - map->start >= map->end - map->start)
			map = map_list_find(maps, words[i]);
		if (map && map->flags & MAP_WRITE)
			ok = add_range(ret, words[i], words[i] + IN_HAND_BYTES, 2);
	}
	return ok;
}

bool still_lines_usual(const struct target *t, const struct map_list *maps, struct line_list *ret)
{
	const size_t n = t->threads.len, most = stack_lines(n);
	bool ok = add_slots(maps, ret);

	for (size_t i = 0; ok && i < n; i++)
		ok = add_stack(t, maps, t->threads.items[i], most, ret);
	return ok;
}

bool still_lines_in_hand(const struct target *t, const struct map_list *maps, struct line_list *ret)
{
	const size_t most = stack_lines(t->threads.len);
	bool ok = true;

	for (size_t i = 0; ok && i < t->threads.len && i < IN_HAND_THREADS; i++)
		ok = add_in_hand(t, maps, t->threads.items[i], most, ret);
	still_lines_sort(ret);
	return ok;
}
