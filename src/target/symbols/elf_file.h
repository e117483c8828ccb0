/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Elf_file: an ELF file that libelf has open, and its sections. The file is mapped: sigbus.h.
 *
 * Whoever owns a mapped file can change it between a check and the use of what was checked. Where
 * that is neither root nor whoever runs ompdb, what is read of it is copied first: names and
 * symbols when it is opened, other sections by elf_file_own().
 */
#ifndef TARGET_ELF_FILE_H
#define TARGET_ELF_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/budget.h"
#include "base/buf.h"
#include "base/cursor.h"
#include "base/file.h"
#include "target/cpu/arch.h"

struct Elf; /* libelf's handle */

struct elf_file {
	struct Elf *elf; /* owned; NULL: closed                       */
	char *image;     /* owned; its bytes, where they are no file  */
	int fd;          /* owned; -1: none                           */
	char *path;      /* owned; where it lies, as its root names it; NULL: not known */
	bool changeable; /* by others than root and us                */
};
#define ELF_FILE_CLOSED ((struct elf_file){ .fd = -1 })

void elf_file_close(struct elf_file *f);

/*
 * Opens a program, library or debug file for this processor. Takes what "file" has, also when it
 * fails. UNSUPPORTED: it is something else, or asks for more than the budget has. ret is untouched
 * then.
 */
MUST_CHECK struct error *elf_file_open(struct file *file, const struct arch *arch,
				       struct spending *spending, struct elf_file *ret);

/* The same for an image in memory, whose bytes it takes. */
MUST_CHECK struct error *elf_file_open_image(struct buf *image, const struct arch *arch,
					     struct elf_file *ret);

/* Closes the descriptor and keeps the mapping, to save descriptors. */
void elf_file_drop_fd(struct elf_file *f);

/* The directory of the file, with a slash at the end; "": unknown. */
void elf_file_directory(const struct elf_file *f, char ret[PATH_MAX]);

struct elf_section {
	const char *name; /* borrowed */
	size_t index;
	uint32_t type;           /* SHT_*                 */
	uint64_t addr, size;     /* in the file's terms   */
	bool loaded, compressed; /* SHF_ALLOC, SHF_COMPRESSED */
};

/* The section behind *section, which is zero at first. */
bool elf_file_next(const struct elf_file *f, struct elf_section *section);

/* ".zdebug_info" is ".debug_info" too: compressed in the older way, or uncompressed by libdw. */
bool elf_section_is(const struct elf_section *section, const char *name);

/* The first section with that name, or of that type. */
bool elf_file_section(const struct elf_file *f, const char *name, struct elf_section *ret);
bool elf_file_section_of_type(const struct elf_file *f, uint32_t type, struct elf_section *ret);

/*
 * The contents of a section, borrowed; not of one that is (still) compressed. A damaged file may
 * have several with one name: this gives the next one behind *section, which is zero at first.
 */
bool elf_file_next_data(const struct elf_file *f, const char *name, struct elf_section *section,
			struct cursor *ret);
/* Those of the first one that has any; empty: there is none. */
struct cursor elf_file_data(const struct elf_file *f, const char *name);

/* The lowest page that a segment asks for: where an image begins in the file's addresses. */
bool elf_file_first_page(const struct elf_file *f, uint64_t *ret);

/* Has DWARF debug information of its own (.debug_info, compressed or not). */
bool elf_file_has_dwarf(const struct elf_file *f);

/* How large a compressed section becomes, as it says itself; 0: it is not compressed. */
uint64_t elf_file_inflated_size(const struct elf_file *f, const struct elf_section *section);

/* A section is compressed in a way (zstd) that the elfutils of this machine may not know. */
bool elf_file_has_zstd(const struct elf_file *f);

/* For libelf and libdw the section is empty from now on. */
void elf_file_hide(const struct elf_file *f, const struct elf_section *section);

/* Copies the section, if others may change the file. false: there is not enough memory for it. */
bool elf_file_own(const struct elf_file *f, const struct elf_section *section,
		  struct spending *spending);

/*
 * Bytes of a section that have been read and are not needed for a while: where they are pages of
 * the file alone, they take no memory until they are read again.
 */
void elf_file_release(const struct elf_file *f, struct cursor bytes);

#endif
