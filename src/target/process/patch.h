/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Patch: bytes that ompdb has put into the memory of a process, and what belongs there.
 *
 * Whoever reads memory for others hides them. Where a trap was planted, bytes are the program's own
 * again as soon as something else stands there; memory that was lent is all ompdb's.
 */
#ifndef TARGET_PATCH_H
#define TARGET_PATCH_H

#include "base/buf.h"
#include "target/cpu/arch.h"

enum { PATCH_MAX = 16 };

struct patch {
	taddr addr;
	uint8_t len;
	bool lent; /* whatever stands there: a copy, in which somebody may be */
	uint8_t original[PATCH_MAX], planted[PATCH_MAX]; /* lent: original alone is known */
};

/* By address; they do not overlap. */
struct patch_list {
	struct patch *items; /* owned */
	size_t len, cap;
};

/* Adds a patch of any length, in pieces; planted NULL: lent memory. false: out of memory. */
bool patch_list_add(struct patch_list *l, taddr addr, const uint8_t *original,
		    const uint8_t *planted, size_t len);
void patch_list_sort(struct patch_list *l);

/* Bytes that were read at "from": puts the program's own in place of what was planted. */
void patch_list_hide(const struct patch_list *l, taddr from, void *bytes, size_t len);

#endif
