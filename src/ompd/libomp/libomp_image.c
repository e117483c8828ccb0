/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/libomp/libomp_image.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum {
	PHDRS_MAX = 64,
	COPY_MOST = 4 << 20,      /* bytes; all variables of libomp are some 70 KiB         */
	CODE_MOST = 512,          /* bytes of a function that are looked at                */
	CONSTANTS_MOST = 4 << 20, /* bytes of read-only data                                */
	CHUNK = 64 << 10,
	TEXT_MOST = 128, /* bytes of a constant string with what it begins with             */
	TLS_MOST = 64 << 10,
};

static taddr round_down(taddr addr)
{
	return addr & ~(taddr)7;
}

/* ---- segments --------------------------------------------------------------------------- */

static void note_writable(struct libomp_image *i, taddr start, taddr end)
{
	if (!i->writable_end || start < i->writable)
		i->writable = round_down(start);
	if (end > i->writable_end)
		i->writable_end = round_down(end);
}

static void note_segment(struct libomp_image *i, const Elf64_Phdr *ph)
{
	taddr start = i->runtime->module->bias + ph->p_vaddr;
	taddr end = start + ph->p_memsz;

	if (end < start)
		return;
	if (ph->p_type == PT_LOAD && (ph->p_flags & PF_W)) {
		note_writable(i, start, end);
	} else if (ph->p_type == PT_GNU_RELRO) {
		i->relro = start;
		i->relro_end = end;
	} else if (ph->p_type == PT_TLS) {
		i->tls = start;
		i->tls_size = ph->p_filesz < TLS_MOST ? ph->p_filesz : TLS_MOST;
	}
}

static void read_segments(struct libomp_image *i)
{
	struct memory *memory = i->target->memory;
	taddr base = i->runtime->module->base;
	Elf64_Ehdr eh;
	Elf64_Phdr ph[PHDRS_MAX];

	if (!memory_try_read(memory, base, &eh, sizeof(eh)) || eh.e_phentsize != sizeof(*ph))
		return;
	size_t n = eh.e_phnum < PHDRS_MAX ? eh.e_phnum : PHDRS_MAX;
	if (!memory_try_read(memory, base + eh.e_phoff, ph, n * sizeof(*ph)))
		return;
	for (size_t at = 0; at < n; at++)
		note_segment(i, &ph[at]);
}

/* The part to copy: all, or what is around a variable of libomp's. */
static void choose_part(struct libomp_image *i)
{
	uint64_t all = i->writable_end - i->writable;
	taddr near = i->writable, variable;

	i->size = all < COPY_MOST ? all : COPY_MOST;
	if (all > COPY_MOST && libomp_image_variables(i, "omp_get_cancellation", &variable, 1))
		near = round_down(variable);
	i->start = near - i->writable > COPY_MOST / 2 ? near - COPY_MOST / 2 : i->writable;
	if (i->writable_end - i->start < i->size)
		i->start = i->writable_end - i->size;
}

static void copy_pages(struct libomp_image *i)
{
	for (size_t at = 0, n; at < i->size; at += n) {
		n = MEMORY_PAGE - (i->start + at) % MEMORY_PAGE;
		if (n > i->size - at)
			n = i->size - at;
		if (!memory_try_read(i->target->memory, i->start + at, i->bytes + at, n))
			memset(i->bytes + at, 0, n);
	}
}

struct error *libomp_image_read(const struct runtime_list *runtimes, const struct runtime *runtime,
				struct libomp_image *ret)
{
	struct libomp_image i = {
		.target = runtimes->modules->target,
		.modules = runtimes->modules,
		.runtime = runtime,
	};

	read_segments(&i);
	choose_part(&i);
	i.bytes = malloc(i.size + 1);
	if (!i.bytes)
		return &error_nomem;
	if (!memory_try_read(i.target->memory, i.start, i.bytes, i.size))
		copy_pages(&i);
	*ret = i;
	return NULL;
}

void libomp_image_fini(struct libomp_image *i)
{
	free(i->bytes);
	i->bytes = NULL;
	i->size = 0;
}

/* ---- variables -------------------------------------------------------------------------- */

bool libomp_image_has(const struct libomp_image *i, taddr addr, size_t size)
{
	return addr >= i->writable && addr <= i->writable_end && i->writable_end - addr >= size;
}

bool libomp_image_uint(const struct libomp_image *i, taddr from, size_t size, uint64_t *ret)
{
	uint64_t value = 0;

	if (!memory_try_read(i->target->memory, from, &value, size))
		return false;
	*ret = value;
	return true;
}

