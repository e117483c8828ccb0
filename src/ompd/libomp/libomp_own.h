/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Libomp_own: what a thread of libomp says of itself: its number in the runtime leads to its
 * kmp_info_t, and that to its team.
 */
#ifndef OMPD_LIBOMP_OWN_H
#define OMPD_LIBOMP_OWN_H

#include "ompd/picture/runtime_ops.h"

/* As runtime_ops.own_number. */
enum own_state libomp_own_number(const struct openmp *o, enum own_number which, struct buf *ret);

#endif
