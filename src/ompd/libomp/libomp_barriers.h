/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Libomp_barriers: whether the barrier at which a thread of LLVM's runtime waits is over already.
 *
 * A thread counts its arrivals (b_arrived of its kmp_bstate_t), the primary thread counts for the
 * team as soon as all have come, and goes on; the others are let go one after the other. Until one
 * of them notices, its stack is that of a thread that waits.
 */
#ifndef OMPD_LIBOMP_BARRIERS_H
#define OMPD_LIBOMP_BARRIERS_H

#include "ompd/client/walk_state.h"

/* How many barriers a team (the address of its kmp_team_t) has passed; -1: not known. */
long libomp_barriers_passed(struct memory *memory, taddr team);

/* See runtime_ops.h: sets "over". */
void libomp_barriers_refine(struct walk *w, int runtime);

#endif
