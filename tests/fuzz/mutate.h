/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Mutate: changes bytes at random, as a fuzzer does, but the same way on every machine.
 */
#ifndef FUZZ_MUTATE_H
#define FUZZ_MUTATE_H

#include <stddef.h>
#include <stdint.h>

enum { MUTATE_GROWTH = 4096 }; /* an input grows by less than this */

struct input {
	uint8_t *bytes; /* borrowed */
	size_t len, max;
};

/* Changes in by some steps; *random is the state of the random numbers, not 0. */
void mutate(struct input *in, uint64_t *random);

#endif
