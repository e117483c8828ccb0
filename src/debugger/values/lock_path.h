/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Lock_path: how the source gets from a variable to a lock that lies in it.
 */
#ifndef DEBUGGER_LOCK_PATH_H
#define DEBUGGER_LOCK_PATH_H

#include "target/symbols/type.h"

/*
 * Adds to the name of something of that type, or if pointed of a pointer to it, what leads to the
 * lock so many bytes into it: ".node.lock". false: there is none, and what was added is of no use.
 */
bool lock_path_add(struct buf *out, const struct type *t, uint64_t offset, bool pointed,
		   bool fortran);

/* The same of something that has no parts. */
bool lock_path_add_scalar(struct buf *out, const struct type *t, uint64_t offset, bool fortran);

/* An array has elements that one index names: dimensions of Fortran are one in the other. */
bool lock_path_is_row(const struct type *array, bool fortran);

/* A lock of OpenMP, a mutex of the C library or of C++. */
bool lock_path_is_lock(const struct type *t);

/* A library's own members are nothing that programmers write. */
bool lock_path_is_library(const struct type *t);

/* A class of the library whose elements lie one behind the other. */
bool lock_path_is_sequence(const struct type *t);

#endif
