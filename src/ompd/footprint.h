/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Footprint: what changes when a thread that spins in a runtime goes on, and stays while it spins.
 *
 * A thread in a loop comes to the same wait again and again, and looks the same each time. But the
 * loop's variables differ: they are in the frames of the functions around it and in the registers
 * that functions have to keep.
 */
#ifndef OMPD_FOOTPRINT_H
#define OMPD_FOOTPRINT_H

#include "ompd/client/walk_state.h"

/* Sets it for all threads that wait without sleeping. The waits must have been found. */
void footprint_find(struct walk *w);

#endif
