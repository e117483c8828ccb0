/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Type: the types of a program's data, as plain C.
 *
 * Types belong to a store and live as long as that does, whatever becomes of the files that they
 * were read from. They are made by type_reader.h of DWARF, or here. A type without a name of its
 * own is described by type_add_name(). What is not understood yet is a TYPE_OTHER.
 *
 * What a structure consists of is read when that is asked for: type_members().
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
	TYPE_FLOAT,   /* of 4, 8 or 16 bytes; those of 16 are x87's 80 bits, or binary128 */
	TYPE_COMPLEX, /* two of "target", which is a FLOAT */
	TYPE_ENUM,
	TYPE_POINTER,
	TYPE_REFERENCE,
	TYPE_ARRAY,
	TYPE_FUNCTION,
	TYPE_STRUCT, /* structures, classes and unions */
	TYPE_MEMBER_POINTER,
	TYPE_ALIAS, /* typedef */
	TYPE_CONST,
	TYPE_VOLATILE,
	TYPE_RESTRICT,
	TYPE_ATOMIC,
	TYPE_OTHER, /* all else */
};

enum type_access {
	ACCESS_PUBLIC,
	ACCESS_PROTECTED,
	ACCESS_PRIVATE,
};

enum type_member_kind {
	MEMBER_FIELD,
	MEMBER_BASE,   /* a class that is inherited                                    */
	MEMBER_STATIC, /* it is found by its full name, as a global variable           */
	MEMBER_LISTED, /* of a NAMELIST of Fortran: a variable of where that is        */
};

struct location_code;
struct type_dynamic;

struct type_member {
	enum type_member_kind kind;
	enum type_access access;
	const char *name; /* borrowed from the store; NULL: an anonymous structure or union */
	const struct type *type; /* never NULL                                                    */
	uint64_t offset;         /* bytes, from the beginning of what it is a member of;
				    of a LISTED: the how manyth it is                              */
	uint8_t bit_offset; /* of a bit-field: the lowest bit, counted from offset: up to 7   */
	uint8_t bit_size;   /* 0: it is no bit-field                                          */
	bool is_artificial; /* made by the compiler: _vptr.Base                               */
	bool is_virtual;    /* of a BASE                                                      */
	/* Where a virtual base is: operations on the address of what it is a member of, which is on
	 * the stack. NULL: at offset. Borrowed from the store. */
	const struct location_code *where;
	bool has_constant; /* of a STATIC: its value is said where it is declared */
	uint64_t constant;
	uint64_t
		entry; /* of a LISTED: that of the variable, its offset in the file; 0: not there */
};

/* How a class of C++ is given to functions, as its compiler says. */
enum type_passing { PASSING_UNKNOWN, PASSING_VALUE, PASSING_REFERENCE };

/* How a function of Fortran is given a parameter, whose type does not tell. */
enum type_passed {
	PASSED_UNKNOWN, /* where it is when the function begins is not said */
	PASSED_VALUE,
	PASSED_REFERENCE, /* its address, or that of what describes an array */
	PASSED_HIDDEN,    /* what nobody writes: room for the result, lengths of texts */
};

struct type_enumerator {
	const char *name; /* borrowed from the store */
	int64_t value;
};

/* A function of a class, as its declaration there says. */
struct type_method {
	const char *name;        /* without scopes; borrowed from the store                      */
	const char *linkage;     /* NULL: not known                                              */
	const struct type *type; /* FUNCTION; its first parameter is "this", unless it is static */
	enum type_access access;
	size_t nartificial; /* parameters in front of those that are written: "this", ...        */
	uint64_t slot;      /* of a virtual one: its place in the table; UINT64_MAX: not known    */
	bool is_static, is_virtual, is_artificial;
	bool is_defaulted; /* "= default" where it is declared */
};

