/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Symbol_parts: what a symbol table has of each module, for the files here that go by more than one
 * address or name.
 */
#ifndef TARGET_SYMBOL_PARTS_H
#define TARGET_SYMBOL_PARTS_H

#include "target/symbols/cu_index.h"
#include "target/symbols/symtab.h"

struct symbol_table;

struct module_list *symbol_modules(struct symbol_table *s);

/* All modules in link order: an array that is the caller's. NULL: out of memory. */
struct module **symbol_modules_in_order(struct symbol_table *s);

/* Of ifunc.c: what resolvers have returned, by their addresses. */
struct hash_map *symbol_chosen(struct symbol_table *s);

/* NULL: out of memory. */
struct debuginfo *symbol_files(struct symbol_table *s, struct module *m);

/* NULL: there are none. */
struct symtab *symbol_symtab(struct symbol_table *s, struct module *m);

/* NULL: it has no DWARF. *ret_bias: address in the target minus address in the DWARF. */
struct cu_index *symbol_units(struct symbol_table *s, struct module *m, taddr *ret_bias);

/* The unit of the code at pc. */
struct unit_here {
	struct module *module;
	struct cu *cu;
	taddr bias;
};
bool symbol_unit_at(struct symbol_table *s, taddr pc, struct unit_here *ret);

/* GONE, if whoever waits no longer wants to: symbol_table_set_interrupt(). */
MUST_CHECK struct error *symbol_check_interrupt(const struct symbol_table *s);

#endif
