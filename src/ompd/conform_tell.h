/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Conform_tell: what a check of an OMPD library knows, and how it tells of contradictions: one line
 * each, with the routine, what it was asked, what it has answered, and what was expected.
 */
#ifndef OMPD_CONFORM_TELL_H
#define OMPD_CONFORM_TELL_H

#include "ompd/client/walk_state.h"

enum { STATES_MAX = 256, NAME = 64, VARIABLES_MAX = 4096 };

struct conform {
	struct library_api api;
	void *dl;       /* owned                   */
	struct walk *w; /* borrowed, for one check */
	int runtime;
	const char *routine; /* that is asked                                              */
	ompd_address_space_handle_t *space;
	ompd_word_t states[STATES_MAX];
	size_t nstates;
	struct openmp_icv_row icvs[OPENMP_ICVS_MAX]; /* names are owned                        */
	size_t nicvs;
};

/* What a check is about: as far as it is known. */
struct subject {
	char name[NAME];
	int thread;                             /* of the picture, as the others are; -1: none */
	int region, task;                       /* -1: none, or not known                      */
	long level;                             /* of the region; 0: of none                   */
	ompd_thread_handle_t *th;               /* by which it is come to                      */
	ompd_parallel_handle_t *parallel;       /* of checks of regions                        */
	ompd_task_handle_t *implicit, *running; /* of checks of tasks                          */
};

/* Calls a routine; one that the library lacks is told of once, in the beginning. */
#define CALL(c, entry, ...)                                                                        \
	((c)->routine = "ompd_" #entry,                                                            \
	 (c)->api.entry ? (c)->api.entry(__VA_ARGS__) : ompd_rc_unsupported)

void conform_tell(struct conform *c, const char *asked, const char *expected, const char *got, ...)
	PRINTF_LIKE(4, 5);

/* Each tells if it is not so. */
bool conform_expect_rc(struct conform *c, ompd_rc_t got, ompd_rc_t wanted, const char *asked);
void conform_expect_number(struct conform *c, int64_t got, int64_t wanted, const char *asked);
/* Two handles are of the same thing: what their comparison has given. */
void conform_expect_same(struct conform *c, ompd_rc_t rc, int order, const char *asked);
bool conform_expect_text(struct conform *c, ompd_rc_t rc, const char *text, const char *asked);
/* Nonsense is not answered: which of the codes it is differs between versions of the standard. */
void conform_expect_refused(struct conform *c, ompd_rc_t got, const char *asked);
/* What may not be known must not be wrong: any other failure is. */
bool conform_is_answered(struct conform *c, ompd_rc_t got, const char *asked);

#endif
