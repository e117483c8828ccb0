/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Libgomp_own: what a thread of libgomp says of itself, in its thread-local gomp_thread. */
#ifndef OMPD_LIBGOMP_OWN_H
#define OMPD_LIBGOMP_OWN_H

#include "ompd/picture/runtime_ops.h"

/* As runtime_ops.own_number. */
enum own_state libgomp_own_number(const struct openmp *o, enum own_number which, struct buf *ret);

#endif
