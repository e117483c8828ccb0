/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Variable_reader: what variables.c and variable_search.c share: entries of DWARF as variables.
 */
#ifndef TARGET_VARIABLE_READER_H
#define TARGET_VARIABLE_READER_H

#include "target/symbols/cu.h"
#include "target/symbols/cu_entries.h"
#include "target/symbols/symbol.h"
#include "target/symbols/symbol_parts.h"
#include "target/symbols/type_reader.h"
#include "target/symbols/variable.h"

struct variables {
	struct symbol_table *symbols; /* borrowed                     */
	struct type_reader reader;    /* owned, as is its store       */
	struct hash_map passings;     /* owned; enum variable_passing, by entries, likewise   */
	struct hash_map copied;       /* owned; whether copied_in.h knows entries, likewise   */
	struct hash_map statics;      /* owned; of gcc_faults.c, as long as the reader knows */
};

/* A unit whose entries are looked at. */
struct variable_unit {
	struct module *module;
	struct dwarf_spans spans;
	Dwarf_Die root;
	taddr bias;
	enum die_language language; /* that it may be in, where its root does not say */
};

/* Forgets what was read of files that are closed by now. */
void variable_reader_begin(struct variables *v);

/* The unit of an address. false: none. */
bool variable_reader_unit(struct variables *v, taddr pc, struct variable_unit *ret);

/* The unit of a variable of a function. false: not known. */
bool variable_reader_unit_of(struct variables *v, const struct variable *variable,
			     struct variable_unit *ret);

/* What no programmer can have written, or, of some names, what the compiler says it has made. */
bool variable_reader_is_internal(Dwarf_Die *die, const char *name);

/* The variable, function, type or enumerator at an entry; function: around it, or NULL. */
struct variable variable_reader_make(struct variables *v, struct variable_unit *u, Dwarf_Die *die,
				     const Dwarf_Die *function);

/*
 * clang describes a pointer that an inlined method has got, as "this", to an argument of the
 * function around as if it lay where that lies: of two variables at one place the pointer is the
 * address of the place. code: what DWARF says of the pointer.
 */
void variable_reader_mend(struct variables *v, const struct variable *pointer,
			  struct location_code *code);

/* Whether an entry says where its variable is, or what; a namelist is where its variables are. */
bool variables_have_place(Dwarf_Die *die);

/* Looks for the place of a variable that was found without one, and takes that in its stead. */
void variables_find_instance(struct variables *v, struct variable *variable);

#endif
