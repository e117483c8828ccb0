/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Children: the processes that threads made and that are still ours (tracees.h) go their own way.
 */
#ifndef TARGET_CHILDREN_H
#define TARGET_CHILDREN_H

#include "target/process/tracee.h"

/* Those whose maker goes on do so, too; with all set, all of them. */
MUST_CHECK struct error *children_resume(struct tracees *ts, bool all);

/* Stops them and lets each go, without traps. */
MUST_CHECK struct error *children_release(struct tracees *ts);

#endif
