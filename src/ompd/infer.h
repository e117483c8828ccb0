/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Infer: regions and roles from stacks alone, where no OMPD library answers.
 *
 * A thread with a span that the user's code called, and that calls an implicit task, is the primary
 * thread of a region. A worker in the same outlined function belongs to that region, if there is
 * only one. Numbers of threads and sizes of teams stay unknown.
 */
#ifndef OMPD_INFER_H
#define OMPD_INFER_H

#include "ompd/client/walk_state.h"

/* For the threads that no runtime has claimed. */
void infer_regions(struct walk *w);

#endif
