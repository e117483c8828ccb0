/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Memory: a page cache over a target's memory, valid for one stop.
 *
 * Reads go through pages that are fetched in runs, never a word at a time. memory_flush()
 * forgets everything and must be called whenever the target may have run. What ompdb itself writes
 * is put into the pages that are there. The cache keeps a
 * bounded number of pages: when it is full, it starts anew. Pages that cannot be read are
 * remembered as such.
 */
#ifndef TARGET_MEMORY_H
#define TARGET_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "target/cpu/arch.h"

struct memory;

/*
 * Where pages come from: reads up to len bytes at "from" (page aligned, whole pages) and
 * returns how many of them, from the start on, could be read: 0 when the first page is not there.
 */
typedef size_t memory_source(void *context, taddr from, void *ret, size_t len);

/* NULL: out of memory. Borrows context. */
struct memory *memory_new(memory_source *source, void *context);
void memory_free(struct memory *m);
void memory_flush(struct memory *m);

/* As memory_flush(), and gives the room that pages have taken back to the system. */
void memory_release(struct memory *m);

/*
 * Makes room for that many pages before they are read, which saves time when they are. Only a
 * hint. To be used while the target still runs.
 */
void memory_prepare(struct memory *m, size_t pages);

/*
 * Pages that were taken while the target stood still go on counting when it runs again. Who reads
 * another page from then on reads what a program makes that runs: that is fine for memory that
 * lasts, such as code; of the rest the cache makes a list.
 */
enum memory_kind {
	MEMORY_LASTS,   /* nobody writes to it                        */
	MEMORY_CHANGES, /* or it is not known                         */
	MEMORY_ABSENT,  /* there was none when the target stood still */
};

/* What the memory at a page is, and where what is so ends. */
typedef enum memory_kind memory_judge(void *context, taddr page, taddr *ret_end);

/* Reads that many pages, one behind the other, up to one that cannot be read. Returns how many. */
typedef size_t memory_gather(void *context, const taddr *pages, size_t n, void *ret);

/* From now on "judge" is asked about each page that is not there; NULL: they are read. */
void memory_watch(struct memory *m, memory_judge *judge, void *context);

/* Takes what is not there yet of these pages, in any order. */
void memory_take(struct memory *m, memory_gather *gather, void *context, const taddr *pages,
		 size_t n);

/* Addresses of pages. */
struct page_list {
	taddr *items; /* owned */
	size_t len, cap;
};

/*
 * The pages that were read though they change, since the list was last emptied: whoever watches may
 * do that. Borrowed.
 */
struct page_list *memory_missed(struct memory *m);

/* The target's memory was written to: its cached pages follow. */
void memory_update(struct memory *m, taddr to, const void *bytes, size_t len);

/* Reads exactly len bytes. NO_ADDRESS: names the first address that cannot be read. */
MUST_CHECK struct error *memory_read(struct memory *m, taddr from, void *ret, size_t len);

/* The same without an error object, for callers that only probe. */
bool memory_try_read(struct memory *m, taddr from, void *ret, size_t len);

/*
 * Reads a string of less than "most" bytes. *ret is owned by the caller and NUL-terminated.
 * BAD_DATA: longer. NO_ADDRESS: runs into memory that is not there.
 */
MUST_CHECK struct error *memory_read_string(struct memory *m, taddr from, size_t most, char **ret);

enum { MEMORY_PAGE = 4096 };

#endif
