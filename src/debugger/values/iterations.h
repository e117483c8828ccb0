/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Iterations: those of a loop, from its bounds; and which of them a static schedule gives to whom.
 * Pure.
 */
#ifndef DEBUGGER_ITERATIONS_H
#define DEBUGGER_ITERATIONS_H

#include "ompd/picture/loop.h"

struct iterations {
	bool known;
	uint64_t begin, end; /* values of the first and of the last iteration             */
	int64_t step;
	uint64_t total;
};

bool iterations_is_less(bool is_unsigned, uint64_t a, uint64_t b);

/* The number of an iteration, from 0 on. false: no iteration has that value. */
bool iterations_number(const struct iterations *b, uint64_t value, uint64_t *ret);

/*
 * What a static schedule gives to a thread, by the rule that all compilers follow: the chunk around
 * an iteration. iteration NULL: not known, then chunks of a given size are not, either. false:
 * nothing, or it would be another thread's iteration.
 */
bool iterations_static_part(const struct schedule *s, const struct iterations *b, uint64_t team,
			    uint64_t number, const uint64_t *iteration, uint64_t *ret_first,
			    uint64_t *ret_last);

#endif
