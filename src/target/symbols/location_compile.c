/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <dwarf.h>

#include "target/process/opcode.h"
#include "target/symbols/location.h"

/*
 * Locations as instructions of a condition: for what compilers write of arguments and variables of
 * basic types. All else is left to location_run(), at each hit.
 */
struct compiler {
	const struct location_context *c;
	const struct location_cfa *cfa;
	struct buf *out;
	bool value; /* what is on the stack is the value, not its address */
	bool done;  /* nothing may follow                                 */
	bool in_frame_base;
};

typedef bool emitter(struct compiler *k, const struct location_op *op);

static bool add_register(struct compiler *k, uint64_t reg, uint64_t offset)
{
	const struct arch *arch = k->c->frame->target->arch;
	int index = location_code_reg(arch, reg);

	if (index < 0)
		return false;
	buf_addc(k->out, CONDITION_REGISTER);
	buf_addc(k->out, (char)index);
	opcode_add_offset(k->out, offset);
	return true;
}

static bool emit_constant(struct compiler *k, const struct location_op *op)
{
	opcode_add_constant(k->out, op->number);
	return true;
}

static bool emit_literal(struct compiler *k, const struct location_op *op)
{
	opcode_add_constant(k->out, op->atom - (uint64_t)DW_OP_lit0);
	return true;
}

static bool emit_addr(struct compiler *k, const struct location_op *op)
{
	opcode_add_constant(k->out, op->number + k->c->bias);
	return true;
}

static bool emit_breg(struct compiler *k, const struct location_op *op)
{
	return add_register(k, op->atom - (uint64_t)DW_OP_breg0, op->number);
}

static bool emit_bregx(struct compiler *k, const struct location_op *op)
{
	return add_register(k, op->number, op->number2);
}

static bool emit_reg(struct compiler *k, const struct location_op *op)
{
	k->value = k->done = true;
	return add_register(k, op->atom - (uint64_t)DW_OP_reg0, 0);
}

static bool emit_regx(struct compiler *k, const struct location_op *op)
{
	k->value = k->done = true;
	return add_register(k, op->number, 0);
}

static bool emit_cfa(struct compiler *k, const struct location_op *op)
{
	(void)op;
	if (k->cfa->reg < 0)
		return false;
	buf_addc(k->out, CONDITION_REGISTER);
	buf_addc(k->out, (char)k->cfa->reg);
	opcode_add_offset(k->out, (uint64_t)k->cfa->offset);
	return true;
}

static bool emit_all(struct compiler *k, const struct location_code *code);

static bool emit_fbreg(struct compiler *k, const struct location_op *op)
{
	struct compiler base = *k;

	if (!k->c->frame_base || k->in_frame_base)
		return false;
	base.in_frame_base = true;
	if (!emit_all(&base, k->c->frame_base))
		return false;
	opcode_add_offset(k->out, op->number);
	return true;
}

static bool emit_deref(struct compiler *k, const struct location_op *op)
{
	uint64_t size = location_load_size(op);

	if (!size)
		return false;
	buf_addc(k->out, CONDITION_LOAD);
	buf_addc(k->out, (char)size);
	return true;
}

static bool emit_plus_uconst(struct compiler *k, const struct location_op *op)
{
	opcode_add_offset(k->out, op->number);
	return true;
}

static bool emit_stack_value(struct compiler *k, const struct location_op *op)
{
	(void)op;
	k->value = k->done = true;
	return true;
}

/* Operations that are one instruction of conditions, too. */
static const uint8_t plain[256] = {
	[DW_OP_dup] = CONDITION_DUPLICATE,
	[DW_OP_drop] = CONDITION_DROP,
	[DW_OP_swap] = CONDITION_SWAP,
	[DW_OP_and] = CONDITION_AND,
	[DW_OP_minus] = CONDITION_SUBTRACT,
	[DW_OP_mul] = CONDITION_MULTIPLY,
	[DW_OP_div] = CONDITION_DIVIDE,
	[DW_OP_mod] = CONDITION_REST_U,
	[DW_OP_neg] = CONDITION_NEGATE,
	[DW_OP_not] = CONDITION_INVERT,
	[DW_OP_or] = CONDITION_OR,
	[DW_OP_plus] = CONDITION_ADD,
	[DW_OP_shl] = CONDITION_SHIFT_LEFT,
	[DW_OP_shr] = CONDITION_SHIFT_RIGHT,
	[DW_OP_shra] = CONDITION_SHIFT_SIGNED,
	[DW_OP_xor] = CONDITION_XOR,
	[DW_OP_eq] = CONDITION_EQUAL,
	[DW_OP_lt] = CONDITION_LESS,
	[DW_OP_le] = CONDITION_LESS_OR_EQUAL,
};

static bool emit_plain(struct compiler *k, const struct location_op *op)
{
	buf_addc(k->out, (char)plain[op->atom]);
	return true;
}

#define ALL(first, last, what) [(first)...(last)] = (what)
static emitter *const emitters[256] = {
	[DW_OP_addr] = emit_addr,
	[DW_OP_deref] = emit_deref,
	[DW_OP_deref_size] = emit_deref,
	ALL(DW_OP_const1u, DW_OP_consts, emit_constant),
	[DW_OP_plus_uconst] = emit_plus_uconst,
	ALL(DW_OP_lit0, DW_OP_lit31, emit_literal),
	ALL(DW_OP_reg0, DW_OP_reg31, emit_reg),
	[DW_OP_regx] = emit_regx,
	ALL(DW_OP_breg0, DW_OP_breg31, emit_breg),
	[DW_OP_bregx] = emit_bregx,
	[DW_OP_fbreg] = emit_fbreg,
	[DW_OP_call_frame_cfa] = emit_cfa,
	[DW_OP_stack_value] = emit_stack_value,
};

static bool emit_all(struct compiler *k, const struct location_code *code)
{
	if (code->missing || !code->n)
		return false;
	for (size_t i = 0; i < code->n; i++) {
		const struct location_op *op = &code->ops[i];
		emitter *emit = plain[op->atom] ? emit_plain : emitters[op->atom];
		if (k->done || !emit || !emit(k, op))
			return false;
	}
	return true;
}

struct error *location_compile(const struct location_code *code, const struct location_context *c,
			       const struct location_cfa *cfa, struct buf *ret,
			       enum location_kind *ret_kind)
{
	struct compiler k = { .c = c, .cfa = cfa, .out = ret };

	if (!emit_all(&k, code))
		return error_new(ERROR_UNSUPPORTED, "it lies where a condition cannot look");
	*ret_kind = k.value ? LOCATION_VALUE : LOCATION_MEMORY;
	return NULL;
}
