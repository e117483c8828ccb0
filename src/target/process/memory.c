/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/buf.h"

enum {
	READ_AHEAD = 2 * MEMORY_PAGE, /* bytes that a miss fetches                        */
	RUN_MAX = 512 * MEMORY_PAGE,  /* bytes that one call of the source gets at most   */
	SLOTS_MIN = 2 * RUN_MAX / MEMORY_LINE, /* of the table: a run always has room     */
	USED_KNOWN = 1024,  /* slots that are emptied one by one                           */
	BATCH = 512,        /* lines that are taken at once            */
	POOL_MAX = 1 << 26, /* bytes cached, the missing ones counted in */
};

/* Not the address of any line: what memset() with 0xff makes of a slot. */
#define NO_LINE ((taddr)-1)

struct slot {
	taddr at;      /* the line's address; NO_LINE: the slot is free */
	uint8_t *data; /* in the pool; NULL: cannot be read      */
};

struct memory {
	size_t line;     /* bytes of one: a power of two */
	taddr last_line; /* the line that was read last and is there, or NO_LINE */
	const uint8_t *last_data;
	struct slot *slots;        /* owned; hash table by line, at most half full */
	size_t nslots;             /* a power of two                               */
	size_t nused;              /* slots                                        */
	uint32_t used[USED_KNOWN]; /* those, of the table as it is, if there are not more */
	bool is_new;               /* the table: any slot may be used                     */
	uint8_t *pool;             /* owned; POOL_MAX bytes, backed as it is touched */
	size_t npool;              /* lines in use                                 */
	memory_source *source;
	void *context;           /* borrowed */
	memory_judge *judge;     /* NULL: nobody watches */
	void *judge_context;     /* borrowed */
	struct line_list missed; /* owned */
};

static taddr line_of(const struct memory *m, taddr addr)
{
	return addr & ~(taddr)(m->line - 1);
}

/* Of a large table mostly few slots are used. */
static void forget_lines(struct memory *m)
{
	if (m->nused > USED_KNOWN || m->is_new)
		memset(m->slots, 0xff, m->nslots * sizeof(*m->slots));
	else
		for (size_t i = 0; i < m->nused; i++)
			m->slots[m->used[i]].at = NO_LINE;
	m->is_new = false;
	m->nused = 0;
	m->npool = 0;
	m->last_line = NO_LINE;
	m->last_data = NULL;
}

struct memory *memory_new(memory_source *source, void *context, size_t line)
{
	struct memory *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	*m = (struct memory){ .line = line,
			      .source = source,
			      .context = context,
			      .nslots = SLOTS_MIN,
			      .is_new = true };
	m->slots = malloc(m->nslots * sizeof(*m->slots));
	m->pool = mmap(NULL, POOL_MAX, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (m->pool == MAP_FAILED)
		m->pool = NULL;
	if (!m->slots || !m->pool) {
		memory_free(m);
		return NULL;
	}
	forget_lines(m);
	return m;
}

void memory_free(struct memory *m)
{
	if (!m)
		return;
	if (m->pool)
		munmap(m->pool, POOL_MAX);
	vec_fini(&m->missed);
	free(m->slots);
	free(m);
}

void memory_prepare(struct memory *m, size_t bytes)
{
	/* Touches them all at once; Linux 5.14 and later. */
	(void)madvise(m->pool, bytes < POOL_MAX ? bytes : POOL_MAX, MADV_POPULATE_WRITE);
}

void memory_flush(struct memory *m)
{
	if (m->nused)
		forget_lines(m);
}

void memory_release(struct memory *m)
{
	memory_flush(m);
	(void)madvise(m->pool, POOL_MAX, MADV_DONTNEED);
}

/* The slot of a line, or the free slot where it belongs. */
static struct slot *find_slot(const struct memory *m, taddr line)
{
	/* Fibonacci hashing: the upper part of the product is the well mixed one. */
	size_t mask = m->nslots - 1;
	size_t i = line * UINT64_C(0x9e3779b97f4a7c15) >> 40 & mask;

