/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/core/core_program.h"

#include <stdlib.h>

#include "target/core/program_headers.h"
#include "target/process/memory.h"

/* Linux fs/binfmt_elf.c, load_elf_binary(): AT_PHDR is where the segment with e_phoff puts it. */
static bool find_bias(const struct program_headers *p, taddr phdrs, taddr *ret)
{
	for (size_t i = 0; i < p->header.e_phnum; i++) {
		const Elf64_Phdr *ph = &p->phdrs[i];
		uint64_t into = p->header.e_phoff - ph->p_offset;
		if (ph->p_type == PT_LOAD && into < ph->p_filesz) {
			*ret = phdrs - (ph->p_vaddr + into);
			return *ret % MEMORY_PAGE == 0;
		}
	}
	return false;
}

struct error *core_program_maps(const char *path, taddr phdrs, taddr entry, struct map_list *ret)
{
	AUTO_FREE struct program_headers *p = calloc(1, sizeof(*p));
	AUTO_CLOSE int fd = -1;
	taddr bias = 0;

	if (!p)
		return &error_nomem;
	if (!phdrs)
		return error_new(
			ERROR_BAD_DATA,
			"the core does not say where its program lay in memory (AT_PHDR), so "
			"%s cannot be used",
			path);
	struct error *err = program_headers_read(path, p, &fd);
	if (err)
		return err;
	if (!find_bias(p, phdrs, &bias) || (entry && entry - bias != p->header.e_entry))
		return error_new(ERROR_BAD_DATA,
				 "%s is not the program of this core: its entry point or program "
				 "headers lay elsewhere",
				 path);
	return program_headers_maps(p, bias, ret);
}
