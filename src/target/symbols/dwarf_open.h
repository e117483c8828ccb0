/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Dwarf_open: hands a file to libdw.
 *
 * libdw unpacks all compressed debug sections of a file when it opens it, whatever they
 * claim to become, and believes what it reads from the mapping for as long as it has it. So:
 *
 *   - sections that ompdb never asks for stay packed;
 *   - a section that becomes large, and many times as large as it is in the file, is none that a
 *     compiler wrote: the file is refused;
 *   - what the others become is spent from a budget, and so are copies of what another user could
 *     change meanwhile (elf_file.h);
 *   - what libdw does not survive is looked for in what libdw is going to read (dwarf_check.h);
 *   - it does not learn where the file lies: libdw would go on to other files by itself.
 */
#ifndef TARGET_DWARF_OPEN_H
#define TARGET_DWARF_OPEN_H

#include "target/symbols/elf_file.h"

struct Dwarf; /* libdw's handle */

enum dwarf_open_how {
	DWARF_OPEN_NEEDED,
	DWARF_OPEN_ALL, /* libdw opens the same bytes once more, by itself: all sections count */
};

/*
 * *ret is owned by the caller, borrows f and ends before it; NULL: there is no debug information.
 * BAD_DATA, UNSUPPORTED: a sentence about the file without its name. Closes f's descriptor.
 */
MUST_CHECK struct error *dwarf_open(struct elf_file *f, enum dwarf_open_how how,
				    struct spending *spending, struct Dwarf **ret);

#endif
