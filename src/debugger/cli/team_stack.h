/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Team_stack: the stitched stack of the selected thread as backtrace shows it:
 *
 *   #0  work (i=8) at a.c:31
 *   -- parallel region 0, team of 4, level 1, at a.c:41 --
 *   #4  main (argc=1) at a.c:41
 *
 * The numbers are those that frame and up know: frames of the runtime are left out between them.
 * Frames of the thread that made the region have numbers behind all of the thread's own.
 */
#ifndef DEBUGGER_CLI_TEAM_STACK_H
#define DEBUGGER_CLI_TEAM_STACK_H

#include "debugger/cli/cli.h"

/*
 * most: so many frames. *ret_is: it is in a region, and its stack has been added; else nothing is.
 */
MUST_CHECK struct error *team_stack_add(struct cli *c, size_t most, bool *ret_is);

#endif
