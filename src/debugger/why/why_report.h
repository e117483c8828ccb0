/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Why_report: a case that has been judged, as sentences, the chain of blame, and advice.
 */
#ifndef DEBUGGER_WHY_REPORT_H
#define DEBUGGER_WHY_REPORT_H

#include "debugger/why/why_case.h"

/* Fills in summary, blame, reasons, hints and the names of nodes. */
void why_report(const struct why_case *c);

#endif
