/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Adopt: threads that are ours though no report told of them: whoever made them died before.
 */
#ifndef TARGET_ADOPT_H
#define TARGET_ADOPT_H

#include "target/process/tracee.h"

/* It is ours, but it need not be new: an exec may have given one that runs another number. */
MUST_CHECK struct error *adopt_ours(struct tracees *ts, pid_t lwp);

/* All threads of the process that are traced by this one, by what /proc says. */
MUST_CHECK struct error *adopt_unknown(struct tracees *ts);

/*
 * Those whose making nobody lived to tell, as soon as only the leader seems to be left: its end is
 * not told before theirs. Without a leader the program may also go on under its number, which an
 * exec gave to the caller.
 */
MUST_CHECK struct error *adopt_forgotten(struct tracees *ts);

#endif
