/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Thread_number: what clang puts before the body of a function with constructs of OpenMP's: it asks
 * the runtime once which thread this is, and keeps that.
 *
 * Measured with 19 it says of that code the line of a construct in the body (14: the function's),
 * and that the prologue ends before it. Without optimisation the arguments are only behind it put
 * where DWARF says that they are.
 */
#ifndef TARGET_THREAD_NUMBER_H
#define TARGET_THREAD_NUMBER_H

#include "target/process/target.h"

/*
 * Where what is behind it begins, if the code from start to end, a row of the line table, begins
 * with that; else start, as where a construct follows in the same row and no argument is behind it.
 */
taddr thread_number_end(const struct target *t, taddr start, taddr end);

#endif
