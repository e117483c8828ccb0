/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Shown: a value with all that it takes to print it: texts that it points to, names of addresses,
 * elements. After this nothing of the target is asked any more.
 */
#ifndef DEBUGGER_SHOWN_H
#define DEBUGGER_SHOWN_H

#include "debugger/values/value.h"

/* How values are printed: what "set print" says. */
struct shown_limits {
	size_t elements; /* of arrays and texts; SIZE_MAX: all                              */
	size_t repeats;  /* equal elements in a row are counted if they are so many         */
	bool plain;      /* no texts: they are asked for as numbers                         */
	bool address;    /* pointers are printed as numbers, too                            */
	bool symbol;     /* pointers to data have the names of what they point to            */
	bool null_stop;  /* arrays of characters end at the first NUL                       */
	bool indexes;    /* elements have their index before them                           */
	bool pretty;     /* each part of a vector register has a line                       */
	bool array;      /* each element has a line                                         */
	size_t depth;    /* of structures within structures                                 */
	bool statics;    /* static members are shown                                        */
	bool unions;     /* unions within structures are                                    */
	bool object;     /* by the class that an object itself tells                          */
	bool vtbl;       /* is accepted, and changes nothing: tables are named in any case    */
	bool raw;        /* classes of the standard library are shown as they lie in memory */
	bool internal;   /* variables of a frame are, too, that the compiler made           */
	bool meant;      /* and not those of which it has a copy under the same name        */
};
#define SHOWN_LIMITS                                                                               \
	((struct shown_limits){ .elements = 200,                                                   \
				.repeats = 10,                                                     \
				.address = true,                                                   \
				.symbol = true,                                                    \
				.depth = 20,                                                       \
				.statics = true,                                                   \
				.unions = true })

/* What an item of a value is in it. */
enum shown_part {
	PART_ELEMENT,
	PART_MEMBER, /* its name may be NULL: it is an anonymous structure */
	PART_BASE,   /* an inherited class                                */
	PART_STATIC,
	PART_NUMBER, /* of a container: "[3] = " stands before it                   */
	PART_KEY,    /* of a map: stands in brackets before the value that follows  */
	PART_VALUE,
};

struct shown {
	enum shown_part part;
	const char *name;        /* of a part; borrowed; NULL: it has none                 */
	const struct type *type; /* borrowed, never NULL                                   */
	const char *missing;     /* borrowed; NULL: it is there                            */
	taddr addr;              /* of an array or function                                */
	uint8_t bytes[VALUE_BYTES_MAX];
	size_t size;
	char *symbol;      /* owned: "main+4", of addresses; NULL: none                        */
	char *head;        /* owned: what stands before its items: "std::vector of length 3"    */
	const char *fault; /* a constant: what of a container makes no sense; NULL: all does     */
	bool has_text;     /* it is a text, or points to one                                   */
	bool text_more;    /* it goes on                                                       */
	bool text_fault;   /* no text could be read there, at all                             */
	struct buf text;   /* owned                                                           */
	size_t text_width; /* bytes of one of its characters; 0: one                         */
	const char *text_prefix; /* a constant: "L" of wide characters; NULL: none            */
	struct shown *items;     /* owned: elements of an array, parts of a register, what a
				    reference refers to                                     */
	size_t nitems;
	bool more;   /* there are more of them                                              */
	bool again;  /* of Fortran: as the element before it, "times" in all with that        */
	bool object; /* its class is what it tells itself                                   */
	bool folded; /* a structure too deep within others: {...}                           */
	bool apart;  /* what is shown of it depends on where it lies, as who holds a lock      */
	uint64_t index, times; /* of an element: the first, and how many equal ones there are    */
	struct shown_limits how;
};

/* Errors only for lack of memory; what cannot be read is missing. */
MUST_CHECK struct error *shown_make(const struct scope *s, const struct value *v,
				    const struct shown_limits *limits, struct shown *ret);
void shown_fini(struct shown *s);
#define AUTO_SHOWN AUTO(shown_fini) struct shown

/* "main+4" of an address, in demangled form. NULL: no symbol is there. It is the caller's. */
char *shown_symbol(const struct scope *s, taddr addr);

/* An argument of a frame, or a variable in it. */
struct shown_variable {
	const char *name;   /* borrowed from the program's files; NULL: it has none */
	const char *common; /* the common block of Fortran that it is in, borrowed; NULL: none */
	struct shown value;
	struct shown at_entry; /* of an argument: what it was when its function was entered */
	bool has_entry;        /* that is known, and something else                         */
	bool is_entry;         /* that is known, and the same                               */
};
struct shown_variables {
	struct shown_variable *items; /* owned */
	size_t len, cap;
};
void shown_variables_fini(struct shown_variables *l);
#define AUTO_SHOWN_VARIABLES AUTO(shown_variables_fini) struct shown_variables

/* The arguments of the frame of a scope, or else the variables of its blocks. */
MUST_CHECK struct error *shown_arguments(const struct scope *s, const struct shown_limits *limits,
					 struct shown_variables *ret);
MUST_CHECK struct error *shown_locals(const struct scope *s, const struct shown_limits *limits,
				      struct shown_variables *ret);

#endif
