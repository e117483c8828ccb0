/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Wait_words: waits in words, for all outputs.
 */
#ifndef DEBUGGER_WAIT_WORDS_H
#define DEBUGGER_WAIT_WORDS_H

#include "ompd/picture/picture.h"

/* What follows the words, in this order. */
enum wait_detail {
	WITH_NAME = 1 << 0,     /* " 'foo'"                                     */
	WITH_OBJECT = 1 << 1,   /* " 0x5581a2b31180", where no quoted name says it */
	WITH_CALL = 1 << 2,     /* " MPI_Recv()"                                */
	WITH_FD = 1 << 3,       /* in the parentheses: " read(0)"                */
	WITH_FUNCTION = 1 << 4, /* " in pthread_mutex_lock()"                   */
	WITH_ENTRY = 1 << 5,    /* " (GOMP_parallel)"                           */
	WITH_SIGNAL = 1 << 6,   /* " SIGSEGV"                                   */
};

struct wait_words {
	const char *one, *many; /* of a thread, of several: "waits at barrier"                  */
	const char *does, *do_; /* the same in a sentence: "waits at the barrier"               */
	const char *named, *all_named; /* before its variable: "waits for mutex"; NULL: one, many */
	int details;
	const char *unnamed; /* in place of a name: "MPI"                                     */
	const char *holder;  /* what the holder is to the thing: "held by"; NULL: none is shown */
	const char *turn;    /* FOR_TURN: what is waited for, "turn at ordered"                */
	const char *whose, *of; /* before the thread, in a sentence: "; it is ", "the turn of ";
				   NULL: it holds the thing */
};

/* Those of a kind; never NULL. */
const struct wait_words *wait_words(enum wait_kind kind);

/* "held by you (omp hold)"; NULL: it is not held. */
const char *wait_words_held(enum thread_held held);

#endif
