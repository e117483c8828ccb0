/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Symtab: the ELF symbol tables of one module, indexed by address and by name.
 *
 * Each index is made when it is first asked. Addresses are those of the file. Names are
 * borrowed from the tables, which must live longer than the symtab.
 */
#ifndef TARGET_SYMTAB_H
#define TARGET_SYMTAB_H

#include "target/symbols/debuginfo.h"

struct symtab;

struct symtab_entry {
	const char *name; /* borrowed       */
	taddr addr;       /* in the file    */
	uint64_t size;    /* 0: unknown     */
	bool function, global;
	bool resolver; /* STT_GNU_IFUNC: what is there returns the function (ifunc.h) */
};

/* NULL: out of memory. Tables that make no sense are left out. */
struct symtab *symtab_new(const struct debuginfo_symtab *tables, size_t n);
void symtab_free(struct symtab *s);

/* As symbol_at() and symbol_find() in symbol.h; false from symtab_find(): found said so. */
bool symtab_at(struct symtab *s, taddr addr, struct symtab_entry *ret);
bool symtab_find(struct symtab *s, const char *name,
		 bool (*found)(void *context, const struct symtab_entry *entry), void *context);

/* Every one that is a place, until "found" returns false. */
void symtab_for_each(struct symtab *s,
		     bool (*found)(void *context, const struct symtab_entry *entry), void *context);
/* Every thread-local variable: its address is that in the module's storage of each thread. */
void symtab_for_each_local(struct symtab *s,
			   bool (*found)(void *context, const struct symtab_entry *entry),
			   void *context);

#endif
