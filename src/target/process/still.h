/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Still: a process as it was at one moment, while it goes on running.
 *
 *   target_visit()    stops the process, takes registers, mappings and memory, and lets it go; then
 *                     looks at those. Who needs more memory than was taken gets what is there by
 * then target_is_whole() true: nobody needed more. false: begin again with target_visit(), which
 *                     takes that memory, too
 *
 * Mappings that have not changed from before the stop to behind it are not read at it.
 *
 * What is taken: general registers, and those that were asked for before; of each stack what is in
 * use, where each thread has its thread-local variables, and what was read at stops before. What is
 * never written to, such as code, is read when it is needed.
 *
 * A process whose memory is another one each time, or too much, is looked at the third time while
 * it stands still: so target_is_whole() is true sooner or later.
 */
#ifndef TARGET_STILL_H
#define TARGET_STILL_H

#include "target/process/target.h"

/*
 * process: of live_open(), not attached; taken, also on failure. The target cannot be resumed.
 * Before the first target_visit() it looks as if it stood still: what is read then is taken at the
 * first stop. But it does not: its threads have no registers but their thread pointers, where these
 * are known, and memory changes. Errors: lack of memory.
 */
MUST_CHECK struct error *still_new(struct target *process, struct target **ret);

#endif
