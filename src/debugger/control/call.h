/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Call: functions of the program, called by the thread of a scope while all others stand still.
 *
 * The thread's registers are kept, all of them, and put back when the function has returned, and
 * also when it is given up. What is put into the program's memory lies below the red zone of the
 * thread's stack. A function that a breakpoint or a signal stops stays where it is, as with gdb: a
 * frame made by the debugger is behind it on the stack, and where that is reached the thread
 * becomes what it was (called.h).
 */
#ifndef DEBUGGER_CALL_H
#define DEBUGGER_CALL_H

#include "debugger/control/control.h"

/*
 * For struct eval_context; caller: a struct control. USAGE: no thread can call it, or it has not
 * returned: how it ended, and what has been done about that. Stops that the program stays at are
 * told to the listener before.
 */
MUST_CHECK struct error *call_function(void *caller, const struct scope *s,
				       const struct eval_call *call, struct value *ret);

#endif
