/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Stranded: threads that sleep in a system call whose code has been unmapped meanwhile.
 *
 * A plugin on libgomp that is closed with dlclose() takes libgomp along, whose idle threads sleep
 * in futex(2) for ever and do no harm. But whoever stops them for a moment, by a signal or
 * ptrace(2), has the kernel make the call again, at an instruction that is no longer there:
 * SIGSEGV.
 */
#ifndef TARGET_STRANDED_H
#define TARGET_STRANDED_H

#include "target/process/tracees.h"

/*
 * A thread that stands is about to go on: has a stranded one make its call by an instruction of the
 * vdso. If it is ever woken it fails behind that, as it would have where it was. Errors: those of
 * registers.
 */
MUST_CHECK struct error *stranded_save(struct tracees *ts, struct thread *th);

#endif
