/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Infer: regions and roles from stacks alone, where no OMPD library answers.
 *
 * A span that calls an implicit task for somebody is a region, and that thread its primary one. A
 * worker that is in the same outlined function belongs to it, if there is only one such region.
 * Numbers and sizes of teams stay unknown.
 */
#ifndef OMPD_INFER_H
#define OMPD_INFER_H

#include "ompd/client/walk_state.h"

/* For the threads that no runtime has claimed. */
void infer_regions(struct walk *w);

#endif
