/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/libomp_locks.h"

enum { STACK_MAX = 16 * 1024 }; /* bytes of the frames that wait; some hundred are usual */

/* LLVM's kmp_lock.h, kmp_base_queuing_lock: the same in LLVM 9 to 22. */
struct queuing_lock {
	uint64_t self;
	uint64_t location;
	int32_t tail,
		head; /* numbers of threads that wait, plus one; head -1: held, nobody waits */
	uint32_t next_ticket, now_serving;
	int32_t owner; /* number of the thread, plus one; 0: free */
	int32_t depth; /* how often it holds it; -1: no nest lock  */
};

static bool read_held(const struct walk *w, taddr at, struct queuing_lock *ret)
{
	return at && at % 8 == 0 && memory_try_read(w->target->memory, at, ret, sizeof(*ret)) &&
	       ret->self == at && ret->depth > 0 && ret->owner > 0 && ret->tail > 0 &&
	       ret->head > 0;
}

static int find_number(struct walk *w, struct libomp_symbols *symbols, int number)
{
	int its;

	for (size_t i = 0; i < w->target->threads.len; i++) {
		if (libomp_symbols_gtid(symbols, w->target->threads.items[i], &its) &&
		    its == number)
			return (int)i;
	}
	return -1;
}

int libomp_locks_holder(struct walk *w, int thread, size_t frames)
{
	const struct unwind_stack *raw = &w->raw[thread];
	int runtime = w->picture->threads.items[thread].runtime;
	struct libomp_symbols *symbols = runtime >= 0 ? w->known[runtime].openmp->symbols : NULL;
	uint64_t sp = 0, word;
	struct queuing_lock lock;

	if (!symbols || !frames || frames > raw->len)
		return -1;
	error_ignore(target_get_uint(w->target, w->target->threads.items[thread],
				     w->target->arch->sp, &sp));
	taddr end = raw->items[frames - 1].cfa;
	for (taddr at = sp & ~UINT64_C(7); at < end && at - sp < STACK_MAX; at += sizeof(word)) {
		if (memory_try_read(w->target->memory, at, &word, sizeof(word)) &&
		    read_held(w, word, &lock))
			return find_number(w, symbols, lock.owner - 1);
	}
	return -1;
}
