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

/* At which of a region's barriers one of its members is; it may execute a task there. */
enum arrival {
	ARRIVED_NOT,
	ARRIVED_PLAIN,
	ARRIVED_END,       /* that of the region         */
	ARRIVED_SOMEWHERE, /* it is not known at which   */
};
enum arrival arrivals_of(const struct picture *p, int thread, int region);

/*
 * Tells those that wait from those that pass a barrier (picture_wait's "over"), and idle ones that
 * a team has from those that none has (WAIT_DUE), and counts who has arrived.
 * Of waits for barriers, "total" is 0 where no count could be read: those have arrived who wait
 * there, or execute a task there. false: out of memory.
 */
bool arrivals_count(struct picture *p);

/* A member of the region is within it, before its end or waiting there: then nobody has left. */
bool arrivals_keep_all(const struct picture *p, int region);

#endif
