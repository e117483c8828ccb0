/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Apart: expressions that mean something for threads that stand elsewhere than the frame whose
 * names they use: those are static, or the threads' own.
 */
#ifndef DEBUGGER_APART_H
#define DEBUGGER_APART_H

#include "debugger/values/eval.h"

struct apart {
	/* All names in it mean what lies in no frame, or are functions or enumerators. */
	bool is;
	bool is_variable; /* it is the name of this one and nothing else: found once for all */
	struct variable variable;
	const char *text; /* borrowed */
};

/* What cannot be parsed, or asks for registers, is none. */
void apart_find(const struct eval_context *c, const char *text, struct apart *ret);

/* The scope of the same names for another thread: those of frames have no place. */
struct scope apart_scope(const struct apart *of, const struct scope *s, struct thread *th);

/* In such a scope. */
MUST_CHECK struct error *apart_value(const struct apart *of, const struct eval_context *c,
				     struct value *ret);

#endif
