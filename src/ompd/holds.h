/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Holds: which threads hold the locks and critical constructs that others wait for.
 *
 * Runtimes record the owners of nest locks and of few others. For the rest, the code around each
 * frame of each thread tells: the thread holds a lock if on every way to where the frame stands
 * there is a call that takes it, and no later one that gives it back (target/flow/flow.h). That is
 * an inference, and its source says so.
 */
#ifndef OMPD_HOLDS_H
#define OMPD_HOLDS_H

#include "ompd/client/walk_state.h"

/*
 * Sets the holders of what threads wait for, where they are found, and picture.holds. Does nothing
 * where nobody waits for such a thing, unless holds are asked for. The waits must have been found.
 */
void holds_find(struct walk *w);

#endif