	while (m->slots[i].at != line && m->slots[i].at != NO_LINE)
		i = (i + 1) & mask;
	return &m->slots[i];
}

static void put(struct memory *m, taddr line, uint8_t *data)
{
	struct slot *slot = find_slot(m, line);

	*slot = (struct slot){ .at = line, .data = data };
	if (m->nused < USED_KNOWN)
		m->used[m->nused] = (uint32_t)(slot - m->slots);
	m->nused++;
}

static bool grow(struct memory *m)
{
	size_t nold = m->nslots;
	struct slot *old = m->slots;
	struct slot *slots =
		nold < 2 * POOL_MAX / m->line ? reallocarray(NULL, 2 * nold, sizeof(*slots)) : NULL;

	if (!slots)
		return false;
	memset(slots, 0xff, 2 * nold * sizeof(*slots));
	m->slots = slots;
	m->nslots = 2 * nold;
	m->is_new = true;
	for (size_t i = 0; i < nold; i++) {
		if (old[i].at != NO_LINE)
			*find_slot(m, old[i].at) = old[i];
	}
	free(old);
	return true;
}

/* Lines from "line" on to fetch at once: those wanted that are neither cached nor past the end. */
static size_t run_length(const struct memory *m, taddr line, size_t wanted)
{
	size_t n = 1, least = READ_AHEAD / m->line, most = RUN_MAX / m->line;

	if (wanted < least)
		wanted = least;
	while (n < wanted && n < most) {
		taddr next = line + n * m->line;
		if (!next || find_slot(m, next)->at == next)
			break;
		n++;
	}
	return n;
}

/* Room for n lines. false: the cache is full. */
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

struct line_list *memory_missed(struct memory *m)
{
	return &m->missed;
}

/* Notes n lines. Returns how many it could. */
static size_t miss(struct memory *m, taddr line, size_t n)
{
	size_t i = 0;

	while (i < n && vec_push(&m->missed, line + i * m->line))
		i++;
	return i;
}

/*
 * How many of n lines may be fetched, of which the caller wants some. 0: the first is not there,
 * or it cannot be noted.
 */
static size_t judge_lines(struct memory *m, taddr line, size_t n, size_t wanted)
{
	taddr end = 0;
	enum memory_kind kind = m->judge(m->judge_context, line, &end);
	size_t left = (size_t)(end - line) / m->line;

	n = n < left ? n : left;
	switch (kind) {
	case MEMORY_ABSENT:
		break;
	case MEMORY_CHANGES: /* nothing is read ahead */
		return miss(m, line, n < wanted ? n : wanted);
	case MEMORY_LASTS:
		return n;
	}
	return 0;
}

/* Of a line that cannot be read together with others, the source may know more. */
static void take_one(struct memory *m, struct slot *s)
{
	if (m->source(m->context, s->at, s->data, m->line) < m->line)
		s->data = NULL;
}

/* Fills what lies in the pool, from npool on, for lines that have their slots. */
static void take_batch(struct memory *m, memory_gather *gather, void *context, const taddr *lines,
		       size_t n)
{
	for (size_t done = 0; done < n;) {
		uint8_t *data = m->pool + (m->npool + done) * m->line;
		done += gather(context, lines + done, n - done, data);
		if (done < n)
			take_one(m, find_slot(m, lines[done++]));
	}
	m->npool += n;
}

void memory_take(struct memory *m, memory_gather *gather, void *context, const taddr *lines,
		 size_t n)
{
	taddr batch[BATCH];
	size_t len = 0;

	for (size_t i = 0; i < n && make_room(m, 1); i++) {
		if (find_slot(m, lines[i])->at == lines[i])
			continue;
		put(m, lines[i], m->pool + (m->npool + len) * m->line);
		batch[len++] = lines[i];
		if (len == BATCH) {
			take_batch(m, gather, context, batch, len);
			len = 0;
		}
	}
	take_batch(m, gather, context, batch, len);
}

/* ---- reading ---------------------------------------------------------------------------- */

/* The source may give what can be had at once: it is asked again for what is wanted, no more. */
static size_t ask_source(struct memory *m, taddr line, uint8_t *ret, size_t n, size_t wanted)
{
	size_t got = 0, part = n;

	while (part && got < n && got < wanted) {
		part = m->source(m->context, line + got * m->line, ret + got * m->line,
				 (n - got) * m->line) /
		       m->line;
		got += part < n - got ? part : n - got;
	}
	return got;
}

/* Fetches a line that has no slot; it has one afterwards. */
static void fetch(struct memory *m, taddr line, size_t wanted)
{
	size_t n = run_length(m, line, wanted);

	if (!make_room(m, n))
		memory_flush(m); /* what was taken has to be read again, and is noted */
	if (m->judge)
		n = judge_lines(m, line, n, wanted);
	uint8_t *data = m->pool + m->npool * m->line;
	size_t got = ask_source(m, line, data, n, wanted);
	for (size_t i = 0; i < got; i++)
		put(m, line + i * m->line, data + i * m->line);
	if (got < (n < wanted ? n : wanted) || !n)
		put(m, line + got * m->line, NULL);
	m->npool += got;
}

/*
 * The bytes of the line that holds addr; NULL: it cannot be read. The caller is about to read
 * len bytes from addr on. Valid until the next call.
 */
static const uint8_t *get_line(struct memory *m, taddr addr, size_t len)
{
	taddr line = line_of(m, addr);

	if (line == m->last_line)
		return m->last_data;
	struct slot *s = find_slot(m, line);
	if (s->at != line) {
		fetch(m, line, (addr - line + (len - 1)) / m->line + 1);
		s = find_slot(m, line);
	}
	if (s->data) {
		m->last_line = line;
		m->last_data = s->data;
	}
	return s->data;
}

static size_t left_in_line(const struct memory *m, taddr addr, size_t len)
{
	size_t room = m->line - (size_t)(addr - line_of(m, addr));

	return len < room ? len : room;
}

void memory_update(struct memory *m, taddr to, const void *bytes, size_t len)
{
	for (size_t done = 0, n; done < len; done += n) {
		taddr addr = to + done;
		struct slot *s = find_slot(m, line_of(m, addr));
		n = left_in_line(m, addr, len - done);
		if (s->at == line_of(m, addr) && s->data)
			memcpy(s->data + (addr - s->at), (const uint8_t *)bytes + done, n);
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
		const uint8_t *data = get_line(m, addr, len - done);
		if (!data)
			break;
		size_t n = left_in_line(m, addr, len - done);
		memcpy((uint8_t *)ret + done, data + (addr - line_of(m, addr)), n);
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
	size_t offset = (size_t)(from - line_of(m, from));

	/* Most reads are an unwinder's: one word, in the line of the word before. */
	if (len == sizeof(uint64_t) && from - offset == m->last_line &&
	    offset <= m->line - sizeof(uint64_t)) {
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
		const uint8_t *data = addr < from ? NULL : get_line(m, addr, 1);
		if (!data)
			return no_memory(addr);
		data += addr - line_of(m, addr);
		size_t n = left_in_line(m, addr, most - text.len);
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
