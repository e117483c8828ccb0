/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Borders: which region or task each span of a stack belongs to.
 *
 * A stack is followed outwards. At the first span that calls a task the thread leaves its current
 * task, at the next one the task that it had suspended, and so on. At the first span that calls an
 * implicit task it leaves its region, and then, if it is the primary thread of that, the region
 * around it. Where the outlined function of a region is known, the span must have called it.
 */
#ifndef OMPD_BORDERS_H
#define OMPD_BORDERS_H

#include "ompd/client/walk_state.h"

/* Sets the borders of all threads, and the places of regions and tasks. */
void borders_find(struct walk *w);

#endif
