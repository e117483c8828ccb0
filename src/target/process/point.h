/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Point: what stops a program, and for whom; decided where the program is traced.
 *
 * Several points may share an address. A thread that comes to one is looked at by each of them in
 * the order of their numbers: its thread, then the condition, then the count of hits, then how many
 * are ignored. Who is not stopped by any of them goes on, and nobody is told.
 *
 * At the first instruction of a function a point may note who calls it (notes.h), so that others,
 * where it returns to, see those alone who return from it, and its arguments.
 */
#ifndef TARGET_POINT_H
#define TARGET_POINT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "target/cpu/arch.h"

enum point_kind {
	POINT_CODE,      /* a trap: told before the instruction there is executed           */
	POINT_CODE_HARD, /* the same by a debug register: code that cannot be written to    */
	POINT_CHANGE,    /* a debug register: told after an instruction that has changed it */
	POINT_WRITE,     /* ...that has written there, be it the same value                 */
	POINT_READ,      /* ...that has read there, and may have written; the processor stops for
			    both, and the instruction is decoded (accesses.h)               */
	POINT_ACCESS,    /* ...that has read or written                                     */
};

struct point {
	unsigned int id; /* the caller's choice; not 0                                     */
	enum point_kind kind;
	taddr addr;
	size_t size; /* of data: 1, 2, 4, 8, and addr is a multiple of it     */
	pid_t lwp;   /* whose hits count; 0: everybody's                       */
	bool own;    /* a debug register of that thread alone: what others do there is not seen */
	uint64_t sp_above;        /* counts only while the stack pointer is above that; 0: always:
				     a return to this frame, not to a deeper one of a recursion */
	const uint8_t *condition; /* borrowed; condition.h; NULL: none                      */
	size_t condition_size;    /* bytes                                                  */
	uint64_t ignore;          /* so many hits from now on stop nobody                   */
	bool asks;     /* every hit is told where the condition holds or goes wrong, and counts only
			  with target_count_hit(): there is more to it that is not for here */
	bool quiet;    /* its hits stop nobody: they are counted                                */
	bool notes;    /* ...and note who enters the function that begins there                 */
	taddr returns; /* a hit is only who returns from the function there; 0: anybody  */
	const uint8_t *tally; /* borrowed; a condition that comes to the key of a hit's row
				 (tally.h); NULL: no rows                                      */
	size_t tally_size;
};

enum { POINT_OTHERS_MAX = 8 };

struct point_state {
	uint64_t hits;    /* that counted: thread and condition held                  */
	uint64_t ignore;  /* left                                                     */
	uint64_t was, is; /* data: the value before the last hit, and after it        */
	/* Data: threads that are still to be judged and have written there, too; some of them. */
	pid_t others[POINT_OTHERS_MAX];
	size_t nothers;
	bool condition_failed; /* memory could not be read: told false; since the last time asked */
	bool argued; /* of "returns": the arguments of the last hit's call are known          */
	uint64_t arguments[ARCH_ARGUMENTS]; /* of "returns": those of the last hit's call      */
};

#endif
