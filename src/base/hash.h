/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Hash: words or texts into one number, to find them by, or to see whether they are still the same
 * (FNV-1a, by words).
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_START UINT64_C(0xcbf29ce484222325)

static inline uint64_t hash_add(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * UINT64_C(0x100000001b3);
	return hash ^ hash >> 32;
}

/* A text, and its end. NULL is another one than "". */
static inline uint64_t hash_text(uint64_t hash, const char *text)
{
	for (; text && *text; text++)
		hash = hash_add(hash, (unsigned char)*text);
	return hash_add(hash, text != NULL);
}

#endif
