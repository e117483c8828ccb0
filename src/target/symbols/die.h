/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Die: entries of DWARF (DIEs), walked and read within limits, whatever they say.
 *
 * The one header with libdw's types in it: for the files here that read DWARF, and no others.
 */
#ifndef TARGET_DIE_H
#define TARGET_DIE_H

#include <elfutils/libdw.h>

#include "base/buf.h"
#include "target/modules/ranges.h"
#include "target/symbols/dwarf_check.h"

enum {
	DIE_DEPTH_MAX = 64,        /* of nested entries                        */
	DIE_ENTRIES_MAX = 8 << 20, /* entries and ranges looked at in one walk */
};

/* A walk through the entries below one, which ends. */
struct die_walk {
	Dwarf_Die path[DIE_DEPTH_MAX]; /* from the outside in; the last one is the current entry */
	size_t depth;
	unsigned long left; /* entries and ranges that may yet be looked at: DIE_ENTRIES_MAX */
};

/* To the first entry below top. false: there is none, as in the following one. */
bool die_walk_start(struct die_walk *w, const Dwarf_Die *top);
Dwarf_Die *die_walk_here(struct die_walk *w);
/* To the next entry, which is no child of the current one unless "inside". */
bool die_walk_next(struct die_walk *w, bool inside);

/*
 * Functions lie in namespaces and modules; in functions: internal procedures of Fortran, and
 * what gcc makes out of OpenMP regions; and in classes: what gcc makes out of lambdas.
 */
bool die_may_hold_functions(int tag);

/* The address ranges of an entry, one after the other. */
struct die_ranges {
	taddr start, end; /* the range found last */
	Dwarf_Addr base;
	ptrdiff_t at; /* 0 at first           */
};
bool die_next_range(Dwarf_Die *die, struct die_ranges *r);

/* Where the code of an entry is entered, or its first range; 0: unknown. */
taddr die_entry(Dwarf_Die *die);

/* The start of its first range that is not empty, which gdb takes for its entry; 0: there is none.
 */
taddr die_start(Dwarf_Die *die);

/* Adds where the strings of an entry may be. */
void die_add_spans(Dwarf_Die *die, struct dwarf_spans *spans);

/* An attribute; 0 or NULL: not there. Strings are borrowed from the file. */
uint64_t die_number(Dwarf_Die *die, unsigned int attribute);
const char *die_string(Dwarf_Die *die, unsigned int attribute, const struct dwarf_spans *spans);

/*
 * A constant as its form has it: compilers write negative ones in forms with a sign, and leave it
 * to all others (DW_FORM_data1 to data8) to be without one: gcc writes 200 in one byte. libdw reads
 * a sign there. false: it is no constant.
 */
bool die_constant(Dwarf_Attribute *its, int64_t *ret);

/* The same of an entry, or of what it is an instance of: where it was declared, its plain name. */
uint64_t die_declared(Dwarf_Die *die, unsigned int attribute);
const char *die_plain_name(Dwarf_Die *die, const struct dwarf_spans *spans);

/* That of its unit, which what dwz has made of several does not say. */
enum die_language {
	DIE_LANGUAGE_UNKNOWN,
	DIE_LANGUAGE_OTHER,
	DIE_LANGUAGE_CXX,
	DIE_LANGUAGE_FORTRAN,
};
enum die_language die_language(Dwarf_Die *die);
bool die_is_fortran(Dwarf_Die *die);
bool die_is_cxx(Dwarf_Die *die);

/* A function that is the main program; before DWARF 4 it had a way of its own to be called. */
bool die_is_main_program(Dwarf_Die *die);

/* What an entry is an instance of: a function that is inlined here, or its argument. false: none.
 */
bool die_origin(Dwarf_Die *die, Dwarf_Die *ret);

/* Its type, or the one of what it is an instance of. false: it has none. */
bool die_type(Dwarf_Die *die, Dwarf_Die *ret);

/* Linkage name of what the entry stands for, else its plain name; NULL: it has none. */
const char *die_name(Dwarf_Die *die, const struct dwarf_spans *spans);

/* The same, but the plain name where nobody here can read the linkage name: as in gdb. */
const char *die_readable_name(Dwarf_Die *die, const struct dwarf_spans *spans);

#endif
