/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Value: bytes with a type, from somewhere or from nowhere; or the reason why they are missing.
 *
 * Plain data. What is larger than VALUE_BYTES_MAX stays in the target: bytes holds its beginning.
 */
#ifndef DEBUGGER_VALUE_H
#define DEBUGGER_VALUE_H

#include "debugger/values/scope.h"
#include "target/symbols/type.h"
#include "target/symbols/variables.h"

enum { VALUE_BYTES_MAX = 64, VALUE_NAME_MAX = 64 };

enum value_place {
	VALUE_NOWHERE, /* a result: has no address, cannot be assigned to */
	VALUE_MEMORY,
	VALUE_REGISTER,
	VALUE_NAMED, /* a variable of the debugger's own: $name             */
};

struct value {
	const struct type *type; /* never NULL; borrowed from a store               */
	const char *missing;     /* "optimized out": there are no bytes; NULL: there are */
	enum value_place place;
	taddr addr;                /* MEMORY                                          */
	const struct reg *reg;     /* REGISTER                                        */
	uint16_t reg_offset;       /* of its bytes in the register: 1 for $ah         */
	char name[VALUE_NAME_MAX]; /* NAMED, without the $                         */
	size_t size;               /* of bytes that are here: at most type's          */
	uint8_t bytes[VALUE_BYTES_MAX];
};

/* A number as C computes with it. */
struct number {
	const struct type *type; /* stripped */
	bool is_float;
	unsigned __int128 bits; /* extended to its full width by its sign */
	long double real;
};

/* Reads what lies at an address. NO_ADDRESS: it cannot be read. */
MUST_CHECK struct error *value_read(const struct scope *s, const struct type *type, taddr addr,
				    struct value *ret);

/* What an argument was when its function was entered. false: that is not known. */
bool value_at_entry(const struct scope *s, const struct variable *variable, struct value *ret);

/* What a variable holds in a scope; if it is not there, the value is missing. */
MUST_CHECK struct error *value_of_variable(const struct scope *s, const struct variable *variable,
					   struct value *ret);

/* The scope as location.h wants it. */
struct location_frame value_frame(const struct scope *s);

struct value value_of_int(const struct type *type, uint64_t n);
struct value value_of_float(const struct type *type, long double real);
/* The same number as another type; what does not fit is cut. */
struct value value_of_number(const struct type *type, const struct number *n);

/* What is said of a value that is missing: USAGE. */
struct error *value_missing(const struct value *v);

/* USAGE: it is missing, or no number. Pointers are numbers without a sign. */
MUST_CHECK struct error *value_number(const struct value *v, struct number *ret);
/* The same of a value that may be an array or function, whose address counts. */
MUST_CHECK struct error *value_address(const struct value *v, taddr *ret);
bool value_is_true(const struct number *n);

#endif
