/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Libomp_threads: the runtime's number of each thread (gtid), and __kmp_threads, its table of
 * threads by that number.
 *
 * A thread has its number in a thread-local variable, __kmp_gtid. Where that is, the relocations
 * tell: the module's number in the dynamic linker's vector, or the distance from the thread pointer
 * (struct arch: tls_module, tls_distance). The table is the word in the runtime's variables that
 * proves to be it: for each thread that has a number, the entry of that number holds the pthread_t
 * of that thread, which is its thread pointer.
 *
 * Where no such variable can be found (libomp linked into the program, a C library that is not
 * glibc), the pthread_t alone has to lead to the table, and the table tells the numbers.
 */
#ifndef OMPD_LIBOMP_THREADS_H
#define OMPD_LIBOMP_THREADS_H

#include "ompd/libomp/libomp_image.h"
#include "ompd/picture/pthreads.h"

enum { LIBOMP_GTID_END = 1 << 20 }; /* numbers are below */

struct libomp_thread {
	pid_t lwp;
	int gtid;       /* -1: none                                                     */
	taddr variable; /* where it has __kmp_gtid; 0: known from the table only        */
	taddr pthread;  /* its pthread_t                                                */
};

/* Where a thread has its number. */
struct libomp_number {
	uint64_t module; /* number in the dynamic linker's vector; 0: it has a fixed distance */
	uint64_t offset; /* in the module's block, or from the thread pointer        */
};

struct libomp_threads {
	struct libomp_thread
		*items; /* owned; threads with a thread pointer, in the order of the target's */
	size_t len;
	pid_t pid;       /* of the target                                             */
	size_t numbered; /* how many have a number                                    */
	taddr table;     /* address of __kmp_threads; 0: none is proven               */
	bool ambiguous;  /* several could be it                                       */
	/* How they were found, for a later stop: */
	bool has_number; /* by the next one                                            */
	struct libomp_number number;
	uint64_t generation;     /* of their vectors, at least: older ones are of other modules */
	uint64_t pthread_offset; /* of the pthread_t in what the table points to       */
};

/* What is known beforehand. */
struct libomp_threads_hints {
	bool layout;      /* the next one is known                                  */
	uint64_t pthread; /* offset of the pthread_t in what the table points to    */
	taddr table;      /* where __kmp_threads is said to be; 0: nobody said      */
};

/*
 * Numbers without a layout are what the threads' variables say, unproven, and there is no table
 * then. Errors only for lack of memory.
 */
MUST_CHECK struct error *libomp_threads_find(const struct libomp_image *i,
					     const struct runtime_list *runtimes,
					     const struct libomp_threads_hints *hints,
					     struct libomp_threads *ret);
void libomp_threads_fini(struct libomp_threads *t);

/*
 * The threads of a later stop, by what has been found before: those of which pthreads knows the id,
 * no others. false: that does not fit any longer, and they are as before: find them anew. Of the
 * image no bytes are needed.
 */
bool libomp_threads_renew(struct libomp_threads *t, const struct libomp_image *i,
			  const struct pthreads *pthreads);

/* NULL: not a thread with a number. */
const struct libomp_thread *libomp_threads_get(const struct libomp_threads *t, pid_t lwp);

#endif
