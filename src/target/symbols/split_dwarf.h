/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Split_dwarf: finds the entries of a unit that lie in a .dwo file.
 *
 * libdw does that by itself: it opens whatever has the name that the program gives, a pipe too,
 * unpacks what it claims, and reads it from a mapping that others may change. Here the file is
 * copied, the copy is checked, and libdw is led to the copy. What it would not read at all is made
 * readable: dwo_image.h.
 */
#ifndef TARGET_SPLIT_DWARF_H
#define TARGET_SPLIT_DWARF_H

#include <elfutils/libdw.h>

#include "base/file_root.h"
#include "target/symbols/dwarf_check.h"

struct split_dwarf {
	struct file_root *root; /* opens what is named                                       */
	const char *directory;  /* of the program, with a slash at the end                    */
	const char *compiled;   /* where the unit was compiled; NULL: unknown                 */
	const char *name;       /* of the .dwo file, as the skeleton has it, in one of "spans" */
	bool in_entry;          /* the name is part of the skeleton's entry (DW_FORM_string)   */
	const struct dwarf_spans *spans;
	struct spending *spending;
	struct dwo_package *package;
};

/* The package of a program (.dwp), which is opened when the first unit is not found elsewhere. */
struct dwo_package {
	char *path;           /* owned; NULL: there can be none */
	struct elf_file file; /* owned                          */
	bool tried;
};
void dwo_package_close(struct dwo_package *p);

/* The unit in a package that is open, and has that type; false: none. */
bool dwo_package_unit_of_type(const struct dwo_package *p, uint64_t signature, uint64_t *ret_id);

/*
 * The entry of the split unit that a skeleton stands for. What it costs is spent for as long as
 * the skeleton's file is open.
 */
MUST_CHECK struct error *split_dwarf_open(const struct split_dwarf *from, Dwarf_Die *skeleton,
					  Dwarf_Die *ret);

#endif
