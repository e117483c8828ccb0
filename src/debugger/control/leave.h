/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Leave: a frame is left as if its function had returned, without any more of it being executed.
 */
#ifndef DEBUGGER_LEAVE_H
#define DEBUGGER_LEAVE_H

#include "debugger/control/control.h"

/*
 * Leaves the selected frame; its caller is selected then. value: an expression, computed in that
 * frame, which becomes what the function returns; "": none. Nothing is changed if that fails.
 * UNSUPPORTED: it is an inlined call; the value does not lie in one register for numbers.
 */
MUST_CHECK struct error *leave_frame(struct control *c, const char *value);

#endif
