/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/libomp/libomp_threads.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"
#include "ompd/picture/by_address.h"

enum {
	GTID_DNE = -2,         /* KMP_GTID_DNE: what __kmp_gtid begins with               */
	NUMBERS_MAX = 8,       /* places where __kmp_gtid could be                       */
	MODULE_END = 1 << 20,  /* numbers of modules are below                            */
	ENTRIES_MAX = 1 << 21, /* of what might be the table, that are looked at            */
	TABLE_MOST = 1 << 13,  /* entries that are looked at without knowing a number      */
};

/* Places where a thread's number could be. */
struct numbers {
	struct libomp_number items[NUMBERS_MAX];
	size_t len;
	uint64_t named_offset; /* of __kmp_gtid, as a relocation says */
	bool named;
	const struct libomp_image *image;
};

/* ---- where the number is ---------------------------------------------------------------- */

static void add_number(struct numbers *w, uint64_t module, uint64_t offset)
{
	for (size_t i = 0; i < w->len; i++) {
		if (w->items[i].module == module && w->items[i].offset == offset)
			return;
	}
	if (w->len < NUMBERS_MAX)
		w->items[w->len++] = (struct libomp_number){ module, offset };
}

/* The linker that keeps the name is gold; others leave it out, as it is local. */
static bool note_relocation(void *context, taddr slot, uint32_t type, const char *name,
			    int64_t addend)
{
	struct numbers *w = context;
	const struct arch *arch = w->image->target->arch;
	bool named = !strcmp(name, "__kmp_gtid");
	uint64_t value;

	(void)addend;
	if ((*name && !named) ||
	    (type != arch->tls_module && type != arch->tls_offset && type != arch->tls_distance) ||
	    !libomp_image_uint(w->image, slot, 8, &value))
		return true;
	if (type == arch->tls_offset) {
		w->named_offset = value;
		w->named = true;
	} else if (type == arch->tls_distance) {
		add_number(w, 0, value);
	} else if (value && value < MODULE_END) {
		add_number(w, value, 0);
	}
	return true;
}

/* The only variable with the initial value of __kmp_gtid; 0 where several have it. */
static uint64_t offset_by_value(const struct libomp_image *i)
{
	const int32_t initial = GTID_DNE;
	AUTO_FREE uint8_t *block = malloc(i->tls_size + 1);
	uint64_t found = 0;
	size_t n = 0;

	if (!block || !memory_try_read(i->target->memory, i->tls, block, i->tls_size))
		return 0;
	for (size_t at = 0; at + sizeof(initial) <= i->tls_size; at += sizeof(initial)) {
		if (memcmp(block + at, &initial, sizeof(initial)) != 0)
			continue;
		found = at;
		n++;
	}
	return n == 1 ? found : 0;
}

/*
 * The vector of musl is another one. Before glibc 2.34 the library of threads, which is what is
 * known of the C library then, is one of its own.
 */
static bool has_glibc(const struct runtime_list *runtimes)
{
	return !runtimes->libc || exports_find(runtimes->libc, "gnu_get_libc_version") ||
	       exports_find(runtimes->libc, "__pthread_unwind");
}

static void find_numbers(const struct libomp_image *i, const struct runtime_list *runtimes,
			 struct numbers *ret)
{
	ret->image = i;
	if (!has_glibc(runtimes))
		return;
	error_ignore(exports_relocations(i->runtime->exports, note_relocation, ret));
	uint64_t offset = ret->named ? ret->named_offset : offset_by_value(i);
	for (size_t n = 0; n < ret->len; n++)
		ret->items[n].offset += ret->items[n].module ? offset : 0;
}

/*
 * The block of a module in glibc's vector (dtv_t of its sysdeps/x86_64/nptl/tls.h): entries of 16
 * bytes that begin with a pointer; the one before the first says how many there are, the first one
 * how new it is; 0 and -1: the thread has not touched its block yet.
 */
