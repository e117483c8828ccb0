/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Known: which regions and tasks of a runtime are in the picture already, and at which index.
 *
 * OMPD gives a new handle each time it is asked; two of one thing compare as equal.
 */
#ifndef OMPD_KNOWN_H
#define OMPD_KNOWN_H

#include "ompd/client/openmp.h"

struct known {
	struct openmp *openmp; /* borrowed                       */
	void *regions, *tasks; /* owned; trees, see tsearch(3)   */
};

void known_fini(struct known *k);

/* The index of a region or task; -1: not known yet. */
int known_region(const struct known *k, ompd_parallel_handle_t *region);
int known_task(const struct known *k, ompd_task_handle_t *task);

/* false: out of memory. */
bool known_add_region(struct known *k, ompd_parallel_handle_t *region, int index);
bool known_add_task(struct known *k, ompd_task_handle_t *task, int index);

#endif
