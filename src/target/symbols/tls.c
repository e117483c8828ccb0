/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/tls.h"

#include <elf.h>

#include "target/symbols/symbol_parts.h"

enum { HEADERS_MAX = 64 };

/* The segment that thread-local storage of a module is made of. false: it has none. */
static bool segment_of(struct target *t, const struct module *m, Elf64_Phdr *ret)
{
	Elf64_Ehdr file;

	if (!memory_try_read(t->memory, m->base, &file, sizeof(file)) || file.e_phnum > HEADERS_MAX)
		return false;
	for (size_t i = 0; i < file.e_phnum; i++) {
		if (!memory_try_read(t->memory, m->base + file.e_phoff + i * sizeof(*ret), ret,
				     sizeof(*ret)))
			return false;
		if (ret->p_type == PT_TLS)
			return true;
	}
	return false;
}

/* Bytes of the program's block: it ends at the thread pointer, and begins as its segment does. */
static uint64_t block_size(const Elf64_Phdr *h)
{
	uint64_t align = h->p_align ? h->p_align : 1;

	return h->p_memsz + (0 - h->p_vaddr - h->p_memsz) % align;
}

bool tls_program_block(struct target *t, const struct module *module, taddr *ret)
{
	Elf64_Phdr segment;

	if (!module->is_exe || !segment_of(t, module, &segment))
		return false;
	*ret = 0 - block_size(&segment);
	return true;
}

static bool check_offset(const Elf64_Phdr *h, bool may_be_address, uint64_t *offset)
{
	if (may_be_address && *offset >= h->p_vaddr && *offset - h->p_vaddr <= h->p_memsz)
		*offset -= h->p_vaddr;
	return *offset <= h->p_memsz;
}

static bool first_symbol(void *context, const struct symbol *symbol)
{
	*(taddr *)context = symbol->addr;
	return false;
}

/* Where struct link_map keeps the number of its block: { bits, elements, offset }. */
static bool number_offset(struct symbol_table *s, struct target *t, uint32_t *ret)
{
	taddr at = 0;
	uint32_t field[3];

	symbol_find(s, "_thread_db_link_map_l_tls_modid", first_symbol, &at);
	if (!at || !memory_try_read(t->memory, at, field, sizeof(field)) || field[0] != 64)
		return false;
	*ret = field[2];
	return true;
}

static bool read_word(struct target *t, taddr at, uint64_t *ret)
{
	return memory_try_read(t->memory, at, ret, sizeof(*ret));
}

static const char *library_block(const struct tls_query *q, struct target *t, taddr tp, taddr *ret)
{
	uint64_t number, dtv, highest, block;
	uint32_t offset;

	if (!q->module->link_map || !number_offset(q->symbols, t, &offset))
		return "thread-local variables of libraries are found with glibc alone";
	if (!read_word(t, q->module->link_map + offset, &number) || !number ||
	    !read_word(t, tp + 8, &dtv) || !read_word(t, dtv - 16, &highest))
		return "the thread's table of thread-local storage cannot be read";
	if (number > highest || !read_word(t, dtv + 16 * number, &block) || block == UINT64_MAX)
		return "the thread has not used that library's thread-local storage yet";
	*ret = block;
	return NULL;
}

const char *tls_find(void *context, uint64_t offset, taddr *ret)
{
	const struct tls_query *q = context;
	taddr tp, block;
	Elf64_Phdr segment;

	if (!q->thread)
		return "it is thread-local, and no thread is selected";
	struct target *t = symbol_modules(q->symbols)->target;
	struct error *err = target_get_uint(t, q->thread, t->arch->thread_pointer, &tp);
	error_ignore(err);
	if (err || !tp)
		return "the thread has no thread-local storage yet";
	bool known = segment_of(t, q->module, &segment);
	if (known && !check_offset(&segment, q->may_be_address, &offset))
		return "it is not in its module's thread-local storage";
	if (q->module->is_exe && known) {
		*ret = tp - block_size(&segment) + offset;
		return NULL;
	}
	const char *why = library_block(q, t, tp, &block);
	if (!why)
		*ret = block + offset;
	return why;
}
