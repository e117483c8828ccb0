/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Why_halt: the verdict on a process that job control has stopped (state T): whatever its threads
 * were at, they do not go on before SIGCONT.
 */
#ifndef DEBUGGER_WHY_HALT_H
#define DEBUGGER_WHY_HALT_H

#include "debugger/why/why_case.h"

/* Fills in the case's why, if its process was stopped between looks; false: it was not. */
bool why_halt_judge(const struct why_case *c);

#endif
