/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Lsda: what compilers of C++ note of a function's calls, for when an exception comes out of one.
 */
#ifndef TARGET_LSDA_H
#define TARGET_LSDA_H

#include "target/code/unwind.h"

/* An exception that comes out of the call before a return address may be caught in that function.
 */
bool lsda_catches(struct target *t, struct unwinder *u, taddr return_address);

#endif
