/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Type_parts: what the files that make up type.h share.
 */
#ifndef TARGET_TYPE_PARTS_H
#define TARGET_TYPE_PARTS_H

#include "target/symbols/type.h"

/* The name of a type within others, of which there may be so many yet; in Fortran, and in either.
 */
void type_add_fortran_name(struct buf *out, const struct type *t, size_t depth);
void type_add_inner_name(struct buf *out, const struct type *t, size_t depth);

#endif
