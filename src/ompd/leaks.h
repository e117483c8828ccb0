/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Leaks: functions that take a lock and can return without giving it back.
 *
 * If a lock is held, and no thread is found to hold it, a function has returned without giving it
 * back. That function is looked for among those on all stacks, those of regions and tasks, and
 * those that these call or mention, in this order.
 *
 * Where exceptions are caught, those come last that one would have to leave.
 *
 * And tasks that will give a lock back which they have not taken.
 */
#ifndef OMPD_LEAKS_H
#define OMPD_LEAKS_H

#include "ompd/client/walk_state.h"
#include "target/flow/flow.h"

/* Sets picture.leaks. The kinds that flow's calls have are of enum wait_kind. */
void leaks_find(struct walk *w, struct flow *flow);

/* Sets picture.givers. */
void leaks_find_givers(struct walk *w, struct flow *flow);

#endif
