/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "core_builder.h"

#include <stdlib.h>
#include <string.h>
#include <sys/procfs.h>

#include "target/process/memory.h"

static const Elf64_Ehdr elf_header = {
	.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
	.e_machine = EM_X86_64,
	.e_version = EV_CURRENT,
	.e_phoff = sizeof(Elf64_Ehdr),
	.e_ehsize = sizeof(Elf64_Ehdr),
	.e_phentsize = sizeof(Elf64_Phdr),
	.e_shentsize = sizeof(Elf64_Shdr),
};

void core_builder_init(struct core_builder *b)
{
	*b = (struct core_builder){ .header = elf_header };
	b->header.e_type = ET_CORE;
}

void core_builder_fini(struct core_builder *b)
{
	buf_fini(&b->notes);
	vec_fini(&b->loads);
}

static void pad(struct buf *b, size_t align)
{
	while (b->len % align)
		buf_addc(b, '\0');
}

static void add_note(struct buf *to, const char *name, uint32_t type, const void *desc, size_t len)
{
	Elf64_Nhdr nh = { (uint32_t)strlen(name) + 1, (uint32_t)len, type };

	buf_add(to, &nh, sizeof(nh));
	buf_add(to, name, nh.n_namesz);
	pad(to, 4);
	buf_add(to, desc, len);
	pad(to, 4);
}

void core_add_note(struct core_builder *b, const char *name, uint32_t type, const void *desc,
		   size_t len)
{
	add_note(&b->notes, name, type, desc, len);
}

void core_add_thread(struct core_builder *b, pid_t lwp, uint8_t fill)
{
	struct elf_prstatus status = { .pr_pid = lwp };

	memset(&status.pr_reg, fill, sizeof(status.pr_reg));
	core_add_note(b, "CORE", NT_PRSTATUS, &status, sizeof(status));
}

void core_add_process(struct core_builder *b, pid_t pid, const char *name, const char *args)
{
	struct elf_prpsinfo info = { .pr_pid = pid };

	memcpy(info.pr_fname, name, strnlen(name, sizeof(info.pr_fname)));
	memcpy(info.pr_psargs, args, strnlen(args, sizeof(info.pr_psargs)));
	core_add_note(b, "CORE", NT_PRPSINFO, &info, sizeof(info));
}

void core_add_signal(struct core_builder *b, int signal)
{
	int info[32] = { signal };

	core_add_note(b, "CORE", NT_SIGINFO, info, sizeof(info));
}

void core_add_auxv(struct core_builder *b, uint64_t type, uint64_t value)
{
	uint64_t auxv[] = { type, value, AT_NULL, 0 };

	core_add_note(b, "CORE", NT_AUXV, auxv, sizeof(auxv));
}

void core_add_files(struct core_builder *b, uint64_t page_size, const struct core_file_row *rows,
		    size_t n)
{
	struct buf desc = { 0 };
	uint64_t head[] = { n, page_size };

	buf_add(&desc, head, sizeof(head));
	for (size_t i = 0; i < n; i++) {
		uint64_t entry[] = { rows[i].start, rows[i].end, rows[i].offset };
		buf_add(&desc, entry, sizeof(entry));
	}
	for (size_t i = 0; i < n; i++)
		buf_add(&desc, rows[i].path, strlen(rows[i].path) + 1);
	core_add_note(b, "CORE", NT_FILE, desc.data, desc.len);
	buf_fini(&desc);
}

void core_add_load(struct core_builder *b, uint64_t address, uint64_t memory_size,
		   const void *bytes, uint64_t file_size, uint32_t flags)
{
	struct core_load load = {
		.header = { .p_type = PT_LOAD,
			    .p_flags = flags,
			    .p_vaddr = address,
			    .p_memsz = memory_size,
			    .p_filesz = file_size },
		.bytes = bytes,
	};

	if (!vec_push(&b->loads, load))
		abort();
}

static void add_zeros(struct buf *b, size_t len)
{
	while (len--)
		buf_addc(b, '\0');
}

static void add_phdrs(const struct core_builder *b, uint64_t notes, uint64_t memory,
		      struct buf *ret)
{
	Elf64_Phdr note = { .p_type = PT_NOTE, .p_offset = notes, .p_filesz = b->notes.len };

	buf_add(ret, &note, sizeof(note));
	vec_for_each (load, &b->loads) {
		Elf64_Phdr ph = load->header;
		ph.p_offset = memory;
		memory += ph.p_filesz;
		buf_add(ret, &ph, sizeof(ph));
	}
}

void core_build(const struct core_builder *b, struct buf *ret)
{
	Elf64_Ehdr eh = b->header;
	Elf64_Shdr counter = { .sh_info = (uint32_t)b->loads.len + 1 };
	uint64_t after = sizeof(eh) + (b->loads.len + 1) * sizeof(Elf64_Phdr), memory_size = 0;

	vec_for_each (load, &b->loads)
		memory_size += load->header.p_filesz;
	eh.e_phnum = b->many ? PN_XNUM : (uint16_t)counter.sh_info;
	eh.e_shoff = b->many ? after + b->notes.len + memory_size : 0;
	buf_add(ret, &eh, sizeof(eh));
	add_phdrs(b, b->notes_last ? after + memory_size : after,
		  b->notes_last ? after : after + b->notes.len, ret);
	if (!b->notes_last)
		buf_add(ret, b->notes.data, b->notes.len);
	vec_for_each (load, &b->loads) {
		if (load->bytes)
			buf_add(ret, load->bytes, load->header.p_filesz);
		else
			add_zeros(ret, load->header.p_filesz);
	}
	if (b->notes_last)
		buf_add(ret, b->notes.data, b->notes.len);
	if (b->many)
		buf_add(ret, &counter, sizeof(counter));
}

void image_build(struct buf *ret, uint8_t id, size_t pages)
{
	enum { NOTES_AT = 512 };
	size_t start = ret->len;
	uint8_t bytes[IMAGE_ID_SIZE];
	struct buf notes = { 0 };
	Elf64_Ehdr eh = elf_header;

	memset(bytes, id, sizeof(bytes));
	add_note(&notes, "GNU", NT_GNU_ABI_TAG, "0123456789abcdef", 16);
	if (id)
		add_note(&notes, "GNU", NT_GNU_BUILD_ID, bytes, sizeof(bytes));
	Elf64_Phdr phdrs[] = {
		{ .p_type = PT_LOAD,
		  .p_filesz = pages * MEMORY_PAGE,
		  .p_memsz = pages * MEMORY_PAGE },
		{ .p_type = PT_NOTE,
		  .p_offset = NOTES_AT,
		  .p_vaddr = NOTES_AT,
		  .p_filesz = notes.len,
		  .p_memsz = notes.len,
		  .p_align = 4 },
	};
	eh.e_type = ET_DYN;
	eh.e_phnum = 2;
	eh.e_entry = MEMORY_PAGE;
	buf_add(ret, &eh, sizeof(eh));
	buf_add(ret, phdrs, sizeof(phdrs));
	add_zeros(ret, NOTES_AT - (ret->len - start));
	buf_add(ret, notes.data, notes.len);
	add_zeros(ret, MEMORY_PAGE - (ret->len - start));
	for (size_t i = MEMORY_PAGE; i < pages * MEMORY_PAGE; i++)
		buf_addc(ret, (char)(i / MEMORY_PAGE));
	buf_fini(&notes);
}
