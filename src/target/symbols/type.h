/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Type: the types of a program's data, as plain C.
 *
 * Types belong to a store and live as long as that does, whatever becomes of the files that they
 * were read from. They are made by type_reader.h of DWARF, or here. A type without a name of its
 * own is described by type_add_name(). What is not understood yet is a TYPE_OTHER.
 */
#ifndef TARGET_TYPE_H
#define TARGET_TYPE_H

#include <stdint.h>

#include "base/buf.h"

enum type_kind {
	TYPE_VOID,
	TYPE_INT,
	TYPE_CHAR, /* shown as a character: char, signed char, unsigned char, char16_t, ... */
	TYPE_BOOL,
	TYPE_FLOAT, /* of 4, 8 or 16 bytes; those of 16 are x87's 80 bits, or binary128 */
	TYPE_ENUM,
	TYPE_POINTER,
	TYPE_REFERENCE,
	TYPE_ARRAY,
	TYPE_FUNCTION,
	TYPE_ALIAS, /* typedef */
	TYPE_CONST,
	TYPE_VOLATILE,
	TYPE_RESTRICT,
	TYPE_ATOMIC,
	TYPE_OTHER, /* structures and all else */
};

struct type_enumerator {
	const char *name; /* borrowed from the store */
	int64_t value;
};

struct type {
	enum type_kind kind;
	const char *name;          /* borrowed from the store; NULL: it has none            */
	const char *tag;           /* of OTHER and ENUM: "struct", "enum", ...; NULL: none  */
	uint64_t size;             /* bytes; 0: unknown                                    */
	bool is_signed;            /* of INT, CHAR and ENUM                                */
	bool is_quad;              /* FLOAT of 16 bytes: binary128                         */
	bool is_fortran;           /* of BOOL: LOGICAL                                     */
	bool is_cxx;               /* its name has its scopes, and is read without the tag  */
	bool is_flags;             /* of ENUM: its values are bits; without a tag: a register  */
	const struct type *target; /* what it points to, consists of, returns, stands for;
				      NULL: void                                        */
	uint64_t count;            /* of ARRAY: elements; 0: unknown                       */
	const struct type_enumerator *enumerators; /* owned by the store, of ENUM          */
	size_t nenumerators;
	const struct type **parameters; /* owned by the store, of FUNCTION                  */
	size_t nparameters;
	bool prototyped, varargs; /* of FUNCTION                                           */
};

/* What needs no program: types of constants. */
extern const struct type type_void, type_bool, type_char, type_signed_char, type_unsigned_char,
	type_short, type_unsigned_short, type_int, type_unsigned_int, type_long, type_unsigned_long,
	type_long_long, type_unsigned_long_long, type_int128, type_unsigned_int128, type_float,
	type_double, type_long_double;
/* What gdb calls functions and data that only the symbol table knows. */
extern const struct type type_text_symbol, type_data_symbol, type_code_pointer, type_data_pointer;

/* "unsigned long int": one of those above, in any order of words; NULL: no such type. */
const struct type *type_find_basic(const char *name);

struct type_store;

/* With one owner, as many more as type_store_share() makes. NULL: out of memory. */
struct type_store *type_store_new(void);
struct type_store *type_store_share(struct type_store *s);
void type_store_free(struct type_store *s);

/* All NULL: out of memory. */
struct type *type_new(struct type_store *s, enum type_kind kind, const char *name, uint64_t size);
void *type_alloc(struct type_store *s, size_t n, size_t size);
char *type_copy_text(struct type_store *s, const char *text);
const struct type *type_pointer_to(struct type_store *s, const struct type *target);
const struct type *type_array_of(struct type_store *s, const struct type *target, uint64_t count);

/* Without const, volatile and names given to it. Never NULL. */
const struct type *type_strip(const struct type *t);
/* Without const and volatile alone. */
const struct type *type_unqualified(const struct type *t);

/* Of its stripped form. */
bool type_is_integer(const struct type *t); /* INT, CHAR, BOOL, ENUM */
bool type_is_scalar(const struct type *t);  /* or FLOAT, POINTER     */
bool type_is_pointer(const struct type *t); /* POINTER or REFERENCE  */
/* Characters of one byte: arrays of them, and what pointers to them point to, are texts. */
bool type_is_text(const struct type *t);
uint64_t type_size(const struct type *t);

/* "int *", "void (*)(int, char *)", "const char [10]"; NULL: "void". Not escaped. */
void type_add_name(struct buf *out, const struct type *t);

#endif
