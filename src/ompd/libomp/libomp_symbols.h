/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Libomp_symbols: where a libomp, stripped or not, keeps what libompd asks for by name.
 *
 * libompd looks up some 160 local symbols, which distributions strip away. What .symtab does not
 * say is recovered from the running image and verified: the block of layout words by its anchor and
 * by the values it must hold, __kmp_threads by the pthread id of every thread, ICVs by the code of
 * exported getters and by what they may be. What cannot be verified is not answered.
 *
 * Addresses hold as long as the runtime is mapped, threads for one stop of the target. x86-64 and
 * its C libraries only.
 */
#ifndef OMPD_LIBOMP_SYMBOLS_H
#define OMPD_LIBOMP_SYMBOLS_H

#include "ompd/picture/pthreads.h"
#include "ompd/picture/runtime.h"
#include "target/symbols/symbol.h"

struct libomp_symbols;

enum libomp_status {
	LIBOMP_READY,           /* libompd can be used                                        */
	LIBOMP_NOT_INITIALIZED, /* mapped, but no OpenMP construct has run yet                */
	LIBOMP_NO_OMPD,         /* built without OMPD, or its layout words were optimised away */
	LIBOMP_UNVERIFIED,      /* found something that contradicts itself                    */
};

/*
 * Finds and verifies; the target must be stopped. symbols: of the files, for those that are not
 * stripped: what they say is looked at first; NULL: no file is opened, all comes from memory.
 * Borrows nothing after it returns. Errors only for lack of memory: everything else is a status.
 */
MUST_CHECK struct error *libomp_symbols_new(const struct runtime_list *runtimes,
					    const struct runtime *runtime,
					    struct symbol_table *symbols,
					    struct libomp_symbols **ret);
void libomp_symbols_free(struct libomp_symbols *s);

/*
 * Looks at the threads of a later stop: those of which pthreads knows the id, no others. false:
 * what is known does not fit any longer: make it anew.
 */
bool libomp_symbols_renew(struct libomp_symbols *s, const struct runtime_list *runtimes,
			  const struct runtime *runtime, const struct pthreads *pthreads);

enum libomp_status libomp_symbols_status(const struct libomp_symbols *s);
/* "symbols recovered", "symbols from .symtab", or why not: for people. */
const char *libomp_symbols_note(const struct libomp_symbols *s);

/*
 * The address of a symbol; th: for thread-locals (__kmp_gtid), else NULL. false: not known, or
 * this thread has never touched the runtime, or the status is not READY. Some (ompd_state,
 * __kmp_openmp_version) are answered with addresses that no memory is at: libomp_symbols_read()
 * reads those.
 *
 * ompd_state is always said to be 1: without that libompd would not tell the functions of tasks. So
 * what it says of states, frames and wait ids is garbage, as the runtime may not keep them.
 */
bool libomp_symbols_find(const struct libomp_symbols *s, const char *name, const struct thread *th,
			 taddr *ret);

/* Answers a read at an address of that kind. false: it is none, read the target. */
bool libomp_symbols_read(const struct libomp_symbols *s, taddr from, size_t len, void *ret);

/*
 * The runtime's number of a thread (gtid), as its table of threads confirms it; false: the runtime
 * does not know the thread, or the status is not READY.
 */
bool libomp_symbols_gtid(const struct libomp_symbols *s, const struct thread *th, int *ret);

/* Where each thread has that number; false: only the table tells it, or the status is not READY. */
struct libomp_number;
bool libomp_symbols_number(const struct libomp_symbols *s, struct libomp_number *ret);

#endif
