/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Program_headers: what the file of a program says of how it is mapped.
 */
#ifndef TARGET_PROGRAM_HEADERS_H
#define TARGET_PROGRAM_HEADERS_H

#include <elf.h>

#include "target/process/procfs.h"

enum { PROGRAM_HEADERS_MAX = 128 };

struct program_headers {
	const char *path; /* borrowed */
	const struct arch *arch;
	Elf64_Ehdr header;
	Elf64_Phdr phdrs[PROGRAM_HEADERS_MAX]; /* header.e_phnum of them */
};

/*
 * Opens a program; *ret_fd is the caller's. NOT_FOUND, NOT_PERMITTED; UNSUPPORTED: it is no regular
 * file, no program, or one for another processor; BAD_DATA.
 */
MUST_CHECK struct error *program_headers_read(const char *path, struct program_headers *ret,
					      int *ret_fd);

/* Adds the mappings that the kernel makes of those segments that are in the file. */
MUST_CHECK struct error *program_headers_maps(const struct program_headers *p, taddr bias,
					      struct map_list *ret);

#endif
