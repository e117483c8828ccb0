/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Symbol: name <-> address, address <-> source line, and the calls that the compiler inlined.
 *
 * Names come from the ELF symbol tables (full or dynamic), lines and inlined calls from DWARF.
 * The compile unit of an address is found by an index of our own over all units' ranges: most
 * compilers but gcc write no .debug_aranges, and elfutils 0.188 needs them.
 *
 * A symbol_table borrows the debuginfo set and must not outlive it. Strings that it returns live as
 * long as it does. Names are as in the file, not demangled: see symbol_demangle().
 */
#ifndef TARGET_SYMBOL_H
#define TARGET_SYMBOL_H

#include "target/symbols/debuginfo.h"

struct symbol_table;

/* NULL: out of memory. */
struct symbol_table *symbol_table_new(struct debuginfo_set *files);
void symbol_table_free(struct symbol_table *s);

/* Work that may take long asks now and then: whether it is to be given up. NULL: never. */
void symbol_table_set_interrupt(struct symbol_table *s, bool (*interrupted)(void *context),
				void *context);

struct symbol {
	const char *name;      /* borrowed, linkage name           */
	taddr addr;            /* in the target                    */
	uint64_t size;         /* bytes; 0: unknown                */
	struct module *module; /* borrowed                         */
	bool function, global;
	bool resolver; /* it returns the function that is meant: ifunc.h */
};

/* Opens a module's files, and finds out what is in them: nothing is left to be done at a look. */
void symbol_prepare(struct symbol_table *s, struct module *m);

/*
 * The symbol that covers pc: of several a function, of several functions the one that begins
 * last, and of those at one address a global, then a weak, then a local one, with the fewest
 * leading underscores, then the shortest name. With no symbol of known size around pc, the
 * nearest one before it in the same section if its size is unknown. false: none.
 */
bool symbol_at(struct symbol_table *s, taddr pc, struct symbol *ret);

/* Whether DWARF describes the code around pc. */
bool symbol_has_dwarf(struct symbol_table *s, taddr pc);

/*
 * Calls "found" for every defined symbol with exactly this linkage name, module by module in
 * link order, until it returns false.
 */
void symbol_find(struct symbol_table *s, const char *name,
		 bool (*found)(void *context, const struct symbol *symbol), void *context);

/* The same in one module, whose files alone are opened. */
void symbol_find_in(struct symbol_table *s, struct module *m, const char *name,
		    bool (*found)(void *context, const struct symbol *symbol), void *context);

/* Every one of a module, until "found" returns false. */
void symbol_for_each_in(struct symbol_table *s, struct module *m,
			bool (*found)(void *context, const struct symbol *symbol), void *context);

/* One level of a source location: a function, and a line in it. */
struct source_frame {
	const char *function; /* linkage name where known, else the DWARF name; NULL: unknown     */
	const char *file;     /* full path as the compiler recorded it; NULL: no line information */
	int line, column;     /* 0: unknown                                                       */
	/* Of the innermost level, if pc is where a function begins: where that is written. */
	const char *first_file;
	int first_line;
	/* Of the outermost level: where DWARF says that the function is written; NULL: unknown. */
	const char *declared_file;
	int declared_line;
	bool inlined;    /* into the next level                                              */
	uint64_t offset; /* pc minus the function's first address; for inlined levels, minus
			    the inlined code's entry                                         */
};

/* The module that an address is in, borrowed, and the address in its file. NULL: in none. */
const struct module *symbol_module(const struct symbol_table *s, taddr pc, uint64_t *ret_address);

/*
 * The source levels of an instruction: inlined calls from the inside out, then the function
 * that holds them. Always gives at least one level, whose members may all be unknown. The array is
 * owned by s and valid until the next call; asking again for the same address is cheap.
 * pc must lie in the instruction that is meant: for a return address, give pc - 1 (offset is
 * computed against pc as given).
 */
MUST_CHECK struct error *symbol_locate(struct symbol_table *s, taddr pc,
				       const struct source_frame **ret, size_t *ret_len);

/*
 * The function, by its linkage name, that the programmer wrote around a line, in the unit of the
 * code at pc: for code that the compiler has put into functions of its own. NULL: not known.
 * *ret_several, which may be NULL: it is one of several instances of a template, any of them.
 */
const char *symbol_function_around(struct symbol_table *s, taddr pc, const char *file, int line,
				   bool *ret_several);

/* symbol_demangle() of a name that s has given, kept with it. NULL: out of memory. */
const char *symbol_shown_name(struct symbol_table *s, const char *name);

/*
 * A linkage name as its programmer wrote it: C++ (Itanium ABI, through the C++ runtime library
 * where there is one) and Fortran modules ("__mod_MOD_proc" -> "mod::proc"). Anything else is
 * copied. *ret is the caller's; NULL: out of memory.
 */
char *symbol_demangle(const char *name);

#endif
