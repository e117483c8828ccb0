/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Sharing_rows: what sharing.h finds, as plain data.
 */
#ifndef DEBUGGER_SHARING_ROWS_H
#define DEBUGGER_SHARING_ROWS_H

#include "ompd/picture/picture.h"
#include "ompd/sharing_rules.h"

struct members; /* members.h */
struct reg;

/* Where a variable is for one thread. */
struct sharing_place {
	int thread;            /* of the picture                                          */
	taddr addr;            /* 0: it has none                                        */
	const struct reg *reg; /* that it is in; NULL: none                             */
	const char *missing;   /* neither: why; borrowed                                 */
};

/* What the addresses of all threads that have one come to. */
enum sharing_evidence {
	EVIDENCE_NONE, /* fewer than two threads have an address               */
	EVIDENCE_ONE,  /* one for all                                        */
	EVIDENCE_EACH, /* each has its own                                    */
	EVIDENCE_SOME, /* some have the same one                              */
};

/* How the compiler has passed it into the code of a construct. */
enum sharing_capture {
	CAPTURE_NONE,
	CAPTURE_UNKNOWN, /* gcc describes no members of what it passes, where an array's length
			    varies */
	CAPTURE_VALUE,
	CAPTURE_REFERENCE,
};

struct sharing_row {
	char *name;                   /* owned                                             */
	char *in_code;                /* owned; what the compiler calls it: of gfortran's arrays  */
	struct sharing_answer answer; /* owned; without a basis: only the evidence counts   */
	enum sharing_evidence evidence;
	enum sharing_capture capture;
	const char *contradiction;        /* a constant; NULL: source and addresses agree       */
	VEC(struct sharing_place) places; /* owned, by number in the team                      */
	size_t addresses;                 /* different ones                                     */
};

struct sharings {
	struct members *team;          /* owned; private                                     */
	const struct picture *picture; /* of the team's; borrowed from it                     */
	struct constructs around;      /* owned                                                */
	const char *file;              /* borrowed from the symbol table; NULL: unknown         */
	int line;
	bool has_text; /* the source could be read                                       */
	VEC(struct sharing_row) rows;
	VEC(char *) notes; /* owned; sentences: what does not fit together                */
};

#endif
