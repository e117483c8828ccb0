/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Likeness: whether processes that do the same say the same.
 */
#ifndef DEBUGGER_JOB_LIKENESS_H
#define DEBUGGER_JOB_LIKENESS_H

#include "base/buf.h"
#include "target/process/procfs.h"

/*
 * Adds a text without what differs between such processes: LWPs, addresses, seconds. What is left
 * of equal answers is equal. lwps: of the process that the text is about, sorted.
 */
void likeness_add(struct buf *key, const char *text, const struct lwp_list *lwps);

/* Whether a number is among sorted ones. */
bool likeness_is_lwp(const struct lwp_list *lwps, long number);

#endif
