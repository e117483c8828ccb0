/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Ifunc: functions that the dynamic linker chooses (STT_GNU_IFUNC): their symbol is that of a
 * resolver, which returns the address of the function that is called from then on.
 *
 * What was chosen stands in slots of modules that call it: of the resolver's own by an
 * R_X86_64_IRELATIVE, of others by the name. Until it is called for the first time it may stand
 * nowhere.
 */
#ifndef TARGET_IFUNC_H
#define TARGET_IFUNC_H

#include "target/symbols/symbol.h"

/* Of the symbol of a module; resolver: its address. Reads memory. 0: not chosen yet, or unknown. */
taddr ifunc_chosen(struct symbol_table *s, struct module *m, const char *name, taddr resolver);

/* The resolver was seen to return that; and: another program is there, all that is forgotten. */
void ifunc_note(struct symbol_table *s, taddr resolver, taddr chosen);
void ifunc_forget(struct symbol_table *s);

#endif
