/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Eh_frame: finding the unwind entry (FDE) of an address in a module's .eh_frame.
 *
 * Layouts: Linux Standard Base 5.0, Core, chapter 10.6. Both tables lie in the target's memory
 * and are read from there; nothing in them is trusted.
 */
#ifndef TARGET_EH_FRAME_H
#define TARGET_EH_FRAME_H

#include "target/process/memory.h"

/* One row of a search table, in the form that .eh_frame_hdr has and libunwind searches. */
struct eh_frame_row {
	int32_t start; /* first address covered, minus segbase */
	int32_t fde;   /* address of the FDE, minus segbase    */
};

struct eh_frame_table {
	taddr segbase;
	size_t len;               /* rows                                       */
	taddr rows;               /* where they are in the target; 0: in "own"  */
	struct eh_frame_row *own; /* owned; sorted by start, NULL: in the target */
};

void eh_frame_table_fini(struct eh_frame_table *t);

/* The table of an .eh_frame_hdr section; false: it has none that can be searched. */
bool eh_frame_read_hdr(struct memory *m, taddr hdr, uint64_t size, struct eh_frame_table *ret);

/* Builds a table by reading an .eh_frame section from start to end; false: nothing usable. */
bool eh_frame_scan(struct memory *m, taddr section, uint64_t size, struct eh_frame_table *ret);

#endif
