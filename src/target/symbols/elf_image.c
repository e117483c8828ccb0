/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/elf_image.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "target/modules/dynamic.h"

enum { VDSO_MAX = 1 << 20 }; /* it has two pages */

/* Our own vdso. Its section headers are the last thing in it. */
static const void *own_vdso(size_t *ret_size)
{
	const Elf64_Ehdr *header = (const void *)getauxval(AT_SYSINFO_EHDR);

	*ret_size = header ? header->e_shoff + (size_t)header->e_shnum * header->e_shentsize : 0;
	return header;
}

static bool read_own(void *context, uint64_t from, void *ret, size_t len)
{
	size_t size;
	const char *own = own_vdso(&size);

	(void)context;
	if (from > size || len > size - from)
		return false;
	memcpy(ret, own + from, len);
	return true;
}

struct error *elf_image_of_vdso(struct target *t, const struct module *m, struct buf *ret)
{
	size_t own_size, size = m->end > m->start ? m->end - m->start : 0;
	const void *own = own_vdso(&own_size);
	struct build_id own_id;

	build_id_read(read_own, NULL, 0, true, &own_id);
	if (own_id.len && build_id_equal(&own_id, &m->build_id)) {
		buf_add(ret, own, own_size);
		return buf_ok(ret) ? NULL : &error_nomem;
	}
	if (!size || size > VDSO_MAX)
		return error_new(ERROR_BAD_DATA, "the vdso claims %zu bytes", size);
	AUTO_FREE void *copy = malloc(size);
	if (!copy)
		return &error_nomem;
	struct error *err = target_read(t, m->start, copy, size);
	if (err)
		return err;
	buf_add(ret, copy, size);
	return buf_ok(ret) ? NULL : &error_nomem;
}

static const char section_names[] = "\0.dynsym\0.dynstr\0.shstrtab";

/* The file: its header, section headers, symbols, their names, names of sections. */
struct file {
	Elf64_Ehdr header;
	Elf64_Shdr sections[4];
};

static struct file file_of(const struct target *t, const struct module *m, const struct dynamic *d,
			   uint64_t symbols_size)
{
	uint64_t symbols = sizeof(struct file), strings = symbols + symbols_size;

	return (struct file){
		.header = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
					 ELFDATA2LSB, EV_CURRENT },
			    .e_type = ET_DYN,
			    .e_machine = t->arch ? t->arch->elf_machine : EM_X86_64,
			    .e_version = EV_CURRENT,
			    .e_shoff = offsetof(struct file, sections),
			    .e_ehsize = sizeof(Elf64_Ehdr),
			    .e_shentsize = sizeof(Elf64_Shdr),
			    .e_shnum = 4,
			    .e_shstrndx = 3 },
		.sections = {
			[1] = { .sh_name = 1,
				.sh_type = SHT_DYNSYM,
				.sh_flags = SHF_ALLOC,
				.sh_addr = d->symbols - m->bias,
				.sh_offset = symbols,
				.sh_size = symbols_size,
				.sh_link = 2,
				.sh_info = 1,
				.sh_addralign = 8,
				.sh_entsize = sizeof(Elf64_Sym) },
			[2] = { .sh_name = 9,
				.sh_type = SHT_STRTAB,
				.sh_flags = SHF_ALLOC,
				.sh_addr = d->strings - m->bias,
				.sh_offset = strings,
				.sh_size = d->strings_size,
				.sh_addralign = 1 },
			[3] = { .sh_name = 17,
				.sh_type = SHT_STRTAB,
				.sh_offset = strings + d->strings_size,
				.sh_size = sizeof(section_names),
				.sh_addralign = 1 },
		},
	};
}

struct error *elf_image_of_exports(struct target *t, const struct module *m, struct buf *ret)
{
	struct dynamic d = { 0 };
	uint32_t n = 0;
	struct error *err = dynamic_read(t, m, &d);

	if (!err)
		err = dynamic_count_symbols(t, &d, &n);
	if (err)
		return err;
	uint64_t symbols_size = (uint64_t)n * sizeof(Elf64_Sym);
	if (!dynamic_inside(m, d.symbols, symbols_size))
		return error_new(ERROR_BAD_DATA, "%u dynamic symbols are not within the file", n);
	AUTO_FREE char *copy = malloc(symbols_size + d.strings_size);
	if (!copy)
		return &error_nomem;
	err = target_read(t, d.symbols, copy, symbols_size);
	if (!err)
		err = target_read(t, d.strings, copy + symbols_size, d.strings_size);
	if (err)
		return error_add(err, "reading dynamic symbols");
	struct file file = file_of(t, m, &d, symbols_size);
	buf_add(ret, &file, sizeof(file));
	buf_add(ret, copy, symbols_size + d.strings_size);
	buf_add(ret, section_names, sizeof(section_names));
	return buf_ok(ret) ? NULL : &error_nomem;
}
