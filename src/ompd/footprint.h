/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Footprint: a number that stays the same while a thread spins in a runtime or is in one call of
 * MPI's, and differs when it has gone on.
 *
 * A thread in a loop comes to the same wait again and again, and looks the same each time. But the
 * variables of the loop differ. They are in the frames of the functions around the wait, and in the
 * registers that functions have to keep.
 */
#ifndef OMPD_FOOTPRINT_H
#define OMPD_FOOTPRINT_H

#include "ompd/client/walk_state.h"

/* Sets it for all threads that are in MPI or wait without sleeping. The waits must have been found.
 */
void footprint_find(struct walk *w);

#endif
