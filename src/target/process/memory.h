/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Memory: a cache over a target's memory, valid for one stop.
 *
 * Reads go through lines that are fetched in runs, never a word at a time. memory_flush()
 * forgets everything and must be called whenever the target may have run. What ompdb itself writes
 * is put into the lines that are there. The cache keeps a
 * bounded number of lines: when it is full, it starts anew. Lines that cannot be read are
 * remembered as such.
 */
#ifndef TARGET_MEMORY_H
#define TARGET_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "target/cpu/arch.h"

struct memory;

/*
 * The kernel's page, and a line of what is read of a process: of most pages little is used, and
 * what is not copied is not kept.
 */
enum { MEMORY_PAGE = 4096, MEMORY_LINE = 1024 };

/*
 * Where lines come from: reads up to len bytes at "from" (line aligned, whole lines) and
 * returns how many of them, from the start on, it has: 0 when the first line is not there. Who
 * wants more than it got asks again for what is behind that.
 */
typedef size_t memory_source(void *context, taddr from, void *ret, size_t len);

/* In lines of MEMORY_LINE or MEMORY_PAGE bytes. NULL: out of memory. Borrows context. */
struct memory *memory_new(memory_source *source, void *context, size_t line);
void memory_free(struct memory *m);
void memory_flush(struct memory *m);

/* As memory_flush(), and gives the room that lines have taken back to the system. */
void memory_release(struct memory *m);

/*
 * Makes room for that many bytes before they are read, which saves time when they are. Only a
 * hint. To be used while the target still runs.
 */
void memory_prepare(struct memory *m, size_t bytes);

/*
 * Lines that were taken while the target stood still go on counting when it runs again. Who reads
 * another line from then on reads what a program makes that runs: that is fine for memory that
 * lasts, such as code; of the rest the cache makes a list.
 */
enum memory_kind {
	MEMORY_LASTS,   /* nobody writes to it                        */
	MEMORY_CHANGES, /* or it is not known                         */
	MEMORY_ABSENT,  /* there was none when the target stood still */
};

/* What the memory at a line is, and where what is so ends. */
typedef enum memory_kind memory_judge(void *context, taddr line, taddr *ret_end);

/* Reads that many lines, one behind the other, up to one that cannot be read. Returns how many. */
typedef size_t memory_gather(void *context, const taddr *lines, size_t n, void *ret);

/* From now on "judge" is asked about each line that is not there; NULL: they are read. */
void memory_watch(struct memory *m, memory_judge *judge, void *context);

/* Takes what is not there yet of these lines, in any order. */
void memory_take(struct memory *m, memory_gather *gather, void *context, const taddr *lines,
		 size_t n);

/* Addresses of lines. */
struct line_list {
	taddr *items; /* owned */
	size_t len, cap;
};

/*
 * The lines that were read though they change, since the list was last emptied: whoever watches may
 * do that. Borrowed.
 */
struct line_list *memory_missed(struct memory *m);

/* The target's memory was written to: its cached lines follow. */
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

#endif
