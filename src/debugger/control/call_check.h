/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Call_check: whether a thread can be sent into a function without harm; and whether one that is in
 * such a function can ever come out, while all others are held.
 */
#ifndef DEBUGGER_CALL_CHECK_H
#define DEBUGGER_CALL_CHECK_H

#include "debugger/control/control.h"

/* USAGE: why not. All threads stand. */
MUST_CHECK struct error *call_check(struct control *c, struct thread *th);

/*
 * Of the plan's thread, which runs. An error says that it has ended, or that it sleeps until one
 * of the held threads wakes it: then all stand. NULL: nothing of that is so, *ret_stands: but all
 * stand now.
 */
MUST_CHECK struct error *call_watch(struct control *c, bool *ret_stands);

#endif
