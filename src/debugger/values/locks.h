/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Locks: values that are locks of OpenMP or of the C library: who holds them and who waits for
 * them.
 */
#ifndef DEBUGGER_LOCKS_H
#define DEBUGGER_LOCKS_H

#include "debugger/lock_list.h"
#include "debugger/values/value.h"

/*
 * Of the threads of the scope's target, as they stand now: found out once for a stop. NULL: there
 * are none, or it cannot be found out. Borrowed until the target runs or is written to.
 */
const struct lock_list *locks_of(const struct scope *s);

/* It is one of those types. */
bool locks_is_lock(const struct type *t);

/*
 * "omp_lock_t (held by 0.2 (LWP 4711), waited for by 0.1)" of a lock that lies in memory; nothing
 * of any other value, and of a mutex of the C library that nobody has locked.
 */
void locks_describe(const struct scope *s, const struct value *v, struct buf *out);

#endif
