/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/buf.h"

enum {
	READ_AHEAD = 2,      /* pages that a miss fetches                                */
	RUN_MAX = 512,       /* pages that one call of the source fetches at most        */
	SLOTS_MIN = 1024,    /* of the table; twice RUN_MAX at least                     */
	PAGES_MAX = 1 << 14, /* cached, the missing ones counted in                      */
	SLOTS_MAX = 2 * PAGES_MAX,
};

/* Not the address of any page: what memset() with 0xff makes of a slot. */
#define NO_PAGE ((taddr)-1)

struct slot {
	taddr page;    /* its address; NO_PAGE: the slot is free */
	uint8_t *data; /* in the pool; NULL: cannot be read      */
};

struct memory {
	taddr last_page; /* the page that was read last and is there, or NO_PAGE */
	const uint8_t *last_data;
	struct slot *slots; /* owned; hash table by page, at most half full */
	size_t nslots;      /* a power of two                               */
	size_t nused;       /* slots                                        */
	uint8_t *pool;      /* owned; room for PAGES_MAX pages, backed as it is touched */
	size_t npool;       /* pages in use                                 */
	memory_source *source;
	void *context;           /* borrowed */
	memory_judge *judge;     /* NULL: nobody watches */
	void *judge_context;     /* borrowed */
	struct page_list missed; /* owned */
};

static taddr page_of(taddr addr)
{
	return addr & ~(taddr)(MEMORY_PAGE - 1);
}

struct memory *memory_new(memory_source *source, void *context)
{
	struct memory *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	*m = (struct memory){ .source = source, .context = context, .nslots = SLOTS_MIN };
	m->slots = malloc(m->nslots * sizeof(*m->slots));
	m->pool = mmap(NULL, (size_t)PAGES_MAX * MEMORY_PAGE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (m->pool == MAP_FAILED)
		m->pool = NULL;
	if (!m->slots || !m->pool) {
		memory_free(m);
		return NULL;
	}
	memory_flush(m);
	return m;
}

void memory_free(struct memory *m)
{
	if (!m)
		return;
	if (m->pool)
		munmap(m->pool, (size_t)PAGES_MAX * MEMORY_PAGE);
	vec_fini(&m->missed);
	free(m->slots);
	free(m);
}

void memory_prepare(struct memory *m, size_t pages)
{
	size_t most = pages < PAGES_MAX ? pages : PAGES_MAX;

	/* Touches them all at once; Linux 5.14 and later. */
	(void)madvise(m->pool, most * MEMORY_PAGE, MADV_POPULATE_WRITE);
}

void memory_flush(struct memory *m)
{
	memset(m->slots, 0xff, m->nslots * sizeof(*m->slots));
	m->nused = 0;
	m->npool = 0;
	m->last_page = NO_PAGE;
	m->last_data = NULL;
}

void memory_release(struct memory *m)
{
	memory_flush(m);
	(void)madvise(m->pool, (size_t)PAGES_MAX * MEMORY_PAGE, MADV_DONTNEED);
}

/* The slot of a page, or the free slot where it belongs. */
static struct slot *find_slot(const struct memory *m, taddr page)
{
	/* Fibonacci hashing: the upper half of the product is the well mixed one. */
	size_t mask = m->nslots - 1;
	size_t i = (page / MEMORY_PAGE * UINT64_C(0x9e3779b97f4a7c15)) >> 32 & mask;

