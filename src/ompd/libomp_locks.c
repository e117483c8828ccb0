/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/libomp_locks.h"

/* LLVM's kmp_lock.h, kmp_base_queuing_lock: the same in LLVM 9 to 22. */
struct queuing_lock {
	uint64_t self;
	uint64_t location;
	int32_t tail, head; /* numbers of threads that wait, plus one */
	uint32_t next_ticket, now_serving;
	int32_t owner; /* number of the thread, plus one; 0: free */
	int32_t depth; /* how often it holds it; -1: no nest lock  */
};

static bool read_lock(struct walk *w, taddr nest_lock, struct queuing_lock *ret)
{
	struct memory *m = w->target->memory;
	uint64_t indirect, lock;

	return memory_try_read(m, nest_lock, &indirect, sizeof(indirect)) &&
	       memory_try_read(m, indirect, &lock, sizeof(lock)) &&
	       memory_try_read(m, lock, ret, sizeof(*ret)) && ret->self == lock && ret->depth > 0 &&
	       ret->owner > 0;
}

int libomp_locks_holder(struct walk *w, int thread, taddr nest_lock)
{
	int runtime = w->picture->threads.items[thread].runtime;
	struct libomp_symbols *symbols = runtime >= 0 ? w->known[runtime].openmp->symbols : NULL;
	struct queuing_lock lock;
	int number;

	if (!symbols || !read_lock(w, nest_lock, &lock))
		return -1;
	for (size_t i = 0; i < w->target->threads.len; i++) {
		if (libomp_symbols_gtid(symbols, w->target->threads.items[i], &number) &&
		    number == lock.owner - 1)
			return (int)i;
	}
	return -1;
}
