/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Line_table: which source line an address comes from, as DWARF's line number program of a
 * compile unit says (DWARF 5, section 6.2; versions 2 to 5).
 *
 * Read here rather than by libdw, which keeps some 150 bytes for each row and builds every file
 * name: no bound for damaged data, and slow where one address is asked for. This keeps a mark
 * for each thousand rows and runs the program from there.
 */
#ifndef TARGET_LINE_TABLE_H
#define TARGET_LINE_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "target/cpu/arch.h"
#include "target/symbols/line_names.h"

struct line_row {
	taddr addr;
	uint64_t file;      /* for line_table_file()         */
	int line;           /* 0: belongs to no line         */
	int column;         /* 0: unknown, or the whole line */
	bool is_stmt;       /* a good place for a breakpoint */
	bool prologue_end;  /* of a function: behind what makes its frame            */
	bool discriminated; /* one of several blocks of its line                     */
	bool end;           /* of a sequence: the address behind it                  */
	/* Of line_table_find(): the first row for its address, of the function's own file if one
	   is: where a function that begins there is written, if code of others follows at once. */
	uint64_t first_file;
	int first_line;
};

struct line_table;

/*
 * The table at an offset of .debug_line; directory: where the unit was compiled, borrowed,
 * NULL: unknown. NULL: out of memory, or its header makes no sense.
 */
struct line_table *line_table_new(const struct line_sections *sections, uint64_t offset,
				  const char *directory);
void line_table_free(struct line_table *t);

/*
 * The row that covers addr. false: none. Rows of line 0 say nothing: the one before them goes on.
 *
 * Of several for one address the last one counts that is a statement, as in gdb, or else the last
 * one: what begins there, and where breakpoints are. For somebody within the instruction, as who
 * has called from there, it is the last one, statement or not: that is the row the instruction was
 * made for; but code that was inlined may have left a row there and no instruction, so rows of the
 * file in which the function is written count first. own: that file's path; NULL: unknown.
 */
bool line_table_find(struct line_table *t, taddr addr, const char *own, struct line_row *ret);

/*
 * Calls "found" for every row, in the order of the program, until it returns false. Sequences
 * follow each other in any order; addresses rise in each.
 */
void line_table_rows(struct line_table *t, bool (*found)(void *context, const struct line_row *row),
		     void *context);

/* Full path of a file as the compiler knew it; owned by t. NULL: no such file. */
const char *line_table_file(struct line_table *t, uint64_t file);

/* Whether a file has that last part of its path. */
bool line_table_names(const struct line_table *t, const char *name);

/* Numbers of files are less than this. */
uint64_t line_table_files(const struct line_table *t);

#endif
