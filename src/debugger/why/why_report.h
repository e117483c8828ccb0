/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Why_report: a case that has been judged, as sentences, the chain of blame, and advice.
 */
#ifndef DEBUGGER_WHY_REPORT_H
#define DEBUGGER_WHY_REPORT_H

#include "debugger/why/why_case.h"

/* Fills in summary, blame, reasons, hints and the names of nodes. Errors only for lack of memory.
 */
MUST_CHECK struct error *why_report(const struct why_case *c, struct why *why);

#endif
