/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Format_breakpoint: breakpoints, watchpoints and catchpoints as gdb shows them. */
#ifndef DEBUGGER_OUTPUT_FORMAT_BREAKPOINT_H
#define DEBUGGER_OUTPUT_FORMAT_BREAKPOINT_H

#include "debugger/control/breakpoint.h"
#include "debugger/output/style.h"

/* "Breakpoint 1 at 0x1139: file a.c, line 31." */
void format_breakpoint_made(struct buf *out, const struct breakpoint *b, const struct style *style);

/* info breakpoints: the line above the rows, and a breakpoint's rows. */
void format_breakpoint_head(struct buf *out);
void format_breakpoint_row(struct buf *out, const struct breakpoint *b, const struct style *style);

#endif
