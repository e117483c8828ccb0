/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Team_stack: the stitched stack of the selected thread as backtrace shows it:
 *
 *   #0  work (i=8) at a.c:31
 *   #1  main () at a.c:43
 *   -- parallel region 0, team of 4, level 1, at a.c:41 --
 *   #5  main () at a.c:41
 *
 * The numbers are those that "frame" takes. The thread's own frames have those of its machine
 * stack, of which the runtime's are not shown (here 2 to 4); those of other threads follow behind
 * them.
 */
#ifndef DEBUGGER_CLI_TEAM_STACK_H
#define DEBUGGER_CLI_TEAM_STACK_H

#include "debugger/cli/cli.h"

/*
 * most: so many frames; full: with their variables. *ret_is: it is in a region, and its stack has
 * been added; else nothing is.
 */
MUST_CHECK struct error *team_stack_add(struct cli *c, size_t most, bool full, bool *ret_is);

/* Selects the frame that is shown with this number, maybe of another thread. *ret_is: there is
 * one. */
MUST_CHECK struct error *team_stack_select(struct cli *c, size_t number, bool *ret_is);

/*
 * Selects the frame that is shown so many further out than the selected one; negative: further in.
 * Where that is none of those that are shown, it counts from between them. *ret_is: the thread is
 * in a region, and has such frames. USAGE: there is none in that direction.
 */
MUST_CHECK struct error *team_stack_move(struct cli *c, long count, bool *ret_is);

#endif
