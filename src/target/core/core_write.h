/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Core_write: a core file of a process that stands still and lives on.
 *
 * As the kernel would write it (core(5)): what /proc/PID/coredump_filter and madvise(2) leave out
 * is left out; of files only pages that the process has changed, and the first one of each ELF
 * file. The notes come first, so that a file cut short can still be read. Traps that ompdb has
 * planted are not in it. Pages of zeros become holes.
 */
#ifndef TARGET_CORE_WRITE_H
#define TARGET_CORE_WRITE_H

#include "target/process/target.h"

/*
 * Writes the file, for the user alone; one that was there is replaced, when all has gone well.
 * first: the thread that debuggers shall show first; NULL: any. Every thread must be stopped; of
 * those that are not there are no registers. UNSUPPORTED: no process; OS: the file cannot be
 * written.
 */
MUST_CHECK struct error *core_write(struct target *t, const struct thread *first, const char *path);

#endif
