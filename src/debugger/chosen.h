/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Chosen: what is shown of a picture as a tree, by wishes for its tasks: those that fit with all
 * that have created them, the threads that execute those that fit, and the regions around these.
 */
#ifndef DEBUGGER_CHOSEN_H
#define DEBUGGER_CHOSEN_H

#include "debugger/listing_lines.h"

struct chosen {
	bool all;              /* nothing is left out                                       */
	bool each;             /* nothing is taken together                                 */
	struct listing listed; /* owned; a row for each task of the picture */
	struct ints tasks;     /* owned; in the order in which those of one creator are shown */
	bool *of_threads, *of_regions; /* owned; by their indices; NULL if all are shown  */
};

/* Of the wishes the filters, the order and "each" count. Errors only for lack of memory. */
MUST_CHECK struct error *chosen_find(const struct picture *p, const struct listing_wishes *w,
				     struct chosen *ret);
void chosen_fini(struct chosen *c);
#define AUTO_CHOSEN AUTO(chosen_fini) struct chosen

/* By their indices; -1: one that is not in the picture. */
bool chosen_has_thread(const struct chosen *c, int thread);
bool chosen_has_region(const struct chosen *c, int region);

#endif
