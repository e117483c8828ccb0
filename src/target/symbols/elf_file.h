/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Elf_file: an ELF file that libelf has open, and its sections. The file is mapped: sigbus.h.
 */
#ifndef TARGET_ELF_FILE_H
#define TARGET_ELF_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cursor.h"
#include "target/cpu/arch.h"

struct Elf; /* libelf's handle */

struct elf_file {
	struct Elf *elf; /* owned; NULL: closed                       */
	char *image;     /* owned; its bytes, where they are no file  */
	int fd;          /* owned; -1: none                           */
};
#define ELF_FILE_CLOSED ((struct elf_file){ .fd = -1 })

void elf_file_close(struct elf_file *f);

/*
 * Opens a program, library or debug file for this processor. Takes fd, also when it fails.
 * UNSUPPORTED: it is something else. ret is untouched then.
 */
MUST_CHECK struct error *elf_file_open(int fd, const struct arch *arch, struct elf_file *ret);

/* The same for an image in memory, whose bytes it takes. */
MUST_CHECK struct error *elf_file_open_image(struct buf *image, const struct arch *arch,
					     struct elf_file *ret);

/* Closes the descriptor and keeps the mapping, to save descriptors. */
void elf_file_drop_fd(struct elf_file *f);

/* The directory of the file, with a slash at the end; "": unknown, or the descriptor is closed. */
void elf_file_directory(const struct elf_file *f, char ret[PATH_MAX]);

struct elf_section {
	size_t index;
	uint32_t type;           /* SHT_*                 */
	uint64_t addr, size;     /* in the file's terms   */
	bool loaded, compressed; /* SHF_ALLOC, SHF_COMPRESSED */
};

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

/*
 * What is known of the compressed debug sections, by their headers: how large they
 * become all together, and whether one of them is still compressed in a way (zstd) that elfutils
 * did not undo when it opened the debug information.
 */
uint64_t elf_file_inflated_size(const struct elf_file *f);
bool elf_file_has_zstd(const struct elf_file *f);

#endif
