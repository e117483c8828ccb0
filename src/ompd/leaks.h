/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Leaks: code around that takes locks and can return without giving them back.
 *
 * A lock that is held by no thread that is to be seen has been forgotten by a function that has
 * returned meanwhile. It is looked for in the functions on all stacks, those of regions and tasks,
 * and in what they call or mention, nearest first.
 */
#ifndef OMPD_LEAKS_H
#define OMPD_LEAKS_H

#include "ompd/client/walk_state.h"
#include "target/flow/flow.h"

/* Sets picture.leaks. The kinds that flow's calls have are of enum wait_kind. */
void leaks_find(struct walk *w, struct flow *flow);

#endif
