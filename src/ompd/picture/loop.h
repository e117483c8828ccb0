/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Loop: a worksharing loop, or sections, that a thread is in, as its code and the runtime tell.
 *
 * Compilers hand some loops to the runtime chunk by chunk, and reckon others themselves. Of the
 * first the call for the next chunk says where the present one is, and the runtime's memory what is
 * left; of the second only clang's have a call, at their beginning.
 *
 * Numbers have 64 bits; whether they have a sign the loop says. Some count from the first
 * iteration, others are values of the user's variable: libgomp's are, unless loops are collapsed,
 * and clang's are not.
 */
#ifndef OMPD_LOOP_H
#define OMPD_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

enum schedule_kind {
	SCHEDULE_UNKNOWN,
	SCHEDULE_STATIC,
	SCHEDULE_DYNAMIC,
	SCHEDULE_GUIDED,
	SCHEDULE_AUTO,
	SCHEDULE_RUNTIME,
	SCHEDULE_STEALING, /* each thread has its part; who has done his, steals of others */
	SCHEDULE_TRAPEZOIDAL,
	NUM_SCHEDULES,
};

struct schedule {
	enum schedule_kind kind;
	bool monotonic, nonmonotonic; /* where that is said                               */
	bool ordered;
	bool distributes; /* among the teams of a league                                    */
	uint64_t chunk;   /* iterations; 0: none is given, or not known                   */
};

/* A name: "static"; NULL: not known. */
const char *schedule_name(enum schedule_kind kind);
/* "dynamic, 4, nonmonotonic", "not known" */
void schedule_add(struct buf *out, const struct schedule *s);

/* What a call into a runtime does in a loop. */
enum loop_role {
	LOOP_NONE,
	LOOP_BEGIN,  /* the loop begins; afterwards the thread may have a chunk           */
	LOOP_NEXT,   /* asks for another chunk                                            */
	LOOP_END,    /* all chunks are done                                               */
	LOOP_STATIC, /* the loop begins, with all that the thread gets                  */
	LOOP_STATIC_END,
};

enum { LOOP_NO_ARGUMENT = 0 };

/* The calls whose names begin and end so; NULL ends a table, the first row that fits counts. */
struct loop_call {
	const char *start, *end;
	enum loop_role role;
	/* Arguments, from 1 on; LOOP_NO_ARGUMENT: none. */
	uint8_t lower, upper; /* addresses of where the chunk is written to                */
	uint8_t schedule;     /* its kind as a number of the runtime's                   */
	uint8_t bytes;        /* of the chunk's numbers                                    */
	bool is_unsigned, inclusive, counts, sections;
	bool prepares; /* of BEGIN: the thread has no chunk before it asks for one        */
};

/* What is known of the loop. */
struct loop_facts {
	bool sections;
	bool is_unsigned;
	bool counts;     /* iterations, from 0 on: else values of the variable            */
	uint8_t bytes;   /* of the numbers                                            */
	bool in_runtime; /* the thread is in the call that gives it chunks, or on its way there: it
			    has none                                               */
	struct schedule in_force;
	bool has_chunk; /* the thread has iterations from first to last, both included   */
	uint64_t first, last;
	bool open; /* "last" is the first number behind them, until a step says which is before */
	bool has_step; /* of the numbers                                                */
	int64_t step;
	bool has_left; /* what no thread has got                                          */
	bool left_own; /* that is of this thread alone: each has a part to begin with      */
	uint64_t left; /* iterations                                                      */
	bool has_next;
	uint64_t next; /* the first of those that are left                                */
	bool has_total;
	uint64_t total;  /* iterations                                                    */
	uint64_t object; /* address of what the runtime keeps for it; 0: nothing, not known */
};

#endif
