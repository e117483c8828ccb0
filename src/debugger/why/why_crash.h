/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Why_crash: the verdict on a program that a signal has ended: who, where, of what, and what the
 * other threads did then.
 */
#ifndef DEBUGGER_WHY_CRASH_H
#define DEBUGGER_WHY_CRASH_H

#include "debugger/why/why_case.h"

/* Fills in the case's why, if its picture has a crash; false: there is none. */
bool why_crash_judge(const struct why_case *c);

#endif
