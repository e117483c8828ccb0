/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/elf/elf_header.h"

#include <string.h>

bool elf_header_is_elf(const void *start, size_t len)
{
	return len >= SELFMAG && !memcmp(start, ELFMAG, SELFMAG);
}

struct error *elf_header_arch(const Elf64_Ehdr *header, const struct arch **ret)
{
	unsigned char class = header->e_ident[EI_CLASS];
	unsigned char order = header->e_ident[EI_DATA];
	const struct arch *arch = NULL;

	if (!elf_header_is_elf(header->e_ident, sizeof(header->e_ident)))
		return error_new(ERROR_UNSUPPORTED, "not an ELF file");
	/* e_machine is in the file's byte order; only our own is looked at further. */
	if (order == ELFDATA2LSB)
		arch = arch_find(header->e_machine, class);
	if (!arch)
		return error_new(ERROR_UNSUPPORTED,
				 "is a %s-bit %sprogram for %s, and this ompdb handles x86_64 only",
				 class == ELFCLASS32 ? "32" : "64",
				 order == ELFDATA2MSB ? "big-endian " : "",
				 order == ELFDATA2LSB ? arch_machine_name(header->e_machine, class)
						      : "another processor");
	*ret = arch;
	return NULL;
}
