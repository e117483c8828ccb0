/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Libgomp: GCC's runtime. The OMPD library for it is built in, and tells more than OMPD can ask.
 */
#ifndef OMPD_LIBGOMP_H
#define OMPD_LIBGOMP_H

#include "ompd/client/library.h"
#include "ompd/picture/runtime_ops.h"

extern const struct runtime_ops libgomp_ops;

/* The library that is built in. */
struct library libgomp_library(void);

#endif
