/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Format_fortran: values of Fortran in gdb's forms: (1, 2), ((1, 2) (3, 4)), ( x = 1, y = 2 ).
 */
#ifndef DEBUGGER_OUTPUT_FORMAT_FORTRAN_H
#define DEBUGGER_OUTPUT_FORMAT_FORTRAN_H

#include "base/buf.h"
#include "debugger/values/shown.h"

/* Writes a part of a value. */
typedef void (*format_part)(struct buf *out, const struct shown *s, char letter, size_t depth);

/* An array, a structure or a complex number: what has items. */
void format_fortran_items(struct buf *out, const struct shown *s, char letter, size_t depth,
			  format_part part);

/* A type and what it consists of, where it is a structure: false, it is none. */
bool format_fortran_type(struct buf *out, const struct type *t);

#endif
