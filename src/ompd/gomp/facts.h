/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Facts: what the code of libgomp's exported accessors tells about it, and which layout agrees.
 *
 * Pure: names and code in, facts out. Each fact that several accessors tell must be the same in all
 * of them, or the facts contradict and no layout agrees.
 */
#ifndef OMPD_GOMP_FACTS_H
#define OMPD_GOMP_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ompd/gomp/layout.h"

/* Variables of libgomp's that accessors return, or that entry points lock. */
enum gomp_static {
	GOMP_STATIC_ICV, /* gomp_global_icv: of initial tasks that have no record of their own */
	GOMP_STATIC_DEFAULT_LOCK,
	GOMP_STATIC_ATOMIC_LOCK,
	GOMP_STATIC_CANCEL,
	GOMP_STATIC_MAX_TASK_PRIORITY,
	GOMP_STATIC_NUM_PROCS,
	GOMP_STATIC_MAX_ACTIVE_LEVELS,
	GOMP_STATIC_NUM_TEAMS,
	GOMP_STATIC_TEAM_NUM,
	GOMP_STATIC_MAX_TEAMS,
	GOMP_STATIC_TEAMS_THREAD_LIMIT,
	GOMP_STATIC_ALLOCATOR,
	GOMP_NUM_STATICS,
};

struct gomp_variable {
	uint64_t address; /* 0: not known */
	uint8_t size;
};

struct gomp_facts {
	bool contradicts;
	uint64_t slot;              /* the GOT entry that holds tpoff; 0: tpoff is in the code */
	int64_t tpoff;              /* gomp_thread, from the thread pointer                    */
	int32_t at[GOMP_NUM_FACTS]; /* GOMP_NO_FACT: not told */
	struct gomp_variable variables[GOMP_NUM_STATICS];
};

void gomp_facts_init(struct gomp_facts *f);

/* Accessor number n: its name, and the release that brought it (0: all have it). NULL: there are
 * fewer. */
const char *gomp_facts_accessor(size_t n, int *ret_since);

/* Adds what the code of accessor n tells, which starts at pc. */
void gomp_facts_add(struct gomp_facts *f, size_t n, const uint8_t *code, size_t len, uint64_t pc);

/* Whether all that must be told is told, nothing contradicts, and the layout agrees. */
bool gomp_facts_agree(const struct gomp_facts *f, const struct gomp_layout *l);

#endif
