/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/core/program_headers.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "target/elf/elf_header.h"
#include "target/process/memory.h"

struct error *program_headers_read(const char *path, struct program_headers *ret, int *ret_fd)
{
	Elf64_Ehdr *eh = &ret->header;
	AUTO_CLOSE int fd = -1;
	struct error *err = file_open_regular(path, &fd, NULL);

	if (err)
		return err;
	size_t len = file_read_at(fd, 0, eh, sizeof(*eh));
	if (len != sizeof(*eh) || !elf_header_is_elf(eh, len))
		return error_new(ERROR_UNSUPPORTED, "%s is not a program (no ELF file)", path);
	err = elf_header_arch(eh, &ret->arch);
	if (err)
		return error_add(err, "%s", path);
	len = eh->e_phnum * sizeof(Elf64_Phdr);
	if (eh->e_phentsize != sizeof(Elf64_Phdr) || len > sizeof(ret->phdrs) ||
	    file_read_at(fd, eh->e_phoff, ret->phdrs, len) != len)
		return error_new(ERROR_BAD_DATA, "%s is corrupt: no program headers", path);
	ret->path = path;
	*ret_fd = TAKE_FD(fd);
	return NULL;
}

static unsigned int flags_of(const Elf64_Phdr *ph)
{
	return (ph->p_flags & PF_R ? MAP_READ : 0u) | (ph->p_flags & PF_W ? MAP_WRITE : 0u) |
	       (ph->p_flags & PF_X ? MAP_EXEC : 0u);
}

static struct error *add_map(const struct program_headers *p, const Elf64_Phdr *ph, taddr bias,
			     struct map_list *ret)
{
	uint64_t into = ph->p_vaddr % MEMORY_PAGE;
	uint64_t size = (into + ph->p_filesz + MEMORY_PAGE - 1) & ~(uint64_t)(MEMORY_PAGE - 1);
	struct map m = { .start = bias + ph->p_vaddr - into, .flags = flags_of(ph) };
	uint64_t end;

	if (!ph->p_filesz || size < ph->p_filesz || ph->p_offset < into ||
	    __builtin_add_overflow(m.start, size, &m.end) ||
	    __builtin_add_overflow(ph->p_offset, size, &end) || end > INT64_MAX)
		return NULL;
	m.offset = ph->p_offset - into;
	m.path = strdup(p->path);
	return map_list_take(ret, m);
}

struct error *program_headers_maps(const struct program_headers *p, taddr bias,
				   struct map_list *ret)
{
	struct error *err = NULL;

	for (size_t i = 0; i < p->header.e_phnum && !err; i++) {
		if (p->phdrs[i].p_type == PT_LOAD)
			err = add_map(p, &p->phdrs[i], bias, ret);
	}
	return err;
}