/* A name that a class gives to a type: a typedef, or a template parameter. */
struct type_naming {
	const char *name; /* NULL: it has none                                     */
	const struct type *type;
	bool is_parameter; /* of the template; else a typedef                      */
	bool is_value;     /* a parameter that is a number of that type            */
	int64_t value;
	enum type_access access;
};

struct type {
	enum type_kind kind;
	const char *name;          /* borrowed from the store; NULL: it has none            */
	const char *tag;           /* of STRUCT and ENUM: "struct", "enum", ...; NULL: none */
	uint64_t size;             /* bytes; 0: unknown                                    */
	bool is_signed;            /* of INT, CHAR and ENUM                                */
	bool is_quad;              /* FLOAT of 16 bytes: binary128                         */
	bool is_fortran;           /* of a program in Fortran: of BOOL: LOGICAL             */
	bool is_cxx;               /* its name has its scopes, and is read without the tag  */
	bool is_flags;             /* of ENUM: its values are bits; without a tag: a register  */
	bool is_union;             /* of STRUCT                                            */
	bool is_namelist;          /* of STRUCT: it is what a NAMELIST of Fortran lists    */
	bool is_declared;          /* of STRUCT: its own file does not say what it consists of;
				      of strings the size is known all the same            */
	enum type_passing passing; /* of STRUCT                                            */
	bool is_rvalue;            /* of REFERENCE: &&                                     */
	const struct type *target; /* what it points to, consists of, returns, stands for;
				      NULL: void                                        */
	uint64_t count;            /* of ARRAY: elements; 0: unknown, or in Fortran none    */
	int64_t lower;             /* of ARRAY: the index of the first one                 */
	int64_t stride;            /* of ARRAY: bytes from one to the next; 0: they follow
				      each other without a gap                             */
	bool is_string;            /* of ARRAY: CHARACTER                                  */
	bool is_vector;        /* of ARRAY: of a vector register: passed and assigned as a whole */
	bool is_row;           /* of ARRAY: the next dimension of one that consists of it */
	bool is_allocatable;   /* of ARRAY                                             */
	bool is_pointer;       /* of ARRAY: it is a POINTER                            */
	bool is_open;          /* of ARRAY: of an assumed size: it has no upper bound   */
	const char *unbounded; /* of ARRAY: why its bounds are not known; NULL: they are */
	const struct type_dynamic *dynamic; /* of ARRAY: what is to be reckoned where there is one
					       of it (type_dynamic.h), or of what it consists of;
					       NULL: nothing                        */
	const struct type_enumerator *enumerators; /* owned by the store, of ENUM          */
	size_t nenumerators;
	const struct type **parameters; /* owned by the store, of FUNCTION                  */
	size_t nparameters;
	const enum type_passed *passed; /* of FUNCTION: for each parameter; owned by the store;
					   NULL: as its type says                        */
	bool prototyped, varargs;       /* of FUNCTION                                           */
	const struct type *holder;      /* of MEMBER_POINTER: whose members it points to         */
	struct type_store *store;       /* private, as all that follows                          */
	void *origin;                   /* what the store's source reads members of              */
	const struct type_member *members;
	const struct type_method *methods;
	const struct type_naming *namings;
	size_t nmembers, nmethods, nnamings;
	bool is_complete;     /* members have been read, or there is nothing to read them of  */
	bool is_all_complete; /* so have methods and namings                                  */
};

/* What needs no program: types of constants. */
extern const struct type type_void, type_bool, type_char, type_signed_char, type_unsigned_char,
	type_short, type_unsigned_short, type_int, type_unsigned_int, type_long, type_unsigned_long,
	type_long_long, type_unsigned_long_long, type_int128, type_unsigned_int128, type_float,
	type_double, type_long_double;
/* decltype(nullptr) */
extern const struct type type_null_pointer;
/* In the place of one whose entry is lost. */
extern const struct type type_unknown;
/* What gdb calls functions and data that only the symbol table knows. */
extern const struct type type_text_symbol, type_data_symbol, type_code_pointer, type_data_pointer;

