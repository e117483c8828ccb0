/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Runtimes: all kinds that ompdb knows.
 */
#ifndef OMPD_RUNTIMES_H
#define OMPD_RUNTIMES_H

#include "ompd/picture/runtime_ops.h"

/* Ends with NULL. */
extern const struct runtime_ops *const runtimes_known[];

#endif