static bool find_block(const struct libomp_image *i, taddr pthread, uint64_t module, taddr *ret,
		       uint64_t *ret_generation)
{
	enum { ENTRY = 16 };
	uint64_t dtv, length, block;

	if (!libomp_image_uint(i, pthread + 8, 8, &dtv) || dtv < ENTRY ||
	    !libomp_image_uint(i, dtv, 8, ret_generation) ||
	    !libomp_image_uint(i, dtv - ENTRY, 8, &length) || module > length ||
	    length >= MODULE_END || !libomp_image_uint(i, dtv + ENTRY * module, 8, &block) ||
	    !block || block == UINT64_MAX)
		return false;
	*ret = block;
	return true;
}

/* oldest: of the vectors that count. */
static void read_number(const struct libomp_image *i, const struct libomp_number *number,
			uint64_t oldest, struct libomp_thread *th)
{
	taddr block = th->pthread;
	uint64_t gtid, generation = oldest;

	th->gtid = -1;
	th->variable = 0;
	if (number->module && !find_block(i, th->pthread, number->module, &block, &generation))
		return;
	if (generation < oldest)
		return;
	if (!libomp_image_uint(i, block + number->offset, 4, &gtid) || gtid >= LIBOMP_GTID_END)
		return;
	th->gtid = (int)gtid;
	th->variable = block + number->offset;
}

static void read_numbers(const struct libomp_image *i, const struct libomp_number *number,
			 struct libomp_threads *t)
{
	t->numbered = 0;
	for (size_t n = 0; n < t->len; n++) {
		read_number(i, number, t->generation, &t->items[n]);
		t->numbered += t->items[n].gtid >= 0;
	}
}

/*
 * Threads of a library that is gone live on, and have its block where those of the module that has
 * its number by now have theirs: leaves out those with the oldest vectors. false: all are alike.
 */
static bool drop_oldest(const struct libomp_image *i, const struct libomp_number *number,
			struct libomp_threads *t)
{
	uint64_t least = UINT64_MAX, most = 0, generation;
	taddr block;

	for (size_t n = 0; n < t->len && number->module; n++) {
		if (t->items[n].gtid < 0 ||
		    !find_block(i, t->items[n].pthread, number->module, &block, &generation))
			continue;
		least = generation < least ? generation : least;
		most = generation > most ? generation : most;
	}
	if (least >= most)
		return false;
	t->generation = least + 1;
	return true;
}

/* ---- the table, by numbers ---------------------------------------------------------------- */

struct table_search {
	const struct libomp_image *image;
	const struct libomp_threads_hints *hints;
	struct libomp_threads *threads;
	const struct by_address *by_pthread; /* NULL: the threads' numbers are known */
	size_t read;                         /* entries of tables so far             */
};

/* What entry gtid points to; 0: nothing. false: it is no entry of a table, or enough was read. */
static bool read_entry(struct table_search *s, taddr entries, uint64_t gtid, uint64_t *ret_info)
{
	return ++s->read <= ENTRIES_MAX &&
	       libomp_image_uint(s->image, entries + 8 * gtid, 8, ret_info) &&
	       (!*ret_info || libomp_image_is_heap(s->image, *ret_info));
}

static bool read_pthread(const struct table_search *s, taddr info, uint64_t *ret)
{
	return info && libomp_image_uint(s->image, info + s->hints->pthread, 8, ret);
}

/*
 * Every thread with a number is in the table, by its own pthread_t. A worker that is being made has
 * its number already when its maker has not written its pthread_t yet (__kmp_create_worker()).
 */
static bool agrees(struct table_search *s, taddr entries)
{
	const struct libomp_threads *t = s->threads;
	size_t proven = 0;

	for (size_t n = 0; n < t->len; n++) {
		const struct libomp_thread *th = &t->items[n];
		uint64_t info, pthread;
		if (th->gtid < 0)
			continue;
		if (!read_entry(s, entries, (uint64_t)th->gtid, &info) ||
		    !read_pthread(s, info, &pthread) || (pthread && pthread != th->pthread))
			return false;
		proven += pthread != 0;
	}
	return proven > 0;
}

