/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Libomp_turns: whose turn it is where threads of LLVM's runtime wait for earlier iterations of a
 * loop: at "ordered", and at "ordered depend(sink)" (doacross).
 *
 * They poll for ever, so that nothing of a thread itself tells whether it has to wait any longer.
 */
#ifndef OMPD_LIBOMP_TURNS_H
#define OMPD_LIBOMP_TURNS_H

#include "ompd/client/walk_state.h"

/* See runtime_ops.h: of one that waits at "ordered", the thread that has the iteration whose turn
 * it is. */
int libomp_turns_holder(struct walk *w, int thread, const struct span *span);

/* See runtime_ops.h, is_over: its turn has come, and it has not seen that yet. */
bool libomp_turns_have_come(struct walk *w, int thread, const struct span *span);

#endif
