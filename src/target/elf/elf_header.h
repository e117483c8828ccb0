/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Elf_header: is this ELF file one that ompdb can handle?
 */
#ifndef TARGET_ELF_HEADER_H
#define TARGET_ELF_HEADER_H

#include <elf.h>
#include <stdbool.h>

#include "target/cpu/arch.h"

bool elf_header_is_elf(const void *start, size_t len);

/*
 * The architecture of an ELF header, which may be that of a 32-bit file (the members used lie at
 * the same place). UNSUPPORTED: "is a 32-bit program for i386; ompdb handles x86_64 only".
 */
MUST_CHECK struct error *elf_header_arch(const Elf64_Ehdr *header, const struct arch **ret);

#endif
