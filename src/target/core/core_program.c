/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/core/core_program.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "target/elf/elf_header.h"
#include "target/process/memory.h"

enum { PHDRS_MAX = 128 };

struct program {
	const char *path;
	Elf64_Ehdr header;
	Elf64_Phdr phdrs[PHDRS_MAX];
};

static struct error *read_program(const char *path, struct program *ret)
{
	const struct arch *arch;
	Elf64_Ehdr *eh = &ret->header;
	AUTO_CLOSE int fd = -1;
	struct error *err = file_open_regular(path, &fd, NULL);

	if (err)
		return err;
	size_t len = file_read_at(fd, 0, eh, sizeof(*eh));
	if (len != sizeof(*eh) || !elf_header_is_elf(eh, len))
		return error_new(ERROR_UNSUPPORTED, "%s is not a program (no ELF file)", path);
	err = elf_header_arch(eh, &arch);
	if (err)
		return error_add(err, "%s", path);
	len = eh->e_phnum * sizeof(Elf64_Phdr);
	if (eh->e_phentsize != sizeof(Elf64_Phdr) || len > sizeof(ret->phdrs) ||
	    file_read_at(fd, eh->e_phoff, ret->phdrs, len) != len)
		return error_new(ERROR_BAD_DATA, "%s is corrupt: no program headers", path);
	ret->path = path;
	return NULL;
}

/* Linux fs/binfmt_elf.c, load_elf_binary(): AT_PHDR is where the segment with e_phoff puts it. */
static bool find_bias(const struct program *p, taddr phdrs, taddr *ret)
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

static struct error *add_map(const struct program *p, const Elf64_Phdr *ph, taddr bias,
			     struct map_list *ret)
{
	uint64_t into = ph->p_vaddr % MEMORY_PAGE;
	uint64_t size = (into + ph->p_filesz + MEMORY_PAGE - 1) & ~(uint64_t)(MEMORY_PAGE - 1);
	struct map m = { .start = bias + ph->p_vaddr - into, .flags = MAP_NO_FLAGS };
	uint64_t end;

	if (!ph->p_filesz || size < ph->p_filesz || ph->p_offset < into ||
	    __builtin_add_overflow(m.start, size, &m.end) ||
	    __builtin_add_overflow(ph->p_offset, size, &end) || end > INT64_MAX)
		return NULL;
	m.offset = ph->p_offset - into;
	m.path = strdup(p->path);
	return map_list_take(ret, m);
}

struct error *core_program_maps(const char *path, taddr phdrs, taddr entry, struct map_list *ret)
{
	AUTO_FREE struct program *p = calloc(1, sizeof(*p));
	taddr bias = 0;

	if (!p)
		return &error_nomem;
	if (!phdrs)
		return error_new(
			ERROR_BAD_DATA,
			"the core does not say where its program lay in memory (AT_PHDR), so "
			"%s cannot be used",
			path);
	struct error *err = read_program(path, p);
	if (err)
		return err;
	if (!find_bias(p, phdrs, &bias) || (entry && entry - bias != p->header.e_entry))
		return error_new(ERROR_BAD_DATA,
				 "%s is not the program of this core: its entry point or program "
				 "headers lay elsewhere",
				 path);
	for (size_t i = 0; i < p->header.e_phnum && !err; i++) {
		if (p->phdrs[i].p_type == PT_LOAD)
			err = add_map(p, &p->phdrs[i], bias, ret);
	}
	return err;
}
