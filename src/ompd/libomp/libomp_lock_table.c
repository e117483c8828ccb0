/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/libomp/libomp_lock_table.h"

#include "ompd/libomp/libomp_image.h"
#include "ompd/libomp/libomp_locks.h"

enum {
	ROW = 1024,           /* KMP_I_LOCK_CHUNK       */
	LOCKS_MOST = 1 << 16, /* that are looked at     */
	KINDS_MOST = 16,
};

/* kmp_indirect_lock_t */
struct entry {
	taddr lock;
	uint32_t kind, pad;
};

struct search {
	struct walk *w;
	const struct libomp_image *image;
	const struct libomp_symbols *symbols;
};

/*
 * How many locks there have been, of a table whose rows are pointed to at "at"; 0: it is none.
 * Behind the pointer is the room, in LLVM 13 as locks, later as rows, and then that number. What
 * does not fit into the room is in another table, which is not looked at.
 */
static uint32_t count_of(const struct search *s, taddr at)
{
	uint64_t room, n;

	if (!libomp_image_has(s->image, at, 16) || !libomp_image_uint(s->image, at + 8, 4, &room) ||
	    !libomp_image_uint(s->image, at + 12, 4, &n))
		return 0;
	room *= room % ROW ? ROW : 1;
	return n <= room && n <= LOCKS_MOST ? (uint32_t)n : 0;
}

/* false: it is none that has ever been made. */
static bool read_entry(const struct search *s, taddr rows, uint32_t number, struct entry *ret)
{
	struct memory *memory = s->w->target->memory;
	taddr row;

	return memory_try_read(memory, rows + sizeof(row) * (number / ROW), &row, sizeof(row)) &&
	       libomp_image_is_heap(s->image, row) &&
	       memory_try_read(memory, row + sizeof(*ret) * (number % ROW), ret, sizeof(*ret)) &&
	       libomp_image_is_heap(s->image, ret->lock) && ret->kind < KINDS_MOST;
}

/* A lock that is gone, or of another kind, is none any more. */
static bool is_table(const struct search *s, taddr at, taddr *ret_rows, uint32_t *ret_count)
{
	struct libomp_lock lock;
	uint64_t rows;
	const uint32_t n = count_of(s, at);
	bool all = true, some = false;

	if (!n || !libomp_image_uint(s->image, at, 8, &rows) ||
	    !libomp_image_is_heap(s->image, rows))
		return false;
	for (uint32_t i = 0; all && i < n; i++) {
		struct entry entry;
		all = read_entry(s, rows, i, &entry);
		some = some || (all && libomp_locks_read(s->w, s->symbols, entry.lock, &lock));
	}
	*ret_rows = rows;
	*ret_count = n;
	return all && some;
}

/* What else points to such rows: the table is one of the variables, and there is no other. */
static uint32_t find_rows(const struct search *s, taddr *ret)
{
	const struct libomp_image *i = s->image;
	uint32_t found = 0;

	for (taddr at = (i->writable + 7) & ~UINT64_C(7); at + 16 <= i->writable_end; at += 8) {
		taddr rows;
		uint32_t n;
		if (at < i->start || at - i->start + 16 > i->size || !is_table(s, at, &rows, &n))
			continue;
		if (found)
			return 0;
		found = n;
		*ret = rows;
	}
	return found;
}

static void add_locks(const struct search *s)
{
	struct picture *p = s->w->picture;
	taddr rows = 0;
	const uint32_t n = find_rows(s, &rows);

	for (uint32_t i = 0; i < n; i++) {
		struct libomp_lock lock;
		struct entry entry;
		if (!read_entry(s, rows, i, &entry) ||
		    !libomp_locks_read(s->w, s->symbols, entry.lock, &lock))
			continue;
		/* The lowest bit tells such a word from a direct lock. */
		const struct picture_lock made = { i << 1, lock.state, lock.holder, lock.depth };
		s->w->failed |= !vec_push(&p->locks, made);
	}
}

static bool begin(struct search *ret, struct libomp_image *image, struct walk *w, int runtime)
{
	struct error *err = libomp_image_read(&w->runtimes, &w->runtimes.items[runtime], image);

	w->failed |= err != NULL;
	*ret = (struct search){ w, image, w->known[runtime].openmp->context.own };
	return !err && image->size && ret->symbols;
}

static bool find_entry(struct walk *w, int runtime, taddr object, struct entry *ret)
{
	struct libomp_image image = { 0 };
	struct search s;
	uint32_t word;
	taddr rows = 0;

	const bool found = memory_try_read(w->target->memory, object, &word, sizeof(word)) &&
			   begin(&s, &image, w, runtime) && word >> 1 < find_rows(&s, &rows) &&
			   read_entry(&s, rows, word >> 1, ret);
	libomp_image_fini(&image);
	return found;
}

/* The word of a critical construct is the address of such an entry, which is in no table. */
static bool read_critical(const struct walk *w, taddr object, struct entry *ret)
{
	taddr at;

	return memory_try_read(w->target->memory, object, &at, sizeof(at)) && at &&
	       memory_try_read(w->target->memory, at, ret, sizeof(*ret));
}

bool libomp_lock_table_has(struct walk *w, int thread)
{
	const struct picture_thread *th = picture_thread(w->picture, thread);
	struct libomp_lock lock;
	struct entry entry;

	if (th->runtime < 0 || !w->known[th->runtime].openmp)
		return false;
	const bool found = th->wait.kind == WAIT_CRITICAL
				   ? read_critical(w, th->wait.object, &entry)
				   : find_entry(w, th->runtime, th->wait.object, &entry);
	return found &&
	       libomp_locks_read(w, w->known[th->runtime].openmp->context.own, entry.lock, &lock);
}

void libomp_lock_table_add(struct walk *w, int runtime)
{
	struct libomp_image image = { 0 };
	struct search s;

	if (begin(&s, &image, w, runtime))
		add_locks(&s);
	libomp_image_fini(&image);
}
