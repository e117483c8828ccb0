/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Tls: where the thread-local variables of a module are, for one thread.
 *
 * The program's own block lies below the thread pointer (variant II of "ELF Handling For TLS");
 * those of libraries are in the thread's table (DTV), under the number that the C library keeps in
 * its link map. Where that is glibc says itself, in what it exports for libthread_db.
 */
#ifndef TARGET_TLS_H
#define TARGET_TLS_H

#include "target/symbols/symbol.h"

struct tls_query {
	struct symbol_table *symbols;
	struct module *module;
	struct thread *thread; /* NULL: none stands still */
	/* In split units gcc 12 writes the address in the segment, where an offset is meant. */
	bool may_be_address;
};

/* What location.h asks; context: a tls_query. NULL: *ret is the address; else why not. */
const char *tls_find(void *context, uint64_t offset, taddr *ret);

/* Where the program's own block begins, seen from the thread pointer. false: it is a library's. */
bool tls_program_block(struct target *t, const struct module *module, taddr *ret);

#endif
