/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Why_verdict: what the graph and the progress amount to.
 */
#ifndef DEBUGGER_WHY_VERDICT_H
#define DEBUGGER_WHY_VERDICT_H

#include "debugger/snapshot.h"
#include "debugger/why/why.h"

/* Both must be named; *ret is to be freed by why_fini(). Errors only for lack of memory. */
MUST_CHECK struct error *why_verdict_find(const struct snapshot *s, const struct progress *progress,
					  struct why *ret);

#endif
