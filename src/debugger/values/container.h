/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Container: what a class of the C++ standard library holds, as plain data: made by containers.h.
 */
#ifndef DEBUGGER_CONTAINER_H
#define DEBUGGER_CONTAINER_H

#include "debugger/values/value.h"

enum container_form {
	CONTAINER_TEXT,     /* of characters: "text" has them                     */
	CONTAINER_LIST,     /* elements                                           */
	CONTAINER_NUMBERED, /* elements that gdb shows with their numbers       */
	CONTAINER_MAP,      /* keys and values in turn                            */
	CONTAINER_PARTS,    /* each item has a label                              */
	CONTAINER_EMPTY,    /* the head says all                                  */
};

struct container_item {
	struct value value;
	const char *label; /* a constant; of PARTS: "get()" */
	uint64_t number;   /* of NUMBERED                    */
};

/* What is done with an item; nothing of it is kept. false: no more are wanted. */
typedef bool container_take(void *context, const struct container_item *item);

struct container {
	enum container_form form;
	struct buf head;    /* owned; "std::vector of length 3, capacity 4"; empty: none    */
	struct buf text;    /* owned; of TEXT: its bytes                                    */
	size_t width;       /* of TEXT: bytes of a character                                */
	const char *prefix; /* of TEXT: a constant: "L" of wide characters; NULL: none      */
	taddr at;           /* of TEXT: where that is in memory; 0: in none                 */
	/* Of a shared_ptr: how many share it; of a variant: its index; of a vector: its capacity.
	 */
	uint64_t number;
	uint64_t size; /* how many characters or elements there are                    */
	bool sized;    /* that is known                                               */
	VEC(struct container_item) items; /* the first of them                             */
	const char *fault; /* a constant: what makes no sense; NULL: all is sane                */
};
void container_fini(struct container *c);
#define AUTO_CONTAINER AUTO(container_fini) struct container

#endif
