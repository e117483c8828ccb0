/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Watching: what watchpoints watch. A value that is one number in memory is compared where the
 * program is traced. All else, "a + b", "p->x", a structure, is made of cells: whatever writes to
 * one of them is told, and here the expression is computed again, in the frame that it belongs to.
 */
#ifndef DEBUGGER_WATCHING_H
#define DEBUGGER_WATCHING_H

#include "debugger/control/control.h"

/* "watch -location i" stays where i is now, also behind the end of its block. */
#define WATCHING_LOCATION "-location "

/* Finds the cells, as b's locations. UNSUPPORTED: a constant, or more than debug registers watch.
 */
MUST_CHECK struct error *watching_locate(struct control *c, struct breakpoint *b,
					 const struct scope *scope);

/* If something of it is local, a point where that frame returns to: b->scope_point. */
MUST_CHECK struct error *watching_begin(struct control *c, struct breakpoint *b,
					const struct scope *scope);

/*
 * One whose value is computed here was written to by a thread: whether it is another one now.
 * *ret_moved: its cells lie elsewhere now, and have to be set again. The program stands.
 */
MUST_CHECK struct error *watching_look(struct control *c, struct breakpoint *b, bool *ret_changed,
				       bool *ret_moved);

#endif
