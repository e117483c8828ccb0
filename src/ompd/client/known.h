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
int known_find(const struct known *k, enum openmp_handle_kind kind, void *handle);

/* false: out of memory. */
bool known_add(struct known *k, enum openmp_handle_kind kind, void *handle, int index);

#endif
