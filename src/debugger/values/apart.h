/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Apart: expressions that mean something for threads that stand elsewhere than the frame whose
 * names they use: those are static, or the threads' own.
 */
#ifndef DEBUGGER_APART_H
#define DEBUGGER_APART_H

#include "debugger/values/eval.h"

/*
 * Whether all names in it mean in that scope what lies in no frame, or are functions or
 * enumerators. false, too: it cannot be parsed, or asks for registers.
 */
bool apart_is(const struct eval_context *c, const char *text);

/* The same names for another thread: those of frames have no place. */
struct scope apart_scope(const struct scope *s, struct thread *th);

#endif
