/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/opcode.h"

void opcode_add(struct buf *out, enum condition_op op)
{
	buf_addc(out, (char)op);
}

void opcode_add_byte(struct buf *out, enum condition_op op, uint8_t operand)
{
	buf_addc(out, (char)op);
	buf_addc(out, (char)operand);
}

void opcode_add_constant(struct buf *out, uint64_t value)
{
	opcode_add(out, CONDITION_CONST);
	for (size_t i = 0; i < 8; i++)
		buf_addc(out, (char)(value >> (8 * i)));
}

void opcode_add_offset(struct buf *out, uint64_t offset)
{
	if (!offset)
		return;
	opcode_add_constant(out, offset);
	opcode_add(out, CONDITION_ADD);
}

void opcode_add_load(struct buf *out, uint64_t offset, uint8_t size)
{
	opcode_add_offset(out, offset);
	opcode_add_byte(out, CONDITION_LOAD, size);
}

size_t opcode_jump(struct buf *out, enum condition_op op)
{
	opcode_add(out, op);
	buf_add(out, "\0", 2);
	return out->len - 2;
}

void opcode_land(struct buf *out, size_t jump)
{
	if (!buf_ok(out))
		return;
	out->data[jump] = (char)out->len;
	out->data[jump + 1] = (char)(out->len >> 8);
}
