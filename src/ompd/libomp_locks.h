/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Libomp_locks: who holds a nest lock of LLVM's runtime, from its memory.
 *
 * An omp_nest_lock_t is a pointer to { lock, kind of lock } (kmp_lock.h, kmp_indirect_lock_t). The
 * lock that is made unless the user asks for another kind is kmp_base_queuing_lock: it begins with
 * a pointer to itself, by which it is recognised, and keeps the number of its owner.
 */
#ifndef OMPD_LIBOMP_LOCKS_H
#define OMPD_LIBOMP_LOCKS_H

#include "ompd/walk_state.h"

/* thread: one that waits for it. The thread that holds it; -1: none, or another kind of lock. */
int libomp_locks_holder(struct walk *w, int thread, taddr nest_lock);

#endif
