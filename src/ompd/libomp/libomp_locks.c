/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/libomp/libomp_locks.h"

#include <stdlib.h>

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

/* What is known of one of the runtime's numbers. */
enum { NUMBER_GIVEN = 1 << 0, NUMBER_WAITS = 1 << 1 };

struct queue {
	const struct queuing_lock *lock;
	struct libomp_task_layout layout;
	uint8_t *numbers; /* borrowed */
	int32_t len;      /* of them */
};

/*
 * A number, plus one, of a thread that there is: nothing else is read, as it may not be in memory
 * that was taken.
 */
static bool is_given(const struct queue *q, int32_t at)
{
	return at > 0 && at <= q->len && q->numbers[at - 1] & NUMBER_GIVEN;
}

static bool read_link(const struct queue *q, int32_t number, size_t link, int32_t *ret)
{
	const taddr info = libomp_taskdata_info_of_number(&q->layout, number);

	return info && memory_try_read(q->layout.memory, info + link, ret, sizeof(*ret));
}

/*
 * Follows the queue, if that is where threads have th_next_waiting in their kmp_info_t: the number
 * of the next one, plus one; the last one has 0. mark: what is to be noted of who is in it.
 */
static bool follow(const struct queue *q, size_t link, uint8_t mark)
{
	int32_t at = q->lock->head, next;

	for (int32_t i = 0; i < q->len && is_given(q, at) && read_link(q, at - 1, link, &next);
	     i++, at = next) {
		q->numbers[at - 1] |= mark;
		if (!next)
			return at == q->lock->tail;
	}
	return false;
}

/* Who is in it by any of the links that lead to its end. false: none does. */
static bool read_queue(const struct queue *q)
{
	int32_t words[LIBOMP_INFO_BYTES / sizeof(int32_t)];
	bool any = false;

	const taddr first = is_given(q, q->lock->head)
				    ? libomp_taskdata_info_of_number(&q->layout, q->lock->head - 1)
				    : 0;
	if (!first || !memory_try_read(q->layout.memory, first, words, sizeof(words)))
		return false;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		const size_t link = i * sizeof(*words);
		if (is_given(q, words[i]) && follow(q, link, 0))
			any = follow(q, link, NUMBER_WAITS);
	}
	return any;
}

static void find_numbers(const struct walk *w, const struct libomp_symbols *symbols,
			 struct queue *ret)
{
	int number;

	for (size_t i = 0; i < w->target->threads.len; i++) {
		if (libomp_symbols_gtid(symbols, w->target->threads.items[i], &number) &&
		    number >= 0 && number < ret->len)
			ret->numbers[number] |= NUMBER_GIVEN;
	}
}

/* Each queue is read once, for all that wait. NULL: it cannot be, or memory is out. */
static const uint8_t *find_queue(struct walk *w, const struct libomp_symbols *symbols,
				 const struct queuing_lock *lock)
{
	struct queue q = { .lock = lock, .len = (int32_t)(w->target->threads.len + SPARE_NUMBERS) };

	vec_for_each (known, &w->queues) {
		if (known->lock == lock->self)
			return known->numbers;
	}
	AUTO_FREE uint8_t *numbers = q.numbers = calloc((size_t)q.len, 1);
	const bool fits = libomp_task_layout_read(symbols, w->target->memory, &q.layout);
	w->failed |= !numbers;
	if (!w->failed)
		find_numbers(w, symbols, &q);
	if (!w->failed && !(fits && read_queue(&q)))
		free(TAKE(numbers));
	w->failed = w->failed || !vec_push(&w->queues, (struct lock_queue){ lock->self, numbers });
	return w->failed ? NULL : TAKE(numbers);
}

/* Who gives a lock back takes the first one out of the queue, and then tells it so. */
static bool has_left(struct walk *w, const struct libomp_symbols *symbols, int thread,
		     const struct queuing_lock *lock)
{
	int number;

	if (!libomp_symbols_gtid(symbols, w->target->threads.items[thread], &number))
		return false;
	if (lock->head == lock->tail)
		return lock->head != number + 1;
	const uint8_t *numbers = find_queue(w, symbols, lock);
	return numbers && number >= 0 &&
	       !((size_t)number < w->target->threads.len + SPARE_NUMBERS &&
		 numbers[number] & NUMBER_WAITS);
}

/* false: the thread has none in hand. Who waits is in the queue. */
static bool find_passed(struct walk *w, int thread, const struct span *span, bool *ret_passed)
{
	const struct libomp_symbols *symbols = symbols_of(w, thread, span);
	struct queuing_lock lock;

	if (!symbols || !find_queuing(w, thread, span, &lock))
		return false;
	*ret_passed = !lock.tail || has_left(w, symbols, thread, &lock);
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
