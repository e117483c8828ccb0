/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Exports: the symbols that a module offers to others (.dynsym) and the relocations that the
 * dynamic linker has done in it, read from the target's memory through PT_DYNAMIC.
 *
 * No file is opened, so this is fit to run while the target stands still, and it works on stripped
 * libraries, deleted files and cores alike. Nothing found there is trusted: counts, indices and
 * strings are bounded by the module. Addresses are those in the target.
 */
#ifndef TARGET_EXPORTS_H
#define TARGET_EXPORTS_H

#include <elf.h>

#include "target/modules/module.h"

struct exports;

struct export
{
	const char *name;   /* borrowed from the exports                                  */
	taddr addr;         /* in the target; of a thread-local: offset in its TLS block  */
	uint64_t size;      /* 0: unknown                                                 */
	bool function;      /* STT_FUNC or STT_GNU_IFUNC                                  */
	bool thread_local;  /* STT_TLS                                                    */
	bool absolute;      /* SHN_ABS: the address is a number, the same wherever it is    */
	bool other_version; /* for programs linked with an older library (foo@V, not foo@@V) */
};

/*
 * Whether the module defines this name, by its hash table: a handful of small reads. Also false
 * when it has no dynamic section or that makes no sense.
 */
bool exports_defines(struct target *t, const struct module *m, const char *name);

/*
 * Reads them all, as far as the budget has memory for them. NOT_FOUND: no dynamic section;
 * BAD_DATA, NO_ADDRESS: it makes no sense; UNSUPPORTED: too many. The exports borrow all three.
 */
MUST_CHECK struct error *exports_read(struct target *t, const struct module *m,
				      struct budget *budget, struct exports **ret);
void exports_free(struct exports *e);

/* Of a module of the same file from here on, be it of another process. */
void exports_move(struct exports *e, struct target *t, const struct module *m);

/* The definition of that name, of several versions the default one; NULL: none. What this and
 * exports_at() return is as said until the next question; the name lasts. */
const struct export *exports_find(struct exports *e, const char *name);

/*
 * The function with addr in [addr, addr + size); NULL: none. Of several at one place, the one with
 * the fewest leading underscores, then the first by name.
 */
const struct export *exports_at(struct exports *e, taddr addr);

/* .dynsym and .dynstr as they are, with addresses of the file. They live as long as the exports. */
struct exports_table {
	const Elf64_Sym *symbols;
	const char *strings;
	size_t nsymbols, strings_size;
};
struct exports_table exports_table(const struct exports *e);

/*
 * Calls "found" for each relocation of .rela.dyn and .rela.plt until it returns false. slot: where;
 * type: R_*; name: of its symbol, "" without one. They are read now, so the
 * target must stand still. BAD_DATA, NO_ADDRESS.
 */
MUST_CHECK struct error *exports_relocations(const struct exports *e,
					     bool (*found)(void *context, taddr slot, uint32_t type,
							   const char *name, int64_t addend),
					     void *context);

#endif
