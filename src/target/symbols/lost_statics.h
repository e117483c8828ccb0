/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Lost_statics: the static variables of functions that are inlined everywhere, as constructs of
 * OpenMP are where clang optimizes. clang (measured with 14) describes them in a function of their
 * own, which has neither name nor code; the lines of declarations tell which function they are of,
 * and, of instances of a template, the linker's names of both, or to which one's the code refers.
 *
 * For the files here that read DWARF, as die.h.
 */
#ifndef TARGET_LOST_STATICS_H
#define TARGET_LOST_STATICS_H

#include "target/symbols/die.h"
#include "target/symbols/line_table.h"
#include "target/symbols/symbol.h"

/* A call that is inlined. */
struct lost_statics {
	Dwarf_Die *root, *call; /* of its unit */
	Dwarf_Die *function;    /* around the call */
	int line;               /* up to which the call's code has come, of its own file */
	const struct dwarf_spans *spans;
	struct line_table *lines; /* NULL: it has none */
	struct symbol_table *symbols;
	struct module *module;
	taddr bias; /* of it */
};

/* Calls "found" for each that was declared there before that line, until it says false. */
void lost_statics_each(const struct lost_statics *s, bool (*found)(void *context, Dwarf_Die *die),
		       void *context);

#endif
