/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Copying: what makes and ends a copy of an object of C++ that bytes alone do not make: functions
 * of its class, which have to be called in the program.
 */
#ifndef DEBUGGER_COPYING_H
#define DEBUGGER_COPYING_H

#include "debugger/values/value.h"

struct copying {
	struct value makes, ends; /* functions; without a type: none has to be called */
};

/* UNSUPPORTED: the program has no code of one that would have to be called. */
MUST_CHECK struct error *copying_find(const struct scope *s, const struct type *class,
				      struct copying *ret);

#endif
