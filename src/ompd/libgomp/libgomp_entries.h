/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Libgomp_entries: what the functions do that libgomp offers to programs. Other runtimes offer
 * them, too, to programs that GCC has compiled.
 */
#ifndef OMPD_LIBGOMP_ENTRIES_H
#define OMPD_LIBGOMP_ENTRIES_H

#include "ompd/picture/runtime_ops.h"

extern const struct runtime_entry libgomp_entries[];
extern const struct user_call libgomp_user_calls[];

#endif
