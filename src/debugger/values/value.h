/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Value: bytes with a type, from somewhere or from nowhere; or the reason why they are missing.
 *
 * Plain data. Structures and arrays in memory are read when parts of them are asked for. What is
 * larger than VALUE_BYTES_MAX and is nowhere in memory, or was kept of there, lies in a block.
 */
#ifndef DEBUGGER_VALUE_H
#define DEBUGGER_VALUE_H

#include "debugger/values/scope.h"
#include "target/symbols/type.h"
#include "target/symbols/variables.h"

enum {
	VALUE_BYTES_MAX = 64,
	VALUE_NAME_MAX = 64,
	VALUE_FROM_MAX = 96,
	VALUE_KEEP_MAX = 1 << 16, /* bytes of what is kept, or written at once */
	VALUE_BITS_BYTES_MAX = 17 /* that a bit-field has a part of       */
};

enum value_place {
	VALUE_NOWHERE, /* a result: has no address, cannot be assigned to */
	VALUE_MEMORY,
	VALUE_REGISTER,
	VALUE_PIECES, /* "pieces", "addr" bytes behind their begin         */
	VALUE_SIGNAL, /* what the kernel says of a signal, "addr" bytes into it: siginfo.h  */
	VALUE_NAMED,  /* a variable of the debugger's own: $name             */
};

/* Bytes of a large value; owned by the store of its type. */
struct value_block {
	size_t size;
	uint8_t *bytes;
	uint8_t *lost; /* for each byte: which of its bits are optimized out */
};

/*
 * Optimised code has pointers to what has no address any more: they are missing, but known to point
 * to another variable, or to a constant (DWARF 5, section 2.6.1.1.4). In the frame that they were
 * found in what they point to is a value all the same. Those of one variable, owned by the store of
 * its type.
 */
struct value_pointers {
	const struct value_pointers *next;
	struct variable holder; /* whose pointer it is                               */
	taddr cfa;              /* of the frame in which that is so                  */
	uint64_t at;            /* where in the variable the pointer is: bytes       */
	uint64_t entry;         /* of what it points to, offset in the file          */
	uint64_t offset;        /* bytes behind its begin                            */
};

/* Where the bits of a variable are that is in several places, one behind the other; owned by the
 * store of its type. */
struct value_pieces {
	size_t n;
	struct location_part parts[];
};

struct value {
	const struct type *type; /* never NULL; borrowed from a store               */
	const char *missing;     /* "optimized out": there are no bytes; NULL: there are */
	enum value_place place;
	taddr addr;                        /* MEMORY                                          */
	const struct reg *reg;             /* REGISTER                                        */
	uint16_t reg_offset;               /* of its bytes in the register: 1 for $ah         */
	const struct value_pieces *pieces; /* PIECES; borrowed                        */
	char name[VALUE_NAME_MAX];         /* NAMED, without the $                         */
	char from[VALUE_FROM_MAX];         /* of a variable of another frame: where; else ""   */
	size_t size;                       /* of bytes that are here: at most type's          */
	uint8_t bytes[VALUE_BYTES_MAX];
	uint64_t lost;                   /* of those: a bit each; they are optimized out        */
	const struct value_block *block; /* instead of bytes; NULL: none                    */
	/* Of the variable that it is of: pointers to what has no address; borrowed from the store.
	 * pointers_at: where in the variable this value begins. */
	const struct value_pointers *pointers;
	uint64_t pointers_at;
	const struct value *listed; /* of a namelist: its members; owned by the store of its type */
	/* Of a bit-field: where it begins in what lies at addr, or in bytes of what it was a part
	 * of; bytes holds it as a whole number. bit_size 0: it is none. */
	uint8_t bit_offset, bit_size;
	bool is_enumerator; /* in C it is an int, whatever its type is called (C11, 6.7.2.2) */
};

/* A number as C computes with it. */
struct number {
	const struct type *type; /* stripped */
	bool is_float;
	unsigned __int128 bits; /* extended to its full width by its sign */
	__float128 real;        /* each narrower one is exact in it */
};

/* Something was read there: for who watches it (scope.h). */
void value_note_cell(const struct scope *s, const struct type *type, taddr addr, uint64_t size);

/* Why a value is missing that has a place in memory: it cannot be read. Its parts have places. */
extern const char value_unreadable[];

