/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Code_places: to which of some static variables the code of functions refers.
 *
 * For the files here that read DWARF, as die.h.
 */
#ifndef TARGET_CODE_PLACES_H
#define TARGET_CODE_PLACES_H

#include "target/process/target.h"
#include "target/symbols/die.h"

enum { CODE_PLACES_MAX = 8 };

struct code_places {
	bool local; /* thread-local ones: addr is that in the storage of each thread */
	taddr bias; /* where they count from; of thread-local ones, seen from the thread pointer */
	bool by_slots; /* thread-local ones of a library */
	struct {
		taddr addr;
		uint64_t size;
		bool referred;
	} place[CODE_PLACES_MAX];
	size_t n;
};

/* false: there are too many. */
bool code_places_add(struct code_places *p, taddr addr, uint64_t size);

/* Marks those that the code of a function refers to; bias: of its module. */
void code_places_look(struct code_places *p, struct target *t, Dwarf_Die *function, taddr bias);

/* How many are marked; *ret is the last of them. */
size_t code_places_referred(const struct code_places *p, taddr *ret);

#endif
