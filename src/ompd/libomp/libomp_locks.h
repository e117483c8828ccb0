/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Libomp_locks: what LLVM's runtime keeps of locks in memory: who holds nest locks and direct
 * locks, and which lock a thread waits for.
 *
 * What the user has is one of two (kmp_lock.h, KMP_USE_DYNAMIC_LOCK): a direct lock, the word
 * itself, which names its owner, for hints and for KMP_LOCK_KIND=tas; or, as a rule, an index into
 * a table of the runtime's that nothing tells the place of. But the thread that waits has the
 * address of that lock on its stack, and the lock that is made unless the user asks for another
 * kind (kmp_base_queuing_lock) begins with a pointer to itself, by which it is recognised. It keeps
 * the number of its owner if it is a nest lock.
 */
#ifndef OMPD_LIBOMP_LOCKS_H
#define OMPD_LIBOMP_LOCKS_H

#include "ompd/walk_state.h"

/*
 * The thread that holds the nest lock which "thread" waits for in the innermost frames of its
 * stack, those up to "frames". -1: not found.
 */
int libomp_locks_holder(struct walk *w, int thread, size_t frames);

/*
 * The runtime's own lock that "thread" waits for in these frames: the same address for all that
 * wait for the same one. 0: not found, or a direct lock.
 */
taddr libomp_locks_waited(struct walk *w, int thread, size_t frames);

/* The thread that holds a direct lock of the runtime that "thread" is known to. -1: none does, or
 * it is no direct lock. */
int libomp_locks_direct_holder(struct walk *w, int thread, taddr lock);

#endif
