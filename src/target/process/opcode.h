/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Opcode: writes programs of condition.h, one instruction after the other. */
#ifndef TARGET_OPCODE_H
#define TARGET_OPCODE_H

#include "base/buf.h"
#include "target/process/condition.h"

void opcode_add(struct buf *out, enum condition_op op);
void opcode_add_byte(struct buf *out, enum condition_op op, uint8_t operand);
void opcode_add_constant(struct buf *out, uint64_t value);
/* To the number on top. */
void opcode_add_offset(struct buf *out, uint64_t offset);
/* The address on top, and so many bytes behind it, becomes the number of "size" bytes there. */
void opcode_add_load(struct buf *out, uint64_t offset, uint8_t size);

/* A jump whose goal is not known yet, and that it is here. */
size_t opcode_jump(struct buf *out, enum condition_op op);
void opcode_land(struct buf *out, size_t jump);

#endif
