/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Whereabouts: what one stopped thread is in OpenMP: for the line that says who has stopped.
 *
 * No other thread is looked at, so that it costs the same for two threads and for two thousand.
 */
#ifndef DEBUGGER_WHEREABOUTS_H
#define DEBUGGER_WHEREABOUTS_H

#include "debugger/session.h"
#include "ompd/picture/picture.h"

struct whereabouts {
	enum thread_role role;
	int region;  /* as a snapshot numbers them; -1: in none, or see whole                */
	long number; /* in the team; -1: unknown                                             */
	long size;   /* of the team; 0: unknown                                              */
	int level;   /* of the region; 0: in none                                            */
	bool whole;  /* it is in a region whose number only a look at all threads can tell   */
};

/*
 * The target must be stopped, and its modules up to date (module_list_update()). raw: the thread's
 * stack. Errors only for lack of memory.
 */
MUST_CHECK struct error *whereabouts_find(const struct session *s, const struct thread *th,
					  const struct unwind_stack *raw, struct whereabouts *ret);

#endif