	while (m->slots[i].page != page && m->slots[i].page != NO_PAGE)
		i = (i + 1) & mask;
	return &m->slots[i];
}

static void put(struct memory *m, taddr page, uint8_t *data)
{
	*find_slot(m, page) = (struct slot){ .page = page, .data = data };
	m->nused++;
}

static bool grow(struct memory *m)
{
	size_t nold = m->nslots;
	struct slot *old = m->slots;
	struct slot *slots = nold < SLOTS_MAX ? reallocarray(NULL, 2 * nold, sizeof(*slots)) : NULL;

	if (!slots)
		return false;
	memset(slots, 0xff, 2 * nold * sizeof(*slots));
	m->slots = slots;
	m->nslots = 2 * nold;
	for (size_t i = 0; i < nold; i++) {
		if (old[i].page != NO_PAGE)
			*find_slot(m, old[i].page) = old[i];
	}
	free(old);
	return true;
}

/* Pages from "page" on to fetch at once: those wanted that are neither cached nor past the end. */
static size_t run_length(const struct memory *m, taddr page, size_t wanted)
{
	size_t n = 1;

	if (wanted < READ_AHEAD)
		wanted = READ_AHEAD;
	while (n < wanted && n < RUN_MAX) {
		taddr next = page + n * MEMORY_PAGE;
		if (!next || find_slot(m, next)->page == next)
			break;
		n++;
	}
	return n;
}

/* Room for n pages. false: the cache is full. */
static bool make_room(struct memory *m, size_t n)
{
	while (2 * (m->nused + n) > m->nslots) {
		if (!grow(m))
			return false;
	}
	return true;
}

/* ---- while the target runs -------------------------------------------------------------- */

void memory_watch(struct memory *m, memory_judge *judge, void *context)
{
	m->judge = judge;
	m->judge_context = context;
}

struct page_list *memory_missed(struct memory *m)
{
	return &m->missed;
}

/* How many of n pages may be fetched. 0: the first is not there, or it cannot be noted. */
static size_t judge_pages(struct memory *m, taddr page, size_t n)
{
	taddr end = 0;

	switch (m->judge(m->judge_context, page, &end)) {
	case MEMORY_ABSENT:
		return 0;
	case MEMORY_CHANGES: /* the others are asked about when they are read */
		return vec_push(&m->missed, page);
	case MEMORY_LASTS:
		break;
	}
	return (end - page) / MEMORY_PAGE < n ? (end - page) / MEMORY_PAGE : n;
}

/* Of a page that cannot be read together with others, the source may know more. */
static void take_one(struct memory *m, struct slot *s)
{
	if (m->source(m->context, s->page, s->data, MEMORY_PAGE) < MEMORY_PAGE)
		s->data = NULL;
}

/* Fills what lies in the pool, from npool on, for pages that have their slots. */
static void take_batch(struct memory *m, memory_gather *gather, void *context, const taddr *pages,
		       size_t n)
{
	for (size_t done = 0; done < n;) {
		uint8_t *data = m->pool + (m->npool + done) * MEMORY_PAGE;
		done += gather(context, pages + done, n - done, data);
		if (done < n)
			take_one(m, find_slot(m, pages[done++]));
	}
	m->npool += n;
}

void memory_take(struct memory *m, memory_gather *gather, void *context, const taddr *pages,
		 size_t n)
{
	taddr batch[RUN_MAX];
	size_t len = 0;

	for (size_t i = 0; i < n && make_room(m, 1); i++) {
		if (find_slot(m, pages[i])->page == pages[i])
			continue;
		put(m, pages[i], m->pool + (m->npool + len) * MEMORY_PAGE);
		batch[len++] = pages[i];
		if (len == RUN_MAX) {
			take_batch(m, gather, context, batch, len);
			len = 0;
		}
	}
	take_batch(m, gather, context, batch, len);
}

/* ---- reading ---------------------------------------------------------------------------- */

/* Fetches a page that has no slot; it has one afterwards. */
static void fetch(struct memory *m, taddr page, size_t wanted)
{
	size_t n = run_length(m, page, wanted);

	if (!make_room(m, n))
		memory_flush(m); /* what was taken has to be read again, and is noted */
	if (m->judge)
		n = judge_pages(m, page, n);
	uint8_t *data = m->pool + m->npool * MEMORY_PAGE;
	size_t got = n ? m->source(m->context, page, data, n * MEMORY_PAGE) / MEMORY_PAGE : 0;
	if (got > n)
		got = n;
	for (size_t i = 0; i < got; i++)
		put(m, page + i * MEMORY_PAGE, data + i * MEMORY_PAGE);
	if (got < n || !n)
		put(m, page + got * MEMORY_PAGE, NULL);
	m->npool += got;
}

/*
 * The bytes of the page that holds addr; NULL: it cannot be read. The caller is about to read
 * len bytes from addr on. Valid until the next call.
 */
static const uint8_t *get_page(struct memory *m, taddr addr, size_t len)
{
	taddr page = page_of(addr);

	if (page == m->last_page)
		return m->last_data;
	struct slot *s = find_slot(m, page);
	if (s->page != page) {
		fetch(m, page, (addr - page + (len - 1)) / MEMORY_PAGE + 1);
		s = find_slot(m, page);
	}
	if (s->data) {
		m->last_page = page;
		m->last_data = s->data;
	}
	return s->data;
}

static size_t left_in_page(taddr addr, size_t len)
{
	size_t room = MEMORY_PAGE - (size_t)(addr - page_of(addr));

	return len < room ? len : room;
}

void memory_update(struct memory *m, taddr to, const void *bytes, size_t len)
{
	for (size_t done = 0, n; done < len; done += n) {
		taddr addr = to + done;
		struct slot *s = find_slot(m, page_of(addr));
		n = left_in_page(addr, len - done);
		if (s->page == page_of(addr) && s->data)
			memcpy(s->data + (addr - s->page), (const uint8_t *)bytes + done, n);
	}
}

/* Reads what it can; returns how much that was. Stops at the end of the address space. */
static size_t read_some(struct memory *m, taddr from, void *ret, size_t len)
{
	size_t done = 0;

	if (len && from + (len - 1) < from)
		len = (size_t)(0 - from);
	while (done < len) {
		taddr addr = from + done;
		const uint8_t *data = get_page(m, addr, len - done);
		if (!data)
			break;
		size_t n = left_in_page(addr, len - done);
		memcpy((uint8_t *)ret + done, data + (addr - page_of(addr)), n);
		done += n;
	}
	return done;
}

static struct error *no_memory(taddr addr)
{
	return error_new(ERROR_NO_ADDRESS, "no memory at 0x%" PRIxTADDR, addr);
}

bool memory_try_read(struct memory *m, taddr from, void *ret, size_t len)
{
	size_t offset = (size_t)(from % MEMORY_PAGE);

	/* Most reads are an unwinder's: one word, in the page of the word before. */
	if (len == sizeof(uint64_t) && from - offset == m->last_page &&
	    offset <= MEMORY_PAGE - sizeof(uint64_t)) {
		memcpy(ret, m->last_data + offset, sizeof(uint64_t));
		return true;
	}
	return read_some(m, from, ret, len) == len;
}

struct error *memory_read(struct memory *m, taddr from, void *ret, size_t len)
{
	size_t done = read_some(m, from, ret, len);

	return done == len ? NULL : no_memory(from + done);
}

struct error *memory_read_string(struct memory *m, taddr from, size_t most, char **ret)
{
	AUTO_BUF text = { 0 };

	while (text.len < most) {
		taddr addr = from + text.len;
		const uint8_t *data = addr < from ? NULL : get_page(m, addr, 1);
		if (!data)
			return no_memory(addr);
		data += addr - page_of(addr);
		size_t n = left_in_page(addr, most - text.len);
		const uint8_t *end = memchr(data, 0, n);
		buf_add(&text, data, end ? (size_t)(end - data) : n);
		if (!buf_ok(&text))
			return &error_nomem;
		if (end) {
			*ret = TAKE(text.data);
			return NULL;
		}
	}
	return error_new(ERROR_BAD_DATA, "the string at 0x%" PRIxTADDR " has %zu bytes or more",
			 from, most);
}
