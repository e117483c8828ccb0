/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Core: a target over an ELF core file (core(5)), written by the kernel or by gcore.
 *
 * Memory comes from the core's PT_LOAD segments. Pages that were left out of it (text and
 * read-only data, usually) come from the files that NT_FILE names, if such a file has the
 * build-id that the core shows for it, or the core shows none and the file is no newer than
 * the core and has the same ELF headers. Memory that the program could write to, and what a
 * truncated core has lost, never comes from a file. Nothing in a core file is trusted: files are
 * read with the rights of who owns the core or, where that is root, of whose program it was.
 */
#ifndef TARGET_CORE_H
#define TARGET_CORE_H

#include "target/process/target.h"

/*
 * Opens a core file. exe: the program's file, where it is elsewhere than the core says or the
 * core does not say; NULL: as the core says. NOT_FOUND; UNSUPPORTED: compressed (the message names
 * the command), not an ELF core, another architecture; BAD_DATA: truncated or corrupt, or exe is
 * not the core's program.
 */
MUST_CHECK struct error *core_open(const char *path, const char *exe, struct target **ret);

/*
 * The same with the places where a user has the files of the machine that the core is from. They
 * are believed as others are. NOT_FOUND: there is no such folder.
 */
struct core_places {
	const char *exe;         /* as above                                                */
	const char *root;        /* stands for that machine's root directory; NULL: our own */
	const char *search_path; /* folders with colons between, in which those that are not below
				    the root are looked for by the last part of their names; NULL:
				    none */
};
MUST_CHECK struct error *core_open_from(const char *path, const struct core_places *places,
					struct target **ret);

/* Is the file at path something other than a directory or device: worth core_open()? */
bool core_is_file(const char *path);

#endif
