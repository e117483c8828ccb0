/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Dynamic: what the dynamic section of a module (PT_DYNAMIC) says of its tables, as the dynamic
 * linker left it in the target's memory.
 *
 * Nothing there is trusted: tables begin within the module, and the functions here look at a
 * bounded number of entries. Who reads a table asks dynamic_inside() for its extent first.
 */
#ifndef TARGET_DYNAMIC_H
#define TARGET_DYNAMIC_H

#include <elf.h>

#include "target/modules/module.h"

/* Addresses are those in the target, sizes are bytes; 0: there is none. */
struct dynamic {
	taddr symbols, strings; /* within the module                                       */
	uint64_t strings_size;  /* within the module, and not more than anybody needs      */
	taddr hash, gnu_hash;
	taddr versions; /* one uint16_t for each symbol (.gnu.version)             */
	taddr relocations, plt_relocations;
	uint64_t relocations_size, plt_relocations_size;
};

/* NOT_FOUND: no dynamic section; BAD_DATA, NO_ADDRESS: it makes no sense. */
MUST_CHECK struct error *dynamic_read(struct target *t, const struct module *m,
				      struct dynamic *ret);

/* All of [addr, addr + size) lies between the module's first and last mapping. */
bool dynamic_inside(const struct module *m, taddr addr, uint64_t size);

/* How many symbols there are, by the hash table: at least one. BAD_DATA, NO_ADDRESS. */
MUST_CHECK struct error *dynamic_count_symbols(struct target *t, const struct dynamic *d,
					       uint32_t *ret);

/* The symbol is defined here, for others. */
bool dynamic_is_export(const Elf64_Sym *symbol);

/* Such a symbol with that name, by the hash table. false: none, or the table makes no sense. */
bool dynamic_find(struct target *t, const struct module *m, const struct dynamic *d,
		  const char *name, Elf64_Sym *ret);

#endif