bool libomp_image_is_heap(const struct libomp_image *i, taddr addr)
{
	enum { LEAST = 64 << 10 };
	const taddr user_end = (taddr)1 << 47;

	return addr >= LEAST && addr < user_end && addr % 8 == 0 && !module_at(i->modules, addr);
}

/* ---- code ------------------------------------------------------------------------------- */

/* Opcodes that take an address in a ModRM byte, and the size of the constant behind that. */
static const struct {
	uint8_t opcode, constant;
} forms[] = {
	{ 0x8b, 0 }, { 0x8d, 0 }, { 0x63, 0 }, { 0x39, 0 }, { 0x3b, 0 }, /* mov lea movslq cmp */
	{ 0x89, 0 }, { 0x80, 1 }, { 0x83, 1 }, { 0x81, 4 }, { 0xc7, 4 }, /* mov cmp mov       */
};

/*
 * An instruction with an operand relative to the instruction pointer (ModRM mod 0, r/m 5: Intel
 * SDM, volume 2, table 2-7). Returns its length, 0: it is none. *ret: the operand relative to code.
 */
static size_t decode(const uint8_t *code, size_t left, int64_t *ret)
{
	size_t prefix = left && (code[0] & 0xf0) == 0x40; /* REX */
	int32_t displacement;

	if (left < prefix + 6 || (code[prefix + 1] & 0xc7) != 0x05)
		return 0;
	for (size_t f = 0; f < sizeof(forms) / sizeof(*forms); f++) {
		size_t length = prefix + 6 + forms[f].constant;
		if (forms[f].opcode != code[prefix] || length > left)
			continue;
		memcpy(&displacement, code + prefix + 2, sizeof(displacement));
		*ret = (int64_t)length + displacement;
		return length;
	}
	return 0;
}

/* What is in a slot that the dynamic linker has set is where the variable is. */
static bool follow(const struct libomp_image *i, taddr operand, taddr *ret)
{
	bool slot = operand >= i->relro && operand < i->relro_end;

	*ret = operand;
	if (slot && !libomp_image_uint(i, operand, 8, ret))
		return false;
	return libomp_image_has(i, *ret, 4);
}

static bool is_among(const taddr *known, size_t n, taddr addr)
{
	while (n-- > 0) {
		if (known[n] == addr)
			return true;
	}
	return false;
}

size_t libomp_image_variables(const struct libomp_image *i, const char *function, taddr *ret,
			      size_t most)
{
	const struct export *e = exports_find(i->runtime->exports, function);
	uint8_t code[CODE_MOST];
	size_t n = 0, length;

	if (!e || !e->function)
		return 0;
	size_t size = e->size < CODE_MOST ? e->size : CODE_MOST;
	if (!memory_try_read(i->target->memory, e->addr, code, size))
		return 0;
	for (size_t at = 0; at < size && n < most; at += length ? length : 1) {
		int64_t offset;
		taddr variable;
		length = decode(code + at, size - at, &offset);
		if (length && follow(i, e->addr + at + (taddr)offset, &variable) &&
		    !is_among(ret, n, variable))
			ret[n++] = variable;
	}
	return n;
}

/* ---- constants -------------------------------------------------------------------------- */

static bool copy_text(const uint8_t *found, const uint8_t *end, char *ret, size_t size)
{
	const uint8_t *nul = memchr(found, '\0', (size_t)(end - found));
	size_t len = nul ? (size_t)(nul - found) : size;

	if (len >= size)
		return false;
	memcpy(ret, found, len + 1);
	return true;
}

/*
 * Linkers put constants before the unwind tables, with or without code between: the search begins
 * there and goes back.
 */
bool libomp_image_constant(const struct libomp_image *i, const char *text, char *ret, size_t size)
{
	const struct module *m = i->runtime->module;
	size_t len = strlen(text);
	AUTO_FREE uint8_t *chunk = malloc(CHUNK + TEXT_MOST);
	taddr end = m->eh_frame_hdr;

	if (!chunk || end <= m->start || end > m->end)
		return false;
	taddr least = end - m->start > CONSTANTS_MOST ? end - CONSTANTS_MOST : m->start;
	while (end > least) {
		taddr start = end - least > CHUNK ? end - CHUNK : least;
		size_t n = (size_t)(end - start);
		/* A string may go on in the chunk behind. */
		size_t more = m->end - end < TEXT_MOST ? (size_t)(m->end - end) : TEXT_MOST;
		if (!memory_try_read(i->target->memory, start, chunk, n + more))
			return false;
		const uint8_t *found = memmem(chunk, n + more, text, len);
		if (found && copy_text(found + len, chunk + n + more, ret, size))
			return true;
		end = start;
	}
	return false;
}
