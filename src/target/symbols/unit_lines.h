/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Unit_lines: the rows of a compile unit's line table that a debugger goes by: by address, without
 * those that say nothing.
 *
 * The rules are those of gdb, by which people know where a step ends (its dwarf2/read.c,
 * lnp_state_machine::record_line(), and buildsym.c): rows of line 0 belong to the line before them;
 * a row of the same line counts only where the line has no discriminators; where the file changes,
 * the rows at that address that came before go, unless the new one is no statement and one of them
 * is.
 */
#ifndef TARGET_UNIT_LINES_H
#define TARGET_UNIT_LINES_H

#include "target/symbols/line_table.h"

struct unit_row {
	taddr addr;
	uint32_t file; /* for line_table_file(): of all numbers of one path the same          */
	int line;      /* 0: the end of a sequence                                            */
	bool is_stmt, prologue_end;
};

struct unit_lines {
	struct unit_row *items; /* owned; by address */
	size_t len, cap;
};

/* NULL: out of memory. */
struct unit_lines *unit_lines_new(struct line_table *t);
void unit_lines_free(struct unit_lines *l);

/*
 * The row that covers addr: of several for one address the last one, or else a statement. *ret_end:
 * where the next one begins. NULL: none.
 */
const struct unit_row *unit_lines_at(const struct unit_lines *l, taddr addr, taddr *ret_end);

#endif
