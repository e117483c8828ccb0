/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Core_program: where a program's file lay in memory, for a core that lists no files (NT_FILE).
 */
#ifndef TARGET_CORE_PROGRAM_H
#define TARGET_CORE_PROGRAM_H

#include "target/process/procfs.h"

/*
 * Adds the mappings that the kernel makes of the program at path when its program headers come
 * to lie at "phdrs" and its entry point at "entry" (AT_PHDR, AT_ENTRY; 0: not known). BAD_DATA:
 * they cannot. NOT_FOUND, UNSUPPORTED: no such file, no program.
 */
MUST_CHECK struct error *core_program_maps(const char *path, taddr phdrs, taddr entry,
					   struct map_list *ret);

#endif
