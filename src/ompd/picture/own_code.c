/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/picture/own_code.h"

#include <assert.h>

void own_code_check(struct own_code *k)
{
	assert(k->len < OWN_CODE_CHECKS);
	k->jumps[k->len++] = opcode_jump(k->out, CONDITION_JUMP_ZERO);
}

static void need(struct own_code *k)
{
	opcode_add(k->out, CONDITION_DUPLICATE);
	own_code_check(k);
}

void own_code_begin(struct own_code *k, enum own_number which, struct buf *out)
{
	*k = (struct own_code){ .out = out, .which = which };
	opcode_add(out, CONDITION_BASE);
	need(k);
}

void own_code_follow(struct own_code *k, uint64_t offset)
{
	opcode_add_load(k->out, offset, 8);
	need(k);
}

void own_code_end(struct own_code *k, uint64_t offset)
{
	opcode_add_load(k->out, offset, k->which == OWN_TEAM ? 8 : 4);
	size_t end = opcode_jump(k->out, CONDITION_JUMP);
	for (size_t i = 0; i < k->len; i++)
		opcode_land(k->out, k->jumps[i]);
	opcode_add(k->out, CONDITION_DROP);
	opcode_add_constant(k->out, k->which == OWN_TEAM_SIZE);
	opcode_land(k->out, end);
}
