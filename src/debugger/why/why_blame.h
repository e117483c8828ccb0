/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Why_blame: the chain from the thread that stops all others to those that wait in the end.
 */
#ifndef DEBUGGER_WHY_BLAME_H
#define DEBUGGER_WHY_BLAME_H

#include "debugger/why/why_case.h"

/* Fills in the blame; class and verdict must be set. */
void why_blame_find(const struct why_case *c);

#endif
