/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Debuginfo: the ELF file of a module, and the separate file with its debug information.
 *
 * Files are found and opened on first use: the module's own through the target (which gets at
 * deleted files and other mount namespaces), the debug file by build-id, by .gnu_debuglink, or
 * from a debuginfod server where the user allowed it. A file counts only if its build-id is
 * the one in the target's memory. Handles of elfutils leave this header only towards
 * symbol, type and scope.
 */
#ifndef TARGET_DEBUGINFO_H
#define TARGET_DEBUGINFO_H

#include "target/modules/exports.h"

struct Dwarf; /* elfutils' handles */
struct Elf;
struct elf_file;

struct debuginfo_options {
	bool debuginfod;       /* ask the servers of $DEBUGINFOD_URLS: slow, uses the network */
	bool libc_lines;       /* read the C library's DWARF too: see debuginfo_dwarf()        */
	const char *directory; /* where debug files are installed; NULL: /usr/lib/debug       */
	uint64_t memory;       /* that the files may cost; 0: what budget.h gives them        */
};

/* How the files of a list's modules are found. It borrows the list; files hang on the modules. */
struct debuginfo_set;

/* NULL: out of memory. Opens nothing yet. */
struct debuginfo_set *debuginfo_set_new(struct module_list *modules,
					const struct debuginfo_options *options);
void debuginfo_set_free(struct debuginfo_set *s);
struct module_list *debuginfo_modules(struct debuginfo_set *s);

/* The files of one module. */
struct debuginfo;

/*
 * Opens a module's files on the first call; the result hangs on the module. Problems (file missing,
 * replaced, ...) do not fail: see debuginfo_note(). NULL: out of memory.
 */
struct debuginfo *debuginfo_get(struct debuginfo_set *s, struct module *m);

/*
 * What the user should know about the files: "file is deleted", "debug sections are compressed
 * with zstd, which this elfutils cannot read", ...; NULL: nothing.
 */
const char *debuginfo_note(const struct debuginfo *d);

/* Adds to the note what a reader of the files finds out; the same text again does nothing. */
void debuginfo_add_note(struct debuginfo *d, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* ELF symbol tables in the order to look at; from files of the same bias. */
struct debuginfo_symtab {
	struct Elf *elf;
	size_t section;                /* index of the SHT_SYMTAB or SHT_DYNSYM section       */
	const struct exports *exports; /* these instead; NULL: the section     */
};
/*
 * Full table of the main or debug file if there is one, then .dynsym, or where there is no main
 * file what memory has of that. Returns how many.
 */
size_t debuginfo_symtabs(struct debuginfo *d, struct debuginfo_symtab ret[4]);

/*
 * DWARF; NULL: none. Its addresses are the target's minus the module's bias. A separate debug file
 * of the C library counts only with libc_lines: unpacking it takes many times as long as all else,
 * and nobody looks for their own mistakes there. Its symbol table is used all the same.
 */
struct Dwarf *debuginfo_dwarf(struct debuginfo *d);

/* The file with that DWARF, borrowed; closed, if there is none. */
const struct elf_file *debuginfo_dwarf_file(const struct debuginfo *d);

/* What the module's files have cost so far: its split DWARF adds to that. */
struct spending *debuginfo_spending(struct debuginfo *d);

/* Where the file with that DWARF lies, with a slash at the end; "": unknown. */
const char *debuginfo_dwarf_directory(const struct debuginfo *d);

/* Address (in the target) and size of a section that is loaded; false: there is none. */
bool debuginfo_section(struct debuginfo *d, const char *name, taddr *ret_addr, uint64_t *ret_size);

#endif
