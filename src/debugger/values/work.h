/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Work: a loop, or sections, that threads are in, and what its numbers mean.
 */
#ifndef DEBUGGER_WORK_H
#define DEBUGGER_WORK_H

#include "debugger/values/iterations.h"
#include "ompd/enclosing.h"
#include "ompd/picture/picture.h"

enum { WORK_LEVELS = 4 }; /* of nested loops whose variables are told */

enum work_state {
	WORK_INSIDE,
	WORK_ASKS,   /* it is in the call that gives it the next iterations              */
	WORK_AT_END, /* it waits for the others at the end                               */
	WORK_AWAY,   /* it is elsewhere: not there yet, or through with it                 */
};

/* "at end" */
const char *work_state_name(enum work_state state);

struct work_thread {
	int thread; /* of the picture                                                     */
	long number;
	enum work_state state;
	bool has_chunk, computed;
	uint64_t first, last; /* as "counts" of the loop says                              */
	int section;          /* line of the "section" directive that it is in; 0: not known */
	bool has_now;
	uint64_t now[WORK_LEVELS]; /* values of the variables, from the outside in     */
	size_t nnow;
	bool has_rest;
	uint64_t rest; /* iterations of its chunk behind the present one                   */
};

struct work {
	int region;         /* -1: none                                                   */
	struct place place; /* of the directive, or of the code in it; file is borrowed     */
	char *function;     /* owned; that the programmer wrote it in; NULL: not known       */
	const struct construct *text; /* borrowed of the source's; NULL: it cannot be read   */
	const char *schedule;         /* as the directive has it; borrowed; NULL: not at all  */
	bool sections, is_unsigned;
	bool counts; /* numbers are those of iterations, from 0 on; else of the variable     */
	struct schedule in_force;
	bool assumed; /* in_force: nobody says so, but compilers do so                      */
	bool has_bounds;
	uint64_t begin, end; /* values of the first and the last iteration                 */
	bool has_step;
	int64_t step; /* of the numbers                                                    */
	bool has_total, has_left, has_next;
	bool left_own; /* private: "left" is the sum of what threads keep for themselves     */
	uint64_t total, left, next;
	uint64_t object; /* what the runtime keeps for it                                  */
	VEC(struct work_thread) threads;
};

void work_fini(struct work *w);

/* What it says of a thread; NULL: nothing. */
const struct work_thread *work_thread_in(const struct work *w, int thread);

/* Numbers of iterations become values of the variable, where the source tells how. */
void work_use_values(struct work *work, const struct iterations *b, struct work_thread *t);
/* Steps become iterations. */
void work_use_iterations(struct work *work, struct work_thread *t);
/* How many iterations of its chunk are behind the present one. */
void work_find_rest(const struct work *work, struct work_thread *t);

#endif
