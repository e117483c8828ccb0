/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Libomp_locks: what the memory of LLVM's runtime tells of locks: which thread holds a nest lock or
 * a direct lock, and which lock a thread waits for.
 *
 * The user's word is one of two things (kmp_lock.h, KMP_USE_DYNAMIC_LOCK). With a hint, or with
 * KMP_LOCK_KIND=tas, it is a direct lock: the word itself names its owner. As a rule it is an index
 * into a table of the runtime's, and nothing tells where that is. But a thread that waits has the
 * address of the lock in the table on its stack. Unless the user asks for another kind, that lock
 * (kmp_base_queuing_lock) begins with a pointer to itself, by which it is recognised. If it is a
 * nest lock, it keeps the number of its owner.
 */
#ifndef OMPD_LIBOMP_LOCKS_H
#define OMPD_LIBOMP_LOCKS_H

#include "ompd/client/walk_state.h"
#include "ompd/libomp/libomp_symbols.h"

/* A lock of the runtime's own. */
struct libomp_lock {
	enum lock_state state;
	int holder; /* a thread of the picture; -1: none, or only nest locks tell       */
	long depth; /* of a nest lock: how often that has taken it; 0: not known        */
};
/* false: there is no kmp_base_queuing_lock at that address. */
bool libomp_locks_read(struct walk *w, const struct libomp_symbols *symbols, taddr at,
		       struct libomp_lock *ret);

/* See runtime_ops.h: of nest locks and direct locks. */
int libomp_locks_holder(struct walk *w, int thread, const struct span *span);

/*
 * Whether the lock that a thread asks for is free, or its own without its knowing, or it has not
 * begun to wait. false: the lock is no direct one, and the thread has none in hand.
 */
bool libomp_locks_find_passed(struct walk *w, int thread, const struct span *span,
			      bool *ret_passed);

/* See runtime_ops.h: of direct locks. */
enum lock_state libomp_locks_state(uint32_t word);

/* See runtime_ops.h: 0 for direct locks. */
taddr libomp_locks_inner(struct walk *w, int thread, const struct span *span);

#endif
