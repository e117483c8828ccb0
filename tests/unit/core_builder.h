/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Core_builder: core files and ELF images made by hand, byte for byte, for tests.
 */
#ifndef UNIT_CORE_BUILDER_H
#define UNIT_CORE_BUILDER_H

#include <elf.h>
#include <sys/types.h>

#include "base/buf.h"

struct core_load {
	Elf64_Phdr header; /* p_offset is filled in by core_build() */
	const void *bytes; /* borrowed, p_filesz of them; NULL: zeros */
};

struct core_builder {
	Elf64_Ehdr header; /* of a core that is fine; tests spoil it */
	struct buf notes;
	struct {
		struct core_load *items;
		size_t len, cap;
	} loads;
	bool notes_last; /* as gcore does; the kernel writes them first  */
	bool many;       /* e_phnum is PN_XNUM, section header 0 counts  */
};

void core_builder_init(struct core_builder *b);
void core_builder_fini(struct core_builder *b);

void core_add_note(struct core_builder *b, const char *name, uint32_t type, const void *desc,
		   size_t len);

/* NT_PRSTATUS; every byte of the general registers is "fill". */
void core_add_thread(struct core_builder *b, pid_t lwp, uint8_t fill);
/* NT_PRPSINFO. */
void core_add_process(struct core_builder *b, pid_t pid, const char *name, const char *args);
/* NT_SIGINFO. */
void core_add_signal(struct core_builder *b, int signal);
/* NT_AUXV of one entry. */
void core_add_auxv(struct core_builder *b, uint64_t type, uint64_t value);

struct core_file_row {
	uint64_t start, end, offset; /* the offset counts pages of page_size */
	const char *path;
};
/* NT_FILE. */
void core_add_files(struct core_builder *b, uint64_t page_size, const struct core_file_row *rows,
		    size_t n);

/* PT_LOAD. */
void core_add_load(struct core_builder *b, uint64_t address, uint64_t memory_size,
		   const void *bytes, uint64_t file_size, uint32_t flags);

/* The core file, appended to ret: header, program headers, then notes and memory. */
void core_build(const struct core_builder *b, struct buf *ret);

enum { IMAGE_ID_SIZE = 20 };

/*
 * An ELF program of "pages" pages, appended to ret: one PT_LOAD that holds all of it at address 0,
 * a build-id of IMAGE_ID_SIZE bytes "id" (0: none), then byte n of each page n from 1 on.
 */
void image_build(struct buf *ret, uint8_t id, size_t pages);

#endif
