/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Left: functions of the user's of which no frame is left, as each has jumped on (a tail call):
 *
 *     (work)                         jumped into GOMP_barrier
 *     (main._omp_fn.0)               called by the runtime, jumped to work
 *   --GOMP_parallel()
 *
 * The runtime's memory tells which function it called for a region or task. Where only one way of
 * jumps leads from there to the next frame further in, or into the runtime's entry in which the
 * thread waits, the thread has gone that way.
 */
#ifndef OMPD_LEFT_H
#define OMPD_LEFT_H

#include "ompd/client/walk_state.h"

/* Whether that function can have jumped, maybe through others, to "to", without a frame. */
bool left_leads(struct walk *w, taddr function, taddr to);

/*
 * At a region's end, into which a runtime jumps from the entry that began the region, nothing tells
 * of that entry where the user's code had jumped into it, too: but that this had no other way.
 * root: what the runtime called further out than the thread's stack begins; 0: not known.
 */
void left_find_entry(struct walk *w, int thread, taddr root);

/*
 * Finds the code of constructs that were called by such functions, as far as what the runtime has
 * called further out is known, behind borders: span's "code". Returns whether there was one.
 */
bool left_find_code(struct walk *w, int thread);

/* What is known of such functions on a thread's stack, behind borders and the kind of its wait. */
void left_find(struct walk *w, int thread);

#endif
