/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Debug_file: finds the file that holds the debug information of another file.
 *
 * Distributions move debug information into files of its own, which belong to a program by
 * its build-id, or by name and checksum (.gnu_debuglink); dwz moves what several of those share
 * into one more (.gnu_debugaltlink). Names come from files that nobody vouches for, so only
 * regular files are opened, and only one that proves to be the right one is returned. They are
 * looked for where the program sees them; by build-id also in our own directory, whose files are
 * ours.
 */
#ifndef TARGET_DEBUG_FILE_H
#define TARGET_DEBUG_FILE_H

#include "base/file_root.h"
#include "target/elf/build_id.h"
#include "target/symbols/elf_file.h"

struct debug_file_wanted {
	const struct elf_file *main; /* the file that lacks debug information          */
	struct file_root *root;      /* opens what is named                            */
	const char *path;            /* its name, to look beside it                    */
	struct build_id build_id;    /* its identity                                   */
	const char *directory;       /* where debug files are installed: /usr/lib/debug */
	const struct arch *arch;
	struct spending *spending; /* what the file costs is added to that */
	bool debuginfod;           /* ask servers when there is none here            */
};

/* false: none found; ret is untouched then. */
bool debug_file_find(const struct debug_file_wanted *wanted, struct elf_file *ret);

/*
 * The file that .gnu_debugaltlink of "main" names. true: found, or none is named and ret is
 * untouched. false: not found; *ret_name is its name, owned by the caller (NULL: no memory).
 */
bool debug_file_find_alt(const struct debug_file_wanted *wanted, struct elf_file *ret,
			 char **ret_name);

#endif
