/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Stub: code that only leads on to a function of another module (PLT).
 */
#ifndef DEBUGGER_STUB_H
#define DEBUGGER_STUB_H

#include "debugger/session.h"

/* The function that the stub at pc leads to, also before it is bound; 0: it is no stub. */
taddr stub_leads_to(struct session *s, taddr pc);

#endif
