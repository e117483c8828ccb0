/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Tally: how often something has happened, for each thread and key: counted where the program is
 * traced, and read at the end. Pure.
 */
#ifndef TARGET_TALLY_H
#define TARGET_TALLY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/map.h"

/* So many rows at most: what comes beyond that is counted without a key. */
enum { TALLY_ROWS_MAX = 1 << 16 };

struct tally_row {
	pid_t lwp;
	uint64_t key, count;
	int64_t last; /* when it was counted last: CLOCK_MONOTONIC, us */
	size_t next;  /* private: of the same hash; its index + 1 */
};

struct tally {
	struct tally_row *items; /* owned */
	size_t len, cap;
	uint64_t rest;       /* counted without a row                        */
	struct hash_map map; /* private: hash to index + 1             */
};
void tally_fini(struct tally *t);

/* Counts so many, of which the last one was then. */
void tally_add(struct tally *t, pid_t lwp, uint64_t key, uint64_t count, int64_t last);

#endif