/* "unsigned long int": one of those above, in any order of words; NULL: no such type. */
const struct type *type_find_basic(const char *name);

struct hash_map;
struct type_store;

/* With one owner, as many more as type_store_share() makes. NULL: out of memory. */
struct type_store *type_store_new(void);
struct type_store *type_store_share(struct type_store *s);
void type_store_free(struct type_store *s);

/*
 * Who reads what structures of a store consist of: sets members, and size if that was not known;
 * or methods and namings. Called once for each.
 */
struct type_source {
	void (*members)(void *context, struct type *t);
	void (*others)(void *context, struct type *t);
	void *context;
};
/* NULL: nobody does any longer. */
void type_store_set_source(struct type_store *s, const struct type_source *source);

/* All NULL: out of memory. */
struct type *type_new(struct type_store *s, enum type_kind kind, const char *name, uint64_t size);
void *type_alloc(struct type_store *s, size_t n, size_t size);
char *type_copy_text(struct type_store *s, const char *text);
const struct type *type_pointer_to(struct type_store *s, const struct type *target);
const struct type *type_array_of(struct type_store *s, const struct type *target, uint64_t count);

/* Private: types that were made of others, as lists by their hash. */
struct hash_map *type_store_made(struct type_store *s);

/* An array like that one: always the same for the same; what "like" borrows outlives the store. */
const struct type *type_array_like(struct type_store *s, const struct type *like);

/* The same type with another one in the place of what stands behind its qualifiers and names. */
const struct type *type_requalify(struct type_store *s, const struct type *t,
				  const struct type *stripped);

/*
 * What an array consists of; const and volatile in front of a name of its type are those of its
 * elements (C11 6.7.3, 9). NULL: out of memory.
 */
const struct type *type_element(const struct type *array);

/* Without const, volatile and names given to it. Never NULL. */
const struct type *type_strip(const struct type *t);
/* Without const and volatile alone. */
const struct type *type_unqualified(const struct type *t);

/* What a structure consists of, in its order; none of other types, and of those that are declared
 * only. */
const struct type_member *type_members(const struct type *t, size_t *ret_n);

/* Its functions and types; the same. */
const struct type_method *type_methods(const struct type *t, size_t *ret_n);
const struct type_naming *type_namings(const struct type *t, size_t *ret_n);

/* Of its stripped form. */
bool type_is_struct(const struct type *t);
bool type_is_integer(const struct type *t); /* INT, CHAR, BOOL, ENUM */
bool type_is_scalar(const struct type *t);  /* or FLOAT, POINTER     */
bool type_is_pointer(const struct type *t); /* POINTER or REFERENCE  */
/* Characters of one byte: arrays of them, and what pointers to them point to, are texts. */
bool type_is_text(const struct type *t);
/*
 * Bytes of a character of any width, 0: it is none. By the name in the source: in C, wchar_t is a
 * number. *ret_prefix, a constant: "L" in front of texts and characters; NULL: nothing.
 */
size_t type_text_width(const struct type *t, const char **ret_prefix);
bool type_is_string(const struct type *t); /* CHARACTER of Fortran */
/* Its size, or that of what it consists of, depends on the program. */
bool type_is_dynamic(const struct type *t);
/* Bytes from one element of an array to the next. */
int64_t type_stride(const struct type *array);
uint64_t type_size(const struct type *t);

/* "int *", "void (*)(int, char *)", "const char [10]"; NULL: "void". Not escaped. */
void type_add_name(struct buf *out, const struct type *t);
/* The same with the name of a thing of that type: "char *names[3]". "": no name. */
void type_add_declaration(struct buf *out, const struct type *t, const char *name);
/* What is written around the name of what it is made of: "const ", " *[3]". Returns that, without
 * names given to it. */
const struct type *type_add_around(struct buf *before, struct buf *behind, const struct type *t);

#endif
