/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * State: what a thread does, as far as memory alone tells.
 *
 * libgomp keeps no states. Certain are: idle in the pool, outside of all regions, and waiting
 * in taskwait or at the end of a taskgroup, whose flags say so. A thread at a barrier or a lock
 * leaves no trace of its own in memory: it counts as working. Registers tell more, and OMPD gives
 * none.
 */
#ifndef OMPD_GOMP_STATE_H
#define OMPD_GOMP_STATE_H

#include "ompd/gomp/task.h"

void gomp_state_get(ompd_thread_handle_t *thread, ompd_word_t *ret_state,
		    ompd_wait_id_t *ret_wait_id);

/*
 * The state after "current" in the order of the standard; ompt_state_undefined begins. NULL: there
 * is no such state, or it is the last one.
 */
const char *gomp_state_next(ompd_word_t current, ompd_word_t *ret_next, bool *ret_more);

#endif
