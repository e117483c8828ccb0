/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Patch: bytes that ompdb has put into the memory of a process, and what belongs there.
 *
 * Whoever reads memory for others hides them. Bytes are the program's own again as soon as
 * something else stands there than what was put.
 */
#ifndef TARGET_PATCH_H
#define TARGET_PATCH_H

#include "base/buf.h"
#include "target/cpu/arch.h"

enum { PATCH_MAX = 16 };

struct patch {
	taddr addr;
	uint8_t len;
	uint8_t original[PATCH_MAX], planted[PATCH_MAX];
};

/* By address; they do not overlap. */
struct patch_list {
	struct patch *items; /* owned */
	size_t len, cap;
};

/* Adds a patch of any length, in pieces. false: out of memory. */
bool patch_list_add(struct patch_list *l, taddr addr, const uint8_t *original,
		    const uint8_t *planted, size_t len);

/* Bytes that were read at "from": puts the program's own in place of what was planted. */
void patch_list_hide(const struct patch_list *l, taddr from, void *bytes, size_t len);

#endif
