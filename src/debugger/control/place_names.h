/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Place_names: what a frame calls a place in memory.
 */
#ifndef DEBUGGER_PLACE_NAMES_H
#define DEBUGGER_PLACE_NAMES_H

#include "debugger/values/scope.h"

/*
 * The global variable that is or lies there, "parts+0x8", or one that begins there and that the
 * scope's code sees, through references too; else the address. Errors only for lack of memory.
 */
MUST_CHECK struct error *place_names_add(const struct scope *s, taddr addr, struct buf *out);

#endif
