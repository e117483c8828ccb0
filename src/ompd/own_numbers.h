/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Own_numbers: what a thread would be told if it asked its runtime who it is: its number, the level
 * of nesting, the size of its team. As code that is executed where it is traced (condition.h), or
 * here.
 *
 * A thread that no runtime has seen is outside of all regions: 0, 0 and 1. With several runtimes in
 * the process the one counts in whose region the thread is; if those are two, nobody can tell.
 */
#ifndef OMPD_OWN_NUMBERS_H
#define OMPD_OWN_NUMBERS_H

#include "ompd/picture/runtime_ops.h"
#include "target/modules/module.h"
#include "target/symbols/symbol.h"

struct own_numbers_source {
	struct module_list *modules;
	struct symbol_table *symbols;
	const char *ompd_library; /* as openmp.h */
};

struct own_numbers_known {
	bool late;    /* there is a runtime that has not begun, of which the code knows nothing */
	bool several; /* runtimes: the code may go wrong                                        */
};

/*
 * Adds to ret code that leaves the number on the stack, or goes wrong. The target must be stopped.
 * TOO_EARLY: there is no runtime. UNSUPPORTED: one of them does not let itself be read.
 */
MUST_CHECK struct error *own_numbers_compile(const struct own_numbers_source *source,
					     enum own_number which, struct buf *ret,
					     struct own_numbers_known *ret_known);

/* Of a thread that stands still. As before; and UNSUPPORTED: its memory tells nothing. */
MUST_CHECK struct error *own_numbers_read(const struct own_numbers_source *source,
					  enum own_number which, struct thread *th, uint64_t *ret);

#endif
