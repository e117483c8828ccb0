/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Split_dwarf: may libdw look for the .dwo file of a unit?
 *
 * libdw does that by itself and opens what it finds under the name that the program gives.
 */
#ifndef TARGET_SPLIT_DWARF_H
#define TARGET_SPLIT_DWARF_H

#include <stdbool.h>

/*
 * directory: of the program, with a slash at the end; compiled: where the unit was compiled,
 * NULL: unknown; name: of the .dwo file. true: whatever libdw will find is fit for it, be it
 * nothing.
 */
bool split_dwarf_is_safe(const char *directory, const char *compiled, const char *name);

#endif
