/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Getter: what a small accessor function of libgomp's returns, found by following its code.
 *
 * omp_get_thread_num() returns thread->ts.team_id: its few instructions say where in thread-local
 * storage that is. Following the values through registers, along both sides of each branch, gives
 * the same answer for whatever order and registers a distribution's compiler chose; an instruction
 * that is not known ends the way without an answer. Pure: code in, paths out.
 */
#ifndef OMPD_GOMP_GETTER_H
#define OMPD_GOMP_GETTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GOMP_PATH_LOADS = 4, GOMP_GETTER_CODE = 128 };

enum gomp_root {
	GOMP_ROOT_UNKNOWN,
	GOMP_ROOT_CONSTANT, /* the value is add */
	GOMP_ROOT_STATIC,   /* starts at add or, with loads, at[0]   */
	GOMP_ROOT_THREAD,   /* starts at the thread pointer + the word at slot (or tpoff) + at[0] or
			       add */
};

/*
 * A value: from its root through loads, each at an offset from what was loaded before; "add" is
 * added last. THREAD, loads { 88, 213 }: *(*(thread + 88) + 213).
 */
struct gomp_path {
	enum gomp_root root;
	uint64_t slot; /* of THREAD: the GOT entry with the offset from the thread pointer; 0: tpoff
			  has it */
	int64_t tpoff;
	uint8_t nloads;
	uint8_t size; /* of the last load */
	int64_t at[GOMP_PATH_LOADS];
	int64_t add;
};

enum { GOMP_GETTER_RETURNS = 12 };

struct gomp_getter {
	size_t n;
	struct gomp_path returns[GOMP_GETTER_RETURNS]; /* each once */
	struct gomp_path locks; /* the address of the first lock cmpxchg; UNKNOWN: there is none */
};

/* Follows the function whose code starts at pc; what lies beyond len is not known. */
void gomp_getter_follow(const uint8_t *code, size_t len, uint64_t pc, struct gomp_getter *ret);

/* The only path of that root and number of loads that is returned; NULL: none, or several. */
const struct gomp_path *gomp_getter_find(const struct gomp_getter *g, enum gomp_root root,
					 uint8_t nloads);

#endif