/* Reads what lies at an address. NO_ADDRESS: it cannot be read, and the scope asks for its value.
 */
MUST_CHECK struct error *value_read(const struct scope *s, const struct type *type, taddr addr,
				    struct value *ret);

/*
 * The part of that type which begins at some byte of a value: element or member. What is optimized
 * out is a missing value; what lies behind the end is an error: USAGE.
 */
MUST_CHECK struct error *value_part(const struct scope *s, const struct value *whole,
				    const struct type *type, uint64_t offset, struct value *ret);

/* Bytes of a value, wherever it is. NULL: done, else why they are not known. */
const char *value_bytes(const struct scope *s, const struct value *v, uint64_t offset, void *ret,
			size_t n);

/* The first bytes of a value that is needed. USAGE: they are not known. */
MUST_CHECK struct error *value_copy(const struct scope *s, const struct value *v, void *ret,
				    size_t n);

/* All of those bytes are optimized out. */
bool value_is_lost(const struct value *v, uint64_t offset, size_t n);

/* Member m of a structure, as value_part(). */
MUST_CHECK struct error *value_member(const struct scope *s, const struct value *whole,
				      const struct type_member *m, struct value *ret);

/* Of a bit-field: how many bytes it has a part of, and its bits from those. */
size_t value_bit_bytes(const struct value *v);
void value_set_bits(struct value *v, const uint8_t *bytes);

/* Writes a value of the same type to where another one is, in memory or in registers of the
 * innermost frame; of a bit-field its bits. */
MUST_CHECK struct error *value_write(const struct scope *s, const struct value *to,
				     const struct value *from);
/* What is now at the same place. */
MUST_CHECK struct error *value_read_again(const struct scope *s, struct value *v);

/* Of the store of the scope's types; all zero. NULL: out of memory. */
struct value_block *value_block_new(const struct scope *s, uint64_t size);

/* Gives v those bytes, of which some bits are lost: of its type's size. */
MUST_CHECK struct error *value_set_bytes(const struct scope *s, struct value *v,
					 const uint8_t *bytes, const uint8_t *lost, uint64_t size);

/* Reads what v has in memory, now, so that it stays as it is: for the history of values. */
MUST_CHECK struct error *value_keep(const struct scope *s, struct value *v);

/*
 * What a pointer or reference to something without an address points to, "index" elements on. A
 * missing value is no error. USAGE: v is no such pointer, or one of another frame.
 */
MUST_CHECK struct error *value_pointed(const struct scope *s, const struct value *v, uint64_t index,
				       struct value *ret);
bool value_points(const struct value *v);

/* What a call has passed (location.h), by what DWARF says of the call; context: the scope. */
bool value_passed(void *context, struct location_passed what, struct location_value *ret);

/* What an argument was when its function was entered. false: that is not known. */
bool value_at_entry(const struct scope *s, const struct variable *variable, struct value *ret);

/* What a variable holds in a scope; if it is not there, the value is missing. */
MUST_CHECK struct error *value_of_variable(const struct scope *s, const struct variable *variable,
					   struct value *ret);

/* The scope as location.h wants it. */
struct location_frame value_frame(const struct scope *s);

/* What so many bits of an integer are for C that are a bit-field. */
const struct type *value_bits_type(const struct type *t, unsigned int bits);

/* As if it lay where nothing is: zeros are read there, of which the type alone is asked for. */
void value_set_nothing(struct value *v);

struct value value_of_int(const struct type *type, uint64_t n);
struct value value_of_float(const struct type *type, __float128 real);
/* The same number as another type; what does not fit is cut. */
struct value value_of_number(const struct type *type, const struct number *n);

/* NO_ADDRESS: it cannot be read there. */
struct error *value_no_access(taddr addr);
/* What is said of a value that is missing: USAGE. */
struct error *value_missing(const struct value *v);
/* The same of a part of which a reason is known, with or without "not available: ". */
struct error *value_not_available(const char *why);

/* USAGE: it is missing, or no number. Pointers are numbers without a sign. */
MUST_CHECK struct error *value_number(const struct value *v, struct number *ret);
/* The same of a value that may be an array or function, whose address counts. */
MUST_CHECK struct error *value_address(const struct value *v, taddr *ret);
bool value_is_true(const struct number *n);

#endif
