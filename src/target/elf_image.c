/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/elf_image.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

enum {
	VDSO_MAX = 1 << 20,      /* it has two pages                      */
	DYNAMIC_MAX = 1 << 10,   /* entries; about 30 are usual           */
	SYMBOLS_MAX = 1 << 20,   /* exported by one module                */
	STRINGS_MAX = 256 << 20, /* bytes of their names                  */
	BUCKETS_MAX = 1 << 22,
};

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

/* What PT_DYNAMIC says of the symbols: addresses in the target. */
struct dynamic {
	taddr symbols, strings, hash, gnu_hash;
	uint64_t strings_size;
};

static void note_entry(struct dynamic *d, const Elf64_Dyn *entry)
{
	const struct {
		int64_t tag;
		uint64_t *into;
	} wanted[] = {
		{ DT_SYMTAB, &d->symbols },     { DT_STRTAB, &d->strings },
		{ DT_STRSZ, &d->strings_size }, { DT_HASH, &d->hash },
		{ DT_GNU_HASH, &d->gnu_hash },
	};

	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		if (wanted[i].tag == entry->d_tag)
			*wanted[i].into = entry->d_un.d_val;
	}
}

static bool inside(const struct module *m, taddr addr, uint64_t size)
{
	return addr >= m->start && addr < m->end && size <= m->end - addr;
}

/* The dynamic linker has added the bias to most addresses, but not to all of them. */
static taddr absolute(const struct module *m, taddr addr)
{
	return !addr || inside(m, addr, 1) ? addr : addr + m->bias;
}

static struct error *read_dynamic(struct target *t, const struct module *m, struct dynamic *ret)
{
	struct dynamic d = { 0 };
	Elf64_Dyn entry = { .d_tag = DT_NULL };

	if (!m->dynamic)
		return error_new(ERROR_NOT_FOUND, "no dynamic section");
	for (unsigned int i = 0; i < DYNAMIC_MAX; i++) {
		struct error *err =
			target_read(t, m->dynamic + i * sizeof(entry), &entry, sizeof(entry));
		if (err)
			return error_add(err, "reading the dynamic section");
		if (entry.d_tag == DT_NULL)
			break;
		note_entry(&d, &entry);
	}
	d.symbols = absolute(m, d.symbols);
	d.strings = absolute(m, d.strings);
	d.hash = absolute(m, d.hash);
	d.gnu_hash = absolute(m, d.gnu_hash);
	if (!inside(m, d.symbols, sizeof(Elf64_Sym)) || !inside(m, d.strings, d.strings_size) ||
	    d.strings_size > STRINGS_MAX)
		return error_new(ERROR_BAD_DATA, "the dynamic section points outside of its file");
	*ret = d;
	return NULL;
}

/* The highest symbol index in the buckets: where the last chain of the table begins. */
static struct error *last_bucket(struct target *t, taddr at, uint32_t n, uint32_t *ret)
{
	AUTO_FREE uint32_t *buckets = reallocarray(NULL, n, sizeof(*buckets));

	if (!buckets)
		return &error_nomem;
	struct error *err = target_read(t, at, buckets, n * sizeof(*buckets));
	if (err)
		return err;
	for (uint32_t i = 0; i < n; i++) {
		if (buckets[i] > *ret)
			*ret = buckets[i];
	}
	return NULL;
}

/*
 * DT_GNU_HASH does not say how many symbols there are: they end with the last chain.
 * Four words (buckets, first symbol, words of the filter, shift), the filter, buckets, chains.
 */
static struct error *count_gnu_hash(struct target *t, taddr at, uint32_t *ret)
{
	uint32_t head[4], last = 0, link = 0;
	struct error *err = target_read(t, at, head, sizeof(head));

	if (err)
		return err;
	if (!head[0] || head[0] > BUCKETS_MAX || head[2] > BUCKETS_MAX)
		return error_new(ERROR_BAD_DATA, "the symbol hash table has %u buckets", head[0]);
	taddr buckets = at + sizeof(head) + (taddr)head[2] * 8;
	taddr chains = buckets + (taddr)head[0] * 4;
	err = last_bucket(t, buckets, head[0], &last);
	if (err)
		return err;
	if (last < head[1]) {
		*ret = head[1];
		return NULL;
	}
	for (; !(link & 1); last++) {
		if (last > SYMBOLS_MAX)
			return error_new(ERROR_BAD_DATA, "a symbol hash chain does not end");
		err = target_read(t, chains + (taddr)(last - head[1]) * 4, &link, sizeof(link));
		if (err)
			return err;
	}
	*ret = last;
	return NULL;
}

static struct error *count_symbols(struct target *t, const struct dynamic *d, uint32_t *ret)
{
	uint32_t head[2], n = 0;
	struct error *err = NULL;

	if (d->gnu_hash) {
		err = count_gnu_hash(t, d->gnu_hash, &n);
	} else if (d->hash) {
		err = target_read(t, d->hash, head, sizeof(head));
		n = err ? 0 : head[1];
	}
	if (err)
		return error_add(err, "counting symbols");
	if (!n || n > SYMBOLS_MAX)
		return error_new(ERROR_BAD_DATA, "%u dynamic symbols", n);
	*ret = n;
	return NULL;
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
	struct error *err = read_dynamic(t, m, &d);

	if (!err)
		err = count_symbols(t, &d, &n);
	if (err)
		return err;
	uint64_t symbols_size = (uint64_t)n * sizeof(Elf64_Sym);
	if (!inside(m, d.symbols, symbols_size))
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
