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

#include "ompd/client/walk_state.h"

/* See runtime_ops.h: of nest locks and direct locks. */
int libomp_locks_holder(struct walk *w, int thread, const struct span *span);

/* See runtime_ops.h: 0 for direct locks. */
taddr libomp_locks_inner(struct walk *w, int thread, const struct span *span);

#endif
