/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Libomp_locks: who holds a nest lock of LLVM's runtime that a thread waits for.
 *
 * What the user has is an index into a table of the runtime's that nothing tells the place of. But
 * the thread that waits has the lock's address on its stack, and the lock that is made unless the
 * user asks for another kind (kmp_lock.h, kmp_base_queuing_lock) begins with a pointer to itself,
 * by which it is recognised. It keeps the number of its owner.
 */
#ifndef OMPD_LIBOMP_LOCKS_H
#define OMPD_LIBOMP_LOCKS_H

#include "ompd/walk_state.h"

/*
 * The thread that holds the nest lock which "thread" waits for in the innermost frames of its
 * stack, those up to "frames". -1: not found.
 */
int libomp_locks_holder(struct walk *w, int thread, size_t frames);

#endif
