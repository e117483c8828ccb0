/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Borders: brings stacks and OpenMP's state together: which region or task each span of a stack
 * belongs to.
 *
 * Going outwards, a thread leaves its current task at the first span that calls a task, then the
 * one that it had suspended, and its region at the first span that calls an implicit task, then the
 * region around it if it is its primary thread. Where the outlined function of a region is known,
 * it must be the one that the span called.
 */
#ifndef OMPD_BORDERS_H
#define OMPD_BORDERS_H

#include "ompd/client/walk_state.h"

/* Sets the borders of all threads, and the places of regions and tasks. */
void borders_find(struct walk *w);

#endif
