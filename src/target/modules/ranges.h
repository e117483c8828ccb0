/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Ranges: address ranges that may overlap, each with a number; which of them hold an address?
 *
 * Ranges may be added at any time; they are sorted when the next question comes.
 */
#ifndef TARGET_RANGES_H
#define TARGET_RANGES_H

#include <stdbool.h>
#include <stddef.h>

#include "target/cpu/arch.h"

struct range {
	taddr start, end; /* [start, end)                                     */
	taddr reach;      /* highest end up to here, in the order of the array */
	uint64_t id;
};

struct ranges {
	struct range *items; /* owned; the first "sorted" ones by start, then id */
	size_t len, cap, sorted;
};

void ranges_fini(struct ranges *r);

/* Empty ranges are not kept. false: out of memory. */
bool ranges_add(struct ranges *r, taddr start, taddr end, uint64_t id);

/*
 * The range that holds addr and begins last (of several, the one added with the highest id);
 * with "after", the next one in that order. NULL: no more. Looks at a bounded number of ranges.
 */
const struct range *ranges_find(struct ranges *r, taddr addr, const struct range *after);

/* The last of the ranges that start at addr or before, whether it holds it or not. NULL: none. */
const struct range *ranges_before(struct ranges *r, taddr addr);

#endif