/* ---- the table, without numbers ----------------------------------------------------------- */

/* Numbers the threads by the table; returns how many. It ends where no pointer is. */
static size_t number_by_table(struct table_search *s, taddr entries)
{
	struct libomp_threads *t = s->threads;
	uint64_t info, pthread;
	size_t n = 0;

	for (size_t at = 0; at < t->len; at++)
		t->items[at].gtid = -1;
	for (uint64_t gtid = 0; gtid < TABLE_MOST && read_entry(s, entries, gtid, &info); gtid++) {
		if (!info)
			continue;
		if (!read_pthread(s, info, &pthread))
			break;
		int found = by_address_find(s->by_pthread, pthread);
		if (found >= 0 && t->items[found].gtid < 0) {
			t->items[found].gtid = (int)gtid;
			n++;
		}
	}
	return n;
}

/* ---- the search --------------------------------------------------------------------------- */

static bool is_table(struct table_search *s, taddr variable)
{
	uint64_t entries;

	if (!libomp_image_uint(s->image, variable, 8, &entries) ||
	    !libomp_image_is_heap(s->image, entries))
		return false;
	return s->by_pthread ? number_by_table(s, entries) > 0 : agrees(s, entries);
}

/* The only one of all the runtime's words that is the table. */
static taddr scan_for_table(struct table_search *s, bool *ret_ambiguous)
{
	const struct libomp_image *i = s->image;
	taddr found = 0;

	for (size_t at = 0; at < i->size && s->read < ENTRIES_MAX; at += 8) {
		uint64_t word;
		memcpy(&word, i->bytes + at, sizeof(word));
		if (!word || !libomp_image_is_heap(i, word) || !is_table(s, i->start + at))
			continue;
		if (found) {
			*ret_ambiguous = true;
			return 0;
		}
		found = i->start + at;
	}
	return found;
}

/* Functions that look their thread up in the table, and the place it has among their variables. */
static taddr table_by_code(const struct libomp_image *i)
{
	taddr variables[4];
	size_t n = libomp_image_variables(i, "omp_get_level", variables, 4);

	return n ? variables[n - 1] : 0;
}

static void find_table(struct table_search *s)
{
	struct libomp_threads *t = s->threads;
	const taddr likely[] = { s->hints->table, table_by_code(s->image) };

	t->ambiguous = false;
	t->table = 0;
	for (size_t n = 0; n < 2 && !t->table; n++) {
		if (likely[n] && is_table(s, likely[n]))
			t->table = likely[n];
	}
	if (!t->table)
		t->table = scan_for_table(s, &t->ambiguous);
}

/* Who has no number of this runtime's in truth keeps it from being found. */
static void find_by_number(struct table_search *s, const struct libomp_number *number)
{
	struct libomp_threads *t = s->threads;

	find_table(s);
	while (!t->table && !t->ambiguous && drop_oldest(s->image, number, t)) {
		read_numbers(s->image, number, t);
		find_table(s);
	}
	if (t->table || !t->generation)
		return;
	t->generation = 0;
	read_numbers(s->image, number, t);
}

static struct error *find_table_without_numbers(struct table_search *s)
{
	struct by_address by_pthread = { 0 };
	struct libomp_threads *t = s->threads;
	bool ok = true;

	for (size_t n = 0; ok && n < t->len; n++)
		ok = by_address_add(&by_pthread, t->items[n].pthread, (int)n);
	if (!ok) {
		by_address_fini(&by_pthread);
		return &error_nomem;
	}
	s->by_pthread = &by_pthread;
	find_table(s);
	/* What was tried last need not be what was found. */
	if (t->table && is_table(s, t->table)) {
		for (size_t n = 0; n < t->len; n++)
			t->numbered += t->items[n].gtid >= 0;
	}
	by_address_fini(&by_pthread);
	s->by_pthread = NULL;
	return NULL;
}

