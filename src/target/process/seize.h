/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Seize: how the threads of a process become tracees. Rules 1 and 2 of the essay in target.h.
 */
#ifndef TARGET_SEIZE_H
#define TARGET_SEIZE_H

#include "target/process/tracee.h"

/* Seizes and stops every thread of the process; finding none is no error here. */
MUST_CHECK struct error *seize_all(struct tracees *ts);

/* Seizes one thread that runs, and lets it run. */
MUST_CHECK struct error *seize_running(struct tracees *ts, pid_t lwp);

#endif
