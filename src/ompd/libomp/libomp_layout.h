/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Libomp_layout: the words in which libomp tells libompd how its structures are laid out.
 *
 * They are 145 variables of 8 bytes each (openmp/runtime/src/ompd-specific.h of LLVM: where a
 * member is, how large it is, which bit of a bit-field, how large a type is). Since LLVM 13 they
 * are the same and in the same order, and ompd_init() fills them in. Compilers put them one after
 * the other, clang as they are declared, gcc the other way round. So a stripped libomp is searched
 * for 145 numbers in a row, each of which has a value that it may have. Pure: numbers in, places
 * out.
 */
#ifndef OMPD_LIBOMP_LAYOUT_H
#define OMPD_LIBOMP_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LIBOMP_LAYOUT_WORDS = 145 };

/* The name of a word, in the order of declaration: "ompd_access__kmp_info_t__th". */
const char *libomp_layout_name(size_t word);

/* A word may have that value. */
bool libomp_layout_fits(size_t word, uint64_t value);

/* Where the words are: word i at first + i * step. */
struct libomp_layout_place {
	size_t first;
	int step; /* 1: as declared; -1: the other way round */
};

/* The index of a word in memory; of the one behind the last word it is where more variables follow.
 */
static inline size_t libomp_layout_index(const struct libomp_layout_place *place, size_t word)
{
	return place->step > 0 ? place->first + word : place->first - word;
}

/*
 * Looks for the words among n words of memory, at "from" and behind it. *ret_next: where to look
 * on. false: they are not there.
 */
bool libomp_layout_find(const uint64_t *memory, size_t n, size_t from,
			struct libomp_layout_place *ret, size_t *ret_next);

/* Where a kmp_info_t has its thread's pthread_t, by the values of all words. */
uint64_t libomp_layout_pthread(const uint64_t values[LIBOMP_LAYOUT_WORDS]);

#endif
