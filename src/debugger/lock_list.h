/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Lock_list: who holds and who waits for the locks of a program at one stop, as a picture has it,
 * by their addresses. Plain data, for values that are locks.
 */
#ifndef DEBUGGER_LOCK_LIST_H
#define DEBUGGER_LOCK_LIST_H

#include "base/buf.h"
#include "ompd/picture/picture.h"

struct lock_list;

/* Of a picture with holds (snapshot.h). NULL: out of memory. */
struct lock_list *lock_list_new(const struct picture *p);
void lock_list_free(struct lock_list *l);

/* An OpenMP lock in the program's memory. */
struct lock_asked {
	taddr at;
	uint32_t word;  /* what its memory begins with                                   */
	uint32_t count; /* how often its holder has taken it; 0: not known               */
};

/* "held by 0.2 (LWP 1234), waited for by 0.[0,3]"; "perhaps" where code does not tell for sure. */
void lock_list_add_lock(const struct lock_list *l, const struct lock_asked *lock, struct buf *out);
/* The same of a mutex of the C library, which says itself who holds it. */
void lock_list_add_mutex(const struct lock_list *l, taddr mutex, pid_t owner, struct buf *out);

#endif
