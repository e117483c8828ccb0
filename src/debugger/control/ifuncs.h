/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Ifuncs: breakpoints at functions that the dynamic linker has not chosen yet (ifunc.h). Points at
 * the resolver and where it returns to tell which one it is; then breakpoints are found anew.
 * Neither counts as a hit, and nobody stops for them.
 */
#ifndef DEBUGGER_IFUNCS_H
#define DEBUGGER_IFUNCS_H

#include "debugger/control/control.h"

/* Watches the resolvers that breakpoints have locations at, and no others. All threads stand. */
MUST_CHECK struct error *ifuncs_arm(struct control *c);

/* Whether a point is one of those. */
bool ifuncs_has(const struct control *c, unsigned int point);
/* A thread is there. All threads stand. *ret: breakpoints are to be found anew. */
MUST_CHECK struct error *ifuncs_answer(struct control *c, struct thread *th, unsigned int point,
				       bool *ret);

/* The points are gone with their process, or belong to another one's child. */
void ifuncs_forget(struct control *c);
void ifuncs_clear(struct control *c, struct target *t);

#endif
