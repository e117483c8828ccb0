/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/libomp/libomp_locks.h"

#include "ompd/libomp/libomp_taskdata.h"

enum {
	STACK_MAX = 16 * 1024, /* bytes of the frames that wait; some hundred are usual          */
	SPARE_NUMBERS = 64,    /* of threads that there are not                                  */
};

/* LLVM's kmp_lock.h, kmp_base_queuing_lock: the same in LLVM 9 to 22. */
struct queuing_lock {
	uint64_t self;
	uint64_t location;
	int32_t tail,
		head; /* numbers of threads that wait, plus one; head -1: held, nobody waits */
	uint32_t next_ticket, now_serving;
	int32_t owner; /* of a nest lock: number of the thread, plus one; 0: free */
	int32_t depth; /* how often it holds it; -1: no nest lock  */
};

/* Also one for which nobody waits. */
static bool read_queuing(const struct walk *w, taddr at, struct queuing_lock *ret)
{
	return at && at % 8 == 0 && memory_try_read(w->target->memory, at, ret, sizeof(*ret)) &&
	       ret->self == at && ret->depth >= -1 && ret->owner >= 0 && ret->tail >= 0 &&
	       ret->head >= -1 && (ret->tail > 0) == (ret->head > 0);
}

/* NULL: none, or the runtime does not know the thread. */
static const struct libomp_symbols *symbols_of(const struct walk *w, int thread,
					       const struct span *span)
{
	const struct openmp *o = walk_session(w, thread, span);

	return o ? o->context.own : NULL;
}

static int find_number(struct walk *w, const struct libomp_symbols *symbols, int number)
{
	int its;

	for (size_t i = 0; i < w->target->threads.len; i++) {
		if (libomp_symbols_gtid(symbols, w->target->threads.items[i], &its) &&
		    its == number)
			return (int)i;
	}
	return -1;
}

bool libomp_locks_read(struct walk *w, const struct libomp_symbols *symbols, taddr at,
		       struct libomp_lock *ret)
{
	struct queuing_lock lock;

	if (!read_queuing(w, at, &lock))
		return false;
	const bool nested = lock.depth >= 0, held = nested ? lock.owner > 0 : lock.head != 0;
	*ret = (struct libomp_lock){
		.state = held ? LOCK_HELD : LOCK_FREE,
		.holder = nested && held ? find_number(w, symbols, lock.owner - 1) : -1,
		.depth = nested && held ? lock.depth : 0,
	};
	return true;
}

/* Whether it need not be searched any further. */
static bool take_queuing(const struct walk *w, taddr at, bool *found, struct queuing_lock *ret)
{
	struct queuing_lock lock;

	if (!read_queuing(w, at, &lock))
		return false;
	if (!*found || lock.tail)
		*ret = lock;
	*found = true;
	return lock.tail != 0;
}

/* Who has not begun to wait may have it there alone. */
static bool find_in_registers(const struct walk *w, struct thread *th, bool *found,
			      struct queuing_lock *ret)
{
	const struct arch *arch = w->target->arch;
	uint64_t word;

	for (size_t i = 0; i < arch->ncode_regs; i++) {
		struct error *err = target_get_uint(w->target, th, arch->code_regs[i], &word);
		if (!err && take_queuing(w, word, found, ret))
			return true;
		error_ignore(err);
	}
	return false;
}

/*
 * The lock whose address is in registers or in the frames of the runtime in which the thread waits:
 * one for which somebody waits, if there is one.
 */
static bool find_queuing(struct walk *w, int thread, const struct span *span,
			 struct queuing_lock *ret)
{
	const struct unwind_stack *raw = &w->raw[thread];
	struct thread *th = w->target->threads.items[thread];
	uint64_t sp = 0, word;
	bool found = false;

	if (!symbols_of(w, thread, span) || !span->outer || span->outer > raw->len)
		return false;
	if (find_in_registers(w, th, &found, ret))
		return true;
	error_ignore(target_get_uint(w->target, th, w->target->arch->sp, &sp));
	taddr end = raw->items[span->outer - 1].cfa;
	for (taddr at = sp & ~UINT64_C(7); at < end && at - sp < STACK_MAX; at += sizeof(word)) {
		if (memory_try_read(w->target->memory, at, &word, sizeof(word)) &&
		    take_queuing(w, word, &found, ret))
			break;
	}
	return found;
}

static int queuing_holder(struct walk *w, int thread, const struct span *span)
{
	struct queuing_lock lock;

	if (!find_queuing(w, thread, span, &lock) || lock.tail <= 0 || lock.depth <= 0 ||
	    lock.owner <= 0)
		return -1;
	return find_number(w, symbols_of(w, thread, span), lock.owner - 1);
}

taddr libomp_locks_inner(struct walk *w, int thread, const struct span *span)
{
	struct queuing_lock lock;

	return find_queuing(w, thread, span, &lock) && lock.tail > 0 ? lock.self : 0;
}

/* ---- queues ----------------------------------------------------------------------------- */

