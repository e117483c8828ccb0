/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Libomp: LLVM's runtime. libompd explains it, with the help of symbols that are recovered where
 * the file is stripped.
 */
#ifndef OMPD_LIBOMP_H
#define OMPD_LIBOMP_H

#include "ompd/picture/runtime_ops.h"

extern const struct runtime_ops libomp_ops;

#endif
