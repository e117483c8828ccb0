/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Pushed: the stack pointer of a frame that has pushed arguments for the call it is in.
 *
 * What LLVM says of variables by the stack pointer holds for it as it is between calls, and is
 * said for the time of the call, too. The unwind tables tell how far it has moved; that it is put
 * back by so much behind the call is the proof.
 */
#ifndef DEBUGGER_PUSHED_H
#define DEBUGGER_PUSHED_H

#include "debugger/values/scope.h"

/*
 * Gives s registers of its own, with the stack pointer as clang's variables want it; where that is
 * not known, none. Nothing happens where nothing is pushed, or to code of other compilers.
 */
void pushed_settle(struct scope *s, uint64_t registers[SCOPE_REGISTERS_MAX]);

#endif
