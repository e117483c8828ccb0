/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Emit: instructions of conditions (condition.h) for numbers that are on the stack: integers,
 * extended to 64 bits as their types say, and floating-point numbers as doubles.
 */
#ifndef DEBUGGER_EMIT_H
#define DEBUGGER_EMIT_H

#include "debugger/values/expr_tree.h"
#include "target/process/opcode.h"

void emit_real(struct buf *out, double value);

/* What fits on the stack: integers and pointers of up to 8 bytes; float and double. */
bool emit_is_integer(const struct type *t);
bool emit_is_float(const struct type *t);

/* The integer on top becomes one of that type. */
void emit_fit(struct buf *out, const struct type *t);
/* The number on top, of type "from", becomes one of type "to". UNSUPPORTED. */
MUST_CHECK struct error *emit_convert(struct buf *out, const struct type *from,
				      const struct type *to);
/* The address on top becomes the number of that type that is there; of a bit-field: bits of it. */
void emit_load(struct buf *out, const struct type *t);
void emit_load_bits(struct buf *out, const struct type *t, unsigned int from, unsigned int count);

void emit_scale(struct buf *out, uint64_t by);

/* 1 if the number on top is not 0, else 0. */
void emit_truth(struct buf *out, const struct type *t);

/* Both are on the stack, b on top. *ret: of what comes out. UNSUPPORTED. */
MUST_CHECK struct error *emit_binary(struct buf *out, enum expr_op op, const struct type *a,
				     const struct type *b, const struct type **ret);
/* NEGATE, SAME, NOT, INVERT */
MUST_CHECK struct error *emit_unary(struct buf *out, enum expr_op op, const struct type *a,
				    const struct type **ret);

/* What a condition is not made of: UNSUPPORTED. */
struct error *emit_cannot(const char *what);

#endif
