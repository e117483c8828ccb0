/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Runtime: the OpenMP runtimes in a target, found by what they export and never by their names.
 *
 * In a program that is linked statically the runtime is a part of the program, as it may be in one
 * that is not (libgomp.a): there it is found by the program's symbols, if those are not stripped.
 *
 * There may be several, of several kinds, and several copies of one: each is a runtime of its own.
 * Runtime also tells whose code is at an address, the user's, a runtime's or the system's, as the
 * latter two may be hidden in a stack. Everything comes from the target's memory.
 */
#ifndef OMPD_RUNTIME_H
#define OMPD_RUNTIME_H

#include "ompd/picture/runtime_ops.h"
#include "target/modules/exports.h"
#include "target/symbols/symbol.h"

struct runtime {
	const struct runtime_ops *ops;
	const struct module *module; /* borrowed */
	struct exports *exports;     /* borrowed from it; NULL: it is a part of the program */
};

/* What a module is to a user who reads a stack. */
enum code_kind {
	CODE_USER,
	CODE_RUNTIME, /* an OpenMP runtime                                        */
	CODE_SYSTEM,  /* the C library, the dynamic linker, the vdso               */
};

struct runtime_list {
	const struct runtime_ops *const *known; /* borrowed; that are looked for; ends with NULL */
	struct module_list *modules;            /* borrowed                                   */
	struct symbol_table *symbols; /* borrowed; if a runtime is in the program; else NULL */
	bool hidden; /* none is found, and one that has no symbols may be in the program */
	struct runtime *items; /* owned                                      */
	size_t len, cap;
	struct exports *libc;            /* borrowed, of the C library; NULL: not found          */
	struct exports *mpi;             /* borrowed, of the first MPI library; NULL: none       */
	const struct module *mpi_module; /* borrowed                                */
};

/*
 * Looks at every module, as far as that has not been done at an earlier stop: what is found hangs
 * on the module, and the list borrows it. The target must be stopped. known: runtimes that are
 * looked for, ends with NULL; what fits several is the first. symbols: for runtimes that are linked
 * into the program; NULL: without them. Errors only for lack of memory.
 */
MUST_CHECK struct error *runtime_list_read(const struct runtime_ops *const *known,
					   struct module_list *modules,
					   struct symbol_table *symbols, struct runtime_list *ret);
void runtime_list_fini(struct runtime_list *l);

/* The runtime whose code is at pc; NULL: none. */
const struct runtime *runtime_at(const struct runtime_list *l, taddr pc);
enum code_kind runtime_code_at(const struct runtime_list *l, taddr pc);
/* Of a module of the list. */
enum code_kind runtime_code_of(const struct module *m);

/* The function of an MPI library around pc, of those that programs call: "MPI_Recv"; NULL: none. */
const char *runtime_mpi_function(const struct runtime_list *l, taddr pc);

/* Whether pc is in an MPI library, or in what Fortran programs call it through. */
bool runtime_is_mpi(const struct runtime_list *l, taddr pc);

/* The name of the function around pc, of those that the runtime offers to programs; NULL: none. */
const char *runtime_function_at(const struct runtime_list *l, const struct runtime *r, taddr pc);

/* The program or a library of its own, which is no runtime, calls or defines one of these names. */
bool runtime_program_names(const struct runtime_list *l, const char *const *names);

/* The address of a symbol of a module's file; 0: there is none. */
taddr runtime_symbol(struct symbol_table *symbols, struct module *m, const char *name);

/* The address of a function or variable of the runtime's; false: it is not known. */
bool runtime_find(const struct runtime_list *l, const struct runtime *r, const char *name,
		  taddr *ret);

#endif
