/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Type_dynamic: what is to be reckoned of an array at the moment that there is one, as plain data:
 * read by array_reader.h, reckoned by type_resolve.h (DWARF 5, section 5.18).
 *
 * Operations are copies that live as long as the type's store. What another entry tells is read
 * there, as long as its file is open.
 */
#ifndef TARGET_TYPE_DYNAMIC_H
#define TARGET_TYPE_DYNAMIC_H

#include "target/symbols/location.h"
#include "target/symbols/type.h"

enum type_property_kind {
	PROPERTY_NONE,
	PROPERTY_NUMBER,
	PROPERTY_EXPRESSION,
	PROPERTY_VARIABLE, /* another entry's value */
};

struct type_property {
	enum type_property_kind kind;
	int64_t number;
	const struct location_op *ops; /* of an EXPRESSION; owned by the store                  */
	size_t nops;
	const char *missing;     /* why there are none; NULL: there are                        */
	const void *variable;    /* struct type_origin of type_reader.h; owned by the store    */
	const struct type *type; /* of the variable; NULL: none                                */
};

struct type_dynamic {
	/* Of this dimension. */
	struct type_property lower, upper, count, byte_stride, bit_stride;
	/* Of all, at the outermost one. */
	struct type_property allocated, associated, data, rank;
	/* Of a CHARACTER: its length, or where that is. */
	struct type_property length;
	uint64_t length_size; /* bytes of that; 0: it is as large as an address     */
	bool is_generic;      /* its dimensions are as many as "rank" says          */
	uint64_t bias;        /* of the module                                      */
};

#endif
