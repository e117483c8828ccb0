/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Abi: how functions are given values and return them: System V ABI, AMD64 supplement, 3.2.3, with
 * the C++ ABI (Itanium, 3.1) for classes that cannot be copied byte by byte. Plain data: nothing
 * here knows a program.
 */
#ifndef DEBUGGER_ABI_H
#define DEBUGGER_ABI_H

#include "base/buf.h"
#include "target/symbols/type.h"

enum abi_class {
	ABI_NONE, /* nothing is passed: padding, empty classes of C++ */
	ABI_INTEGER,
	ABI_SSE,
	ABI_SSE_UP, /* what is in a vector register behind its first eight bytes */
	ABI_X87,    /* ten bytes of it, the other eight bytes are its padding */
	ABI_MEMORY,
};

enum { ABI_INTEGERS = 6, ABI_VECTORS = 8, ABI_VECTOR = 32, ABI_PARTS = 4, ABI_X87_BYTES = 10 };

/* The class of each eight bytes; parts[0] is MEMORY: of the whole. */
struct abi_way {
	enum abi_class parts[ABI_PARTS];
	size_t nparts;
	uint64_t size, alignment; /* bytes */
	bool in_x87;       /* a long double _Complex: passed in memory, returned in st0 and st1 */
	bool by_reference; /* its address is passed instead: a class of C++ with a copy
			      constructor or destructor of its own; parts are MEMORY */
};

/* NULL: done, else why values of that type are not passed: a clause. */
const char *abi_find_way(const struct type *t, struct abi_way *ret);

/* Whether it is a copy or move constructor: X(X &), X(const X &), X(X &&). */
bool abi_copies(const struct type *class, const struct type_method *m);

/* What a function is given: integer and vector registers in their order, and the stack. */
struct abi_call {
	uint64_t integers[ABI_INTEGERS];
	uint8_t vectors[ABI_VECTORS][ABI_VECTOR];
	size_t nintegers, nvectors;
	bool wide;        /* of some vector the upper half is wanted   */
	struct buf stack; /* owned: what lies above the return address */
};
static inline void abi_call_fini(struct abi_call *c)
{
	buf_fini(&c->stack);
}

/* Adds a value; of one that goes by reference its address has to be added, as an integer. */
void abi_pass(struct abi_call *c, const struct abi_way *way, const uint8_t *bytes);
void abi_pass_integer(struct abi_call *c, uint64_t value);

/* What a function has left behind, or leaves: rax and rdx, xmm0 and xmm1 or ymm0, st0 and st1. */
struct abi_result {
	uint64_t integers[2];
	uint8_t vectors[2][ABI_VECTOR];
	uint8_t x87[2][ABI_VECTOR];
	size_t nintegers, nvectors, nx87; /* abi_put(): so many are set */
	bool wide;
};

/* Of a result. */
static inline bool abi_is_in_memory(const struct abi_way *way)
{
	return way->parts[0] == ABI_MEMORY && !way->in_x87;
}

/* The bytes of a result, way->size of them, that is not in memory. */
void abi_take(const struct abi_way *way, const struct abi_result *r, uint8_t *ret);
/* The other way round. */
void abi_put(const struct abi_way *way, const uint8_t *bytes, struct abi_result *ret);

#endif
