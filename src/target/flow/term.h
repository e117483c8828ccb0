/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Term: a number that code computes with, as far as it can be told: "1234", or "what was in rdi
 * when the function began, plus 16".
 *
 * A number that is not known gets a symbol, which says where it came from. Terms with the same
 * symbol and offset are the same number, whichever it is. The number behind a symbol may come to
 * light later: from a register that still holds it, or from the memory that it was read from.
 *
 * Code in a loop makes another number in each turn. What it made before is lost then, and so is
 * everything that was computed from that: see terms_depends().
 */
#ifndef TARGET_TERM_H
#define TARGET_TERM_H

#include <stdbool.h>

#include "base/map.h"
#include "target/cpu/arch.h"

enum {
	TERM_NUMBER = 0, /* the symbol of what is just a number                           */
	TERM_LOST = 1,   /* equal to nothing, and never to be known                        */
};

struct term {
	uint32_t symbol;
	uint64_t offset; /* added to it                                                    */
};

enum { TERM_SOURCES_MAX = 6 };

/* What a symbol stands for. */
struct symbolic {
	taddr origin;     /* where it was made: code, or memory                            */
	uint64_t context; /* by which calls code was got to                                */
	unsigned int part;
	uint32_t sources[TERM_SOURCES_MAX]; /* symbols that its number is computed from, and
					       that are not computed themselves             */
	size_t nsources;
	bool known;  /* its number                                                         */
	bool pinned; /* that was found, not computed                                       */
	uint64_t number;
	uint32_t tells_of; /* it is not zero where that symbol is not; 0: of none          */
	bool negated;      /* where that one is zero, rather                               */
	uint32_t next;     /* of the same hash; 0: none                                    */
};

/* The parts of an origin: registers by their number, and these. */
enum {
	TERM_ENTRY = 1 << 8,  /* + register, when the function began                       */
	TERM_JOIN = 2 << 8,   /* + register, where ways come together                      */
	TERM_STORED = 3 << 8, /* by an instruction into memory                             */
	TERM_MEMORY = 4 << 8, /* + bytes: what memory holds now                            */
};

enum { TERM_SYMBOLS_MAX = 1 << 15 };
struct terms {
	struct symbolic *items; /* owned; the first two stand for no symbol                */
	size_t len, cap;
	struct hash_map by_name; /* the last symbol of that hash                           */
};

void terms_clear(struct terms *all);
void terms_fini(struct terms *all);

/* The symbol of that name; TERM_LOST: there is no room for it. "make": if there is none yet. */
uint32_t terms_get(struct terms *all, taddr origin, uint64_t context, unsigned int part, bool make);

/* It was computed from that symbol, too. What comes from too many is not known any more. */
void terms_add_source(struct terms *all, uint32_t symbol, uint32_t source);

/* Computed, or found: then no computation changes it any more. */
void terms_set(struct terms *all, uint32_t symbol, uint64_t number, bool pinned);

bool terms_number(const struct terms *all, struct term term, uint64_t *ret);
/* For certain. */
bool terms_equal(const struct terms *all, struct term a, struct term b);

static inline bool term_same(struct term a, struct term b)
{
	return a.symbol == b.symbol && a.offset == b.offset;
}

/* The lowest bytes of a number. */
static inline uint64_t term_cut(uint64_t number, unsigned int bytes)
{
	return bytes < 8 ? number & ((UINT64_C(1) << 8 * bytes) - 1) : number;
}

/* A term that nothing is known of, and that is equal to no other. */
static inline struct term term_lost(void)
{
	return (struct term){ .symbol = TERM_LOST };
}

static inline struct term term_of(uint64_t number)
{
	return (struct term){ TERM_NUMBER, number };
}

/* It is that symbol, or computed from it. */
static inline bool terms_depends(const struct terms *all, struct term term, uint32_t symbol)
{
	bool depends = term.symbol == symbol;

	if (term.symbol <= TERM_LOST)
		return false;
	const struct symbolic *s = &all->items[term.symbol];
	for (size_t i = 0; i < s->nsources; i++)
		depends |= s->sources[i] == symbol;
	return depends;
}

#endif
