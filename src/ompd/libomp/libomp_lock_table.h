/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Libomp_lock_table: the runtime's table of locks (__kmp_i_lock_table), of which a lock in the
 * program's memory is an index.
 *
 * No symbol tells where it is: it is the word in the runtime's variables that leads to rows of
 * locks, some of which hold their own address.
 *
 *   __kmp_i_lock_table -> rows, of 1024 locks each -> { lock, kind } -> kmp_base_queuing_lock
 */
#ifndef OMPD_LIBOMP_LOCK_TABLE_H
#define OMPD_LIBOMP_LOCK_TABLE_H

#include "ompd/client/walk_state.h"

/* There is the lock, or that of the critical construct, that a thread asks for. */
bool libomp_lock_table_has(struct walk *w, int thread);

/* See runtime_ops.h. */
void libomp_lock_table_add(struct walk *w, int runtime);

#endif
