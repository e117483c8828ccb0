/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Expr_type: a type in an expression, and who knows which names are types.
 */
#ifndef DEBUGGER_EXPR_TYPE_H
#define DEBUGGER_EXPR_TYPE_H

#include "target/symbols/type.h"

/* A type as it was typed: "unsigned char *[3]". */
struct expr_type {
	char *name;            /* owned, words with one blank                  */
	unsigned int pointers; /* stars                                         */
	bool function;         /* behind the stars: "void (*)()"                 */
	uint64_t count;        /* elements of an array of it; 0: none            */
};

struct expr_options {
	bool (*is_type)(void *context, const char *name); /* NULL: none is */
	void *context;
	bool one; /* a comma ends it: arguments of printf */
};

#endif
