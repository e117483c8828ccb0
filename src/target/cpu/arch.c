/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/cpu/arch.h"

#include <assert.h>
#include <elf.h>
#include <string.h>

static const struct arch *const archs[] = { &arch_x86_64 };

const struct arch *arch_find(uint16_t elf_machine, uint8_t elf_class)
{
	for (size_t i = 0; i < sizeof(archs) / sizeof(*archs); i++) {
		if (archs[i]->elf_machine == elf_machine && archs[i]->elf_class == elf_class)
			return archs[i];
	}
	return NULL;
}

const char *arch_machine_name(uint16_t elf_machine, uint8_t elf_class)
{
	static const struct {
		uint16_t machine;
		uint8_t elf_class; /* ELFCLASSNONE: any */
		const char *name;
	} table[] = {
		{ EM_386, ELFCLASSNONE, "i386" },
		{ EM_X86_64, ELFCLASS32, "x32" },
		{ EM_X86_64, ELFCLASSNONE, "x86-64" },
		{ EM_ARM, ELFCLASSNONE, "arm" },
		{ EM_AARCH64, ELFCLASSNONE, "aarch64" },
		{ EM_PPC, ELFCLASSNONE, "ppc" },
		{ EM_PPC64, ELFCLASSNONE, "ppc64" },
		{ EM_RISCV, ELFCLASS32, "riscv32" },
		{ EM_RISCV, ELFCLASSNONE, "riscv64" },
		{ EM_S390, ELFCLASS32, "s390" },
		{ EM_S390, ELFCLASSNONE, "s390x" },
		{ EM_LOONGARCH, ELFCLASSNONE, "loongarch" },
		{ EM_MIPS, ELFCLASSNONE, "mips" },
		{ EM_SPARCV9, ELFCLASSNONE, "sparc64" },
		{ EM_IA_64, ELFCLASSNONE, "ia64" },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		bool fits = table[i].elf_class == ELFCLASSNONE || table[i].elf_class == elf_class;
		if (table[i].machine == elf_machine && fits)
			return table[i].name;
	}
	return "an unknown processor";
}

const struct reg *arch_find_reg(const struct arch *a, const char *name)
{
	for (size_t i = 0; i < a->nregs; i++) {
		if (!strcmp(a->regs[i].name, name))
			return &a->regs[i];
	}
	return NULL;
}

const struct reg *arch_find_dwarf_reg(const struct arch *a, int dwarf)
{
	for (size_t i = 0; i < a->nregs && dwarf >= 0; i++) {
		if (a->regs[i].dwarf == dwarf)
			return &a->regs[i];
	}
	return NULL;
}

const struct reg *arch_find_wide_reg(const struct arch *a, int dwarf, uint64_t size)
{
	for (size_t i = 0; i < a->nregs && dwarf >= 0; i++) {
		const struct reg *r = &a->regs[i];
		bool is = r->dwarf == dwarf || (r->within && r->within == dwarf);
		if (is && r->size * (r->upper ? 2u : 1u) >= size)
			return r;
	}
	return NULL;
}

uint64_t arch_get(const struct reg *r, const void *set)
{
	uint64_t value = 0;

	assert(r->size <= sizeof(value) && !r->upper);
	memcpy(&value, (const uint8_t *)set + r->offset, r->size);
	return value;
}

void arch_put(const struct reg *r, void *set, uint64_t value)
{
	assert(r->size <= sizeof(value) && !r->upper);
	memcpy((uint8_t *)set + r->offset, &value, r->size);
}

static struct error *check_size(const struct reg *r, size_t set_size)
{
	size_t last = r->upper > r->offset ? r->upper : r->offset;

	if (last + r->size <= set_size)
		return NULL;
	return error_new(ERROR_BAD_DATA,
			 "register %s is missing: its register set has only %zu bytes", r->name,
			 set_size);
}

struct error *arch_copy(const struct reg *r, const void *set, size_t set_size,
			uint8_t ret[ARCH_REGISTER_MAX], size_t *ret_size)
{
	size_t parts = r->upper ? 2 : 1;
	struct error *err = check_size(r, set_size);

	assert(parts * r->size <= ARCH_REGISTER_MAX);
	if (err)
		return err;
	memcpy(ret, (const uint8_t *)set + r->offset, r->size);
	if (r->upper)
		memcpy(ret + r->size, (const uint8_t *)set + r->upper, r->size);
	*ret_size = parts * r->size;
	return NULL;
}

struct error *arch_store(const struct arch *a, const struct reg *r, void *set, size_t set_size,
			 const void *bytes, size_t size)
{
	size_t lower = size < r->size ? size : r->size, upper = r->upper ? size - lower : 0;
	struct error *err = check_size(r, set_size);
	uint64_t in_use;

	assert(lower + upper == size && upper <= r->size);
	if (err)
		return err;
	memcpy((uint8_t *)set + r->offset, bytes, lower);
	memcpy((uint8_t *)set + r->upper, (const uint8_t *)bytes + lower, upper);
	if (r->in_use) {
		memcpy(&in_use, (const uint8_t *)set + a->in_use, sizeof(in_use));
		in_use |= r->in_use;
		memcpy((uint8_t *)set + a->in_use, &in_use, sizeof(in_use));
	}
	return NULL;
}