struct queue {
	struct memory *memory;
	const struct libomp_symbols *symbols;
	struct libomp_task_layout layout;
	struct queuing_lock lock;
	size_t most; /* threads there are: no more are in it */
};

static bool read_link(const struct queue *q, int number, size_t link, int32_t *ret)
{
	const taddr info = libomp_taskdata_info_of_number(&q->layout, q->symbols, number);

	return info && memory_try_read(q->memory, info + link, ret, sizeof(*ret)) && *ret >= 0;
}

/*
 * Follows the queue, if that is where threads have th_next_waiting in their kmp_info_t: the number
 * of the next one, plus one; the last one has 0. *ret_found: a thread is in it.
 */
static bool follow(const struct queue *q, size_t link, int number, bool *ret_found)
{
	int32_t at = q->lock.head, next;

	*ret_found = false;
	/* Numbers are given away anew: there are none that are much greater than that. */
	for (size_t i = 0; i < q->most && at <= (int32_t)q->most + SPARE_NUMBERS &&
			   read_link(q, at - 1, link, &next);
	     i++, at = next) {
		*ret_found |= at - 1 == number;
		if (!next)
			return at == q->lock.tail;
	}
	return false;
}

/* Who gives a lock back takes the first one out of the queue, and then tells it so. */
static bool has_left(const struct queue *q, int number)
{
	const taddr first =
		libomp_taskdata_info_of_number(&q->layout, q->symbols, q->lock.head - 1);
	int32_t words[LIBOMP_INFO_BYTES / sizeof(int32_t)];
	bool found, left = false;

	if (q->lock.head == q->lock.tail)
		return q->lock.head != number + 1;
	if (!first || !memory_try_read(q->memory, first, words, sizeof(words)))
		return false;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (words[i] <= 0 || !follow(q, i * sizeof(*words), number, &found))
			continue;
		if (found)
			return false;
		left = true;
	}
	return left;
}

/* false: the thread has none in hand. Who waits is in the queue. */
static bool find_passed(struct walk *w, int thread, const struct span *span, bool *ret_passed)
{
	struct queue q = { .memory = w->target->memory,
			   .symbols = symbols_of(w, thread, span),
			   .most = w->target->threads.len };
	int number;

	if (!q.symbols || !find_queuing(w, thread, span, &q.lock))
		return false;
	*ret_passed = !q.lock.tail ||
		      (libomp_task_layout_read(q.symbols, w->target->memory, &q.layout) &&
		       libomp_symbols_gtid(q.symbols, w->target->threads.items[thread], &number) &&
		       has_left(&q, number));
	return true;
}

/* ---- direct locks ----------------------------------------------------------------------- */

/*
 * The word of a direct lock: its sort in the lowest eight bits, odd where an index is even, and
 * above them the number of the owner, plus one, which a futex lock has one bit further up.
 */
enum { DIRECT_SORT = 0xff, DIRECT_SHIFT = 8, DIRECT_TAS = 3, DIRECT_FUTEX = 5 };

enum lock_state libomp_locks_state(uint32_t word)
{
	const uint32_t sort = word & DIRECT_SORT;

	if (sort != DIRECT_TAS && sort != DIRECT_FUTEX)
		return LOCK_UNKNOWN;
	return word >> DIRECT_SHIFT ? LOCK_HELD : LOCK_FREE;
}

bool libomp_locks_find_passed(struct walk *w, int thread, const struct span *span, bool *ret_passed)
{
	const taddr lock = picture_thread(w->picture, thread)->wait.object;
	enum lock_state state = LOCK_UNKNOWN;
	uint32_t word;

	if (lock && memory_try_read(w->target->memory, lock, &word, sizeof(word)))
		state = libomp_locks_state(word);
	*ret_passed = state == LOCK_FREE;
	return state != LOCK_UNKNOWN || find_passed(w, thread, span, ret_passed);
}

static int direct_holder(struct walk *w, int thread, const struct span *span, taddr lock)
{
	const struct libomp_symbols *symbols = symbols_of(w, thread, span);
	uint32_t word;

	if (!symbols || !lock || !memory_try_read(w->target->memory, lock, &word, sizeof(word)))
		return -1;
	uint32_t owner = word >> DIRECT_SHIFT;
	if ((word & DIRECT_SORT) == DIRECT_FUTEX)
		owner >>= 1;
	else if ((word & DIRECT_SORT) != DIRECT_TAS)
		return -1;
	return owner ? find_number(w, symbols, (int)owner - 1) : -1;
}

int libomp_locks_holder(struct walk *w, int thread, const struct span *span)
{
	const struct picture_wait *wait = &picture_thread(w->picture, thread)->wait;
	int holder = wait->kind == WAIT_NEST_LOCK ? queuing_holder(w, thread, span) : -1;

	if (holder >= 0 || !wait_kind_traits(wait->kind)->is_lock)
		return holder;
	return direct_holder(w, thread, span, wait->object);
}
