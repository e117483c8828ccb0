/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Runtime_copies: where a library calls memcpy(): the stub (PLT) through which it does.
 */
#ifndef DEBUGGER_RUNTIME_COPIES_H
#define DEBUGGER_RUNTIME_COPIES_H

#include "debugger/session.h"

/* An instruction by which all of the module's calls of memcpy() get there, with the arguments where
 * functions have them; 0: it was not found. */
taddr runtime_copies_at(struct session *s, const struct module *m);

#endif
