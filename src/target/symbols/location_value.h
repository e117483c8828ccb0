/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Location_value: what descriptions of places reckon with (DWARF 5, section 2.5.1): a number as
 * wide as an address, which is generic, or one of a base type of the program: gcc writes so of
 * floating-point numbers and of conversions that it has optimised away.
 */
#ifndef TARGET_LOCATION_VALUE_H
#define TARGET_LOCATION_VALUE_H

#include <stdbool.h>
#include <stdint.h>

enum location_encoding {
	LOCATION_GENERIC, /* 64 bits; signed where it matters, but for DW_OP_mod */
	LOCATION_SIGNED,
	LOCATION_UNSIGNED,
	LOCATION_FLOAT,
	LOCATION_STRANGE, /* of a kind or size that nothing here reckons with */
};
struct location_type {
	uint8_t encoding, size; /* bytes; of a generic one 0 */
};
struct location_value {
	struct location_type type;
	uint64_t bits; /* integers: extended to 64 bits, as their type is */
};

/* That of a base type, by its DW_ATE_* and its bytes. */
struct location_type location_type_of(uint64_t encoding, uint64_t size);

/* The lowest bytes of bits, as many as the type has, taken for a value of it. */
struct location_value location_value_of(struct location_type type, uint64_t bits);

/* The value in another type. NULL: done, else why not, as in the following two. */
const char *location_convert(struct location_value v, struct location_type to,
			     struct location_value *ret);

/* DW_OP_abs, DW_OP_neg and DW_OP_not. */
const char *location_unary(uint8_t atom, struct location_value v, struct location_value *ret);

/* Arithmetic and comparisons of two of the same type, or, where that makes no difference, of an
 * integer and a generic number; what a comparison comes to is generic. */
const char *location_binary(uint8_t atom, struct location_value a, struct location_value b,
			    struct location_value *ret);

#endif
