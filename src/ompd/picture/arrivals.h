/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Arrivals: how many have arrived at the barrier at which a thread waits: one number for all that
 * wait at the same one.
 *
 * Who waits has arrived. A runtime's count that contradicts this is of the next barrier already:
 * the one at hand has opened, and these have not been woken yet. Then no number is known.
 */
#ifndef OMPD_PICTURE_ARRIVALS_H
#define OMPD_PICTURE_ARRIVALS_H

#include "ompd/picture/picture.h"

/*
 * Of waits for barriers, "total" is 0 where no count could be read: those have arrived who wait
 * there. false: out of memory.
 */
bool arrivals_count(struct picture *p);

#endif
