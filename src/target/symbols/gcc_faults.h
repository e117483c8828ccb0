/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Gcc_faults: where gcc (9 to 14, measured) describes a variable wrongly, and what is right.
 *
 * Code of a construct gets entries of its own for variables of Fortran's common blocks. Without
 * optimisation these have a place on the stack that no instruction uses, with it they have none.
 * The entry of a variable of which the construct has a copy looks the same. Those for arrays that
 * were passed to the function around it are pointers without bounds.
 *
 * A function that is always inlined has its common blocks described without places.
 *
 * A static variable of a function that only its constructs use is described by its initial value,
 * as if it were a constant.
 *
 * A static variable that is declared in a construct is described as an automatic one: without
 * optimisation it has a place on the stack that no instruction uses, with it none.
 *
 * Calls of a recursive function that it has put into each other look like one, in which an argument
 * that is known is described by its value in the outermost.
 */
#ifndef TARGET_GCC_FAULTS_H
#define TARGET_GCC_FAULTS_H

#include "target/symbols/variable_reader.h"

/* The entry in a common block of one of the functions around "function" that a variable in that was
 * made of: it has the same declaration. Code of constructs between them has entries like that
 * variable's. false: it was written there, or is in no common block. */
bool gcc_faults_original(const struct variable_unit *u, Dwarf_Die *die, Dwarf_Die *function,
			 Dwarf_Die *ret, Dwarf_Die *ret_function);

/* An entry of the same variable of a common block that has a place. false: there is none. */
bool gcc_faults_placed(struct variable_unit *u, Dwarf_Die *die, Dwarf_Die *ret);

/* Where a static variable is that is described wrongly. */
enum gcc_static {
	GCC_STATIC_NONE,    /* it is none                                  */
	GCC_STATIC_ONE,     /* at an address in the file                   */
	GCC_STATIC_LOCAL,   /* at an offset in the storage of each thread  */
	GCC_STATIC_SEVERAL, /* it cannot be told which of several is meant */
};

/* A variable that is described by a value; NONE: it is a constant. */
enum gcc_static gcc_faults_static(struct variables *v, struct variable_unit *u, struct target *t,
				  Dwarf_Die *die, taddr *ret);

/*
 * A variable of a function that has no place, or one in its frame: a static one of that name that
 * nothing else describes and that the code of the function refers to. Thread-local ones of
 * libraries are found where each has a slot of its own.
 */
enum gcc_static gcc_faults_declared(struct variables *v, struct variable_unit *u, struct target *t,
				    Dwarf_Die *die, Dwarf_Die *function, taddr *ret);

/*
 * An argument that is described by a value, in a function at pc: several calls of it may be there,
 * as the line of its first statement begins more than once.
 */
bool gcc_faults_folded(struct variables *v, Dwarf_Die *die, Dwarf_Die *function, taddr pc);

#endif
