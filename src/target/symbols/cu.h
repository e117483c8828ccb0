/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Cu: a compile unit: the functions in it, what was inlined into them, and its lines.
 *
 * DWARF is walked within fixed limits (depth, entries, levels), whatever it says. Of split
 * DWARF, the unit is the skeleton in the program, and its entries are in a .dwo file.
 */
#ifndef TARGET_CU_H
#define TARGET_CU_H

#include "target/symbols/dwarf_check.h"
#include "target/symbols/unit_lines.h"

struct Dwarf; /* libdw's handle */

/* What the units of one program have in common; borrowed by them. */
struct cu_context {
	struct Dwarf *dwarf;
	const char *directory;       /* of the file with the DWARF, with a slash at the end   */
	struct file_root *root;      /* opens what is named in it                           */
	struct spending *spending;   /* what its split units cost is added to that          */
	struct dwo_package *package; /* where they may be                                 */
	struct line_sections sections;
	struct dwarf_spans spans; /* of the file, and of the one it shares (dwz)         */
};

struct cu;

/* The unit whose first entry has that offset in .debug_info. NULL: out of memory, or damaged. */
struct cu *cu_new(const struct cu_context *context, uint64_t offset);
void cu_free(struct cu *cu);

/* What cu_blocks.c remembers of the unit, in one block; frees it with the unit. */
struct cu_block_memo **cu_block_memo(struct cu *cu);

/* What is wrong with this unit: "split DWARF: x.dwo not found"; NULL: nothing. */
const char *cu_note(const struct cu *cu);

/* The unit's lines, owned by it: all, and the rows that a debugger goes by. NULL: it has none. */
struct line_table *cu_lines(struct cu *cu);
struct unit_lines *cu_rows(struct cu *cu);

/* Whoever made the unit's code. */
enum cu_maker {
	CU_MAKER_OTHER,
	CU_MAKER_GCC,
	CU_MAKER_GCC_TRACKED, /* says where variables are from the first instruction of a function
				 on */
	CU_MAKER_CLANG, /* as it names itself, not as distributions do ("Debian clang"): as in gdb
			 */
	CU_MAKER_ASSEMBLER,
};
enum cu_maker cu_maker(struct cu *cu);
bool cu_is_of_gcc(struct cu *cu);

bool cu_is_fortran(struct cu *cu);
bool cu_is_cxx(struct cu *cu);

/* What the main program of Fortran is called in the source; NULL: it is not in this unit. */
const char *cu_main_program(struct cu *cu);

/* A function, or one inlined into the next level. Strings live as long as the unit. */
struct cu_level {
	const char *function; /* linkage name where known, else its name; NULL: unknown     */
	const char *file;     /* where in that function; NULL: unknown                      */
	int line, column;
	const char *first_file; /* of the innermost level: as in line_table.h               */
	int first_line;
	const char *declared_file; /* of the outermost level; NULL: unknown                 */
	int declared_line;
	taddr entry; /* where the function or the inlined code begins; 0: unknown           */
	bool inlined;
};

enum { CU_LEVELS_MAX = 257 };

/* The levels at addr from the inside out. Returns how many: 0 when the unit knows nothing. */
size_t cu_locate(struct cu *cu, taddr addr, struct cu_level ret[CU_LEVELS_MAX]);

/*
 * The name of the function that the programmer wrote around a line of a file: of those that are
 * declared in that file, at or before the line, the last. Functions that the compiler made do not
 * count (DW_AT_artificial). NULL: none. *ret_several: other instances of a template begin there,
 * too.
 */
const char *cu_function_around(struct cu *cu, const char *file, int line, bool *ret_several);

#endif