static struct error *read_pthreads(const struct libomp_image *i, struct libomp_threads *t)
{
	const struct target *target = i->target;

	t->pid = target->pid;
	t->items = reallocarray(NULL, target->threads.len + 1, sizeof(*t->items));
	if (!t->items)
		return &error_nomem;
	vec_for_each (th, &target->threads) {
		struct libomp_thread thread = { .lwp = (*th)->lwp, .gtid = -1 };
		struct error *err = target_get_uint(i->target, *th, target->arch->thread_pointer,
						    &thread.pthread);
		if (!err && thread.pthread)
			t->items[t->len++] = thread;
		error_ignore(err);
	}
	return NULL;
}

struct error *libomp_threads_find(const struct libomp_image *i, const struct runtime_list *runtimes,
				  const struct libomp_threads_hints *hints,
				  struct libomp_threads *ret)
{
	struct libomp_threads t = { 0 };
	struct numbers numbers = { 0 };
	struct error *err = read_pthreads(i, &t);

	if (err)
		return err;
	struct table_search search = { .image = i, .hints = hints, .threads = &t };
	find_numbers(i, runtimes, &numbers);
	for (size_t n = 0; n < numbers.len && !t.table; n++) {
		read_numbers(i, &numbers.items[n], &t);
		if (t.numbered && hints->layout)
			find_by_number(&search, &numbers.items[n]);
		else if (t.numbered)
			break;
		t.has_number = t.table;
		t.number = numbers.items[n];
	}
	t.pthread_offset = hints->pthread;
	if (!numbers.len && hints->layout)
		err = find_table_without_numbers(&search);
	if (err)
		libomp_threads_fini(&t);
	else
		*ret = t;
	return err;
}

/* Those whose pthread_t is known; their registers need not be read again. */
static struct error *take_pthreads(const struct pthreads *p, struct libomp_threads *t)
{
	const struct target *target = p->target;

	t->pid = target->pid;
	t->items = reallocarray(NULL, target->threads.len + 1, sizeof(*t->items));
	if (!t->items)
		return &error_nomem;
	for (size_t i = 0; i < target->threads.len; i++) {
		if (p->ids[i])
			t->items[t->len++] = (struct libomp_thread){
				.lwp = target->threads.items[i]->lwp,
				.gtid = -1,
				.pthread = p->ids[i],
			};
	}
	return NULL;
}

bool libomp_threads_renew(struct libomp_threads *t, const struct libomp_image *i,
			  const struct pthreads *pthreads)
{
	struct libomp_threads now = *t;
	const struct libomp_threads_hints hints = { .layout = true, .pthread = t->pthread_offset };
	struct table_search search = { .image = i, .hints = &hints, .threads = &now };

	now.items = NULL;
	now.len = 0;
	struct error *err = t->has_number ? take_pthreads(pthreads, &now) : NULL;
	if (!err && t->has_number)
		read_numbers(i, &now.number, &now);
	/* Without a number among them nothing will be asked that the table had to prove. */
	bool fits = !err && t->has_number && (!now.numbered || is_table(&search, now.table));
	error_free(err);
	free(fits ? t->items : now.items);
	if (fits)
		*t = now;
	return fits;
}

void libomp_threads_fini(struct libomp_threads *t)
{
	free(t->items);
	*t = (struct libomp_threads){ 0 };
}

const struct libomp_thread *libomp_threads_get(const struct libomp_threads *t, pid_t lwp)
{
	const uint32_t rank = lwp_rank(t->pid, lwp);
	size_t at = sorted_count(th, t->items, t->len, lwp_rank(t->pid, th->lwp) < rank);
	const struct libomp_thread *th = at < t->len ? &t->items[at] : NULL;

	return th && th->lwp == lwp && th->gtid >= 0 ? th : NULL;
}
