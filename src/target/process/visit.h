/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Visit: calls a function that attaches to a process, in a thread of its own.
 *
 * The kernel's tracer is a thread, not a process. When it ends, the kernel lets go of all that is
 * attached to it in one sweep, in which nothing else runs (kernel/ptrace.c, exit_ptrace()): also of
 * threads in state D, which nobody can detach, and of leaders that have exited. When ompdb is
 * killed in the middle, the same happens; what was only looked at (ptrace_poll()) is then
 * delivered.
 */
#ifndef TARGET_VISIT_H
#define TARGET_VISIT_H

#include "base/error.h"

typedef struct error *visit_function(void *context);

/*
 * Returns what the function returns, when all is let go. It must not have made anything step
 * (the trap flag outlives the tracer), nor have traps planted. OS: no thread could be made.
 */
MUST_CHECK struct error *visit(visit_function *function, void *context);

#endif
