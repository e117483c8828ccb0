/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/location.h"

#include <dwarf.h>
#include <string.h>

enum { STACK_MAX = 64, STEPS_MAX = 4096, PIECE_MAX = 1 << 28 };

struct machine {
	const struct location_context *c;
	const struct location_code *code;
	struct location_value stack[STACK_MAX];
	size_t depth, at;          /* at: the next operation                                 */
	struct location *ret;      /* what has been put together so far                       */
	struct location_part part; /* what the operations since the last piece come to   */
	bool placed;               /* part.kind says where; else it is memory at the top      */
	const char *why;           /* it cannot be had; NULL: so far it can                   */
	bool in_frame_base;
};

struct location location_missing(const char *why)
{
	return (struct location){ .parts = { { .kind = LOCATION_MISSING, .why = why } }, .n = 1 };
}

int location_code_reg(const struct arch *arch, uint64_t dwarf_reg)
{
	for (size_t i = 0; i < arch->ncode_regs; i++) {
		if (arch->code_regs[i]->dwarf >= 0 &&
		    (uint64_t)arch->code_regs[i]->dwarf == dwarf_reg)
			return (int)i;
	}
	return -1;
}

int location_entry_register(const struct location_op *op)
{
	bool one = op->number == 1 && op->block[0] >= DW_OP_reg0 && op->block[0] <= DW_OP_reg31;

	return one ? op->block[0] - DW_OP_reg0 : -1;
}

static bool miss(struct machine *m, const char *why)
{
	m->why = why;
	return false;
}

static bool push_value(struct machine *m, struct location_value value)
{
	if (m->depth == STACK_MAX)
		return miss(m, "its location is too deep");
	m->stack[m->depth++] = value;
	return true;
}

static bool push(struct machine *m, uint64_t value)
{
	return push_value(m, (struct location_value){ .bits = value });
}

/* What has been reckoned, unless there is a reason why it could not be. */
static bool push_unless(struct machine *m, const char *why, struct location_value value)
{
	return why ? miss(m, why) : push_value(m, value);
}

/* 0 from an empty stack, which is noted. */
static struct location_value pop_value(struct machine *m)
{
	if (m->depth == 0) {
		m->why = "its location makes no sense";
		return (struct location_value){ 0 };
	}
	return m->stack[--m->depth];
}

static uint64_t pop(struct machine *m)
{
	return pop_value(m).bits;
}

static bool push_register(struct machine *m, uint64_t reg, uint64_t offset)
{
	const struct location_frame *f = m->c->frame;
	int index = location_code_reg(f->target->arch, reg);

	if (!f->registers)
		return miss(m, "no frame selected");
	if (f->target->arch->pc->dwarf >= 0 && reg == (uint64_t)f->target->arch->pc->dwarf)
		return push(m, f->pc + offset);
	if (index < 0 || !(f->known >> index & 1))
		return miss(m, "a register was not saved");
	return push(m, f->registers[index] + offset);
}

/* ---- what operations do ----------------------------------------------------------------- */

typedef bool operation(struct machine *m, const struct location_op *op);

static bool do_nop(struct machine *m, const struct location_op *op)
{
	(void)m, (void)op;
	return true;
}

static bool do_const(struct machine *m, const struct location_op *op)
{
	return push(m, op->number);
}

static bool do_addr(struct machine *m, const struct location_op *op)
{
	return push(m, op->number + m->c->bias);
}

static bool do_literal(struct machine *m, const struct location_op *op)
{
	return push(m, op->atom - (uint64_t)DW_OP_lit0);
}

static bool do_breg(struct machine *m, const struct location_op *op)
{
	return push_register(m, op->atom - (uint64_t)DW_OP_breg0, op->number);
}

static bool do_bregx(struct machine *m, const struct location_op *op)
{
	return push_register(m, op->number, op->number2);
}

static bool place(struct machine *m, struct location_part part)
{
	m->part = part;
	m->placed = true;
	return true;
}

static bool do_reg(struct machine *m, const struct location_op *op)
{
	uint64_t reg = op->atom == DW_OP_regx ? op->number : op->atom - (uint64_t)DW_OP_reg0;

	return place(m, (struct location_part){ .kind = LOCATION_REGISTER,
						.dwarf_reg = reg < 1024 ? (int)reg : -1 });
}

static bool do_cfa(struct machine *m, const struct location_op *op)
{
	(void)op;
	if (!m->c->frame->cfa)
		return miss(m, m->c->frame->registers ? "the frame is not known"
						      : "no frame selected");
	return push(m, m->c->frame->cfa);
}

static bool do_fbreg(struct machine *m, const struct location_op *op)
{
	const struct location_code *base = m->c->frame_base;
	struct location its;

	if (!base || m->in_frame_base)
		return miss(m, "its function has no frame base");
	struct location_context inner = *m->c;
	inner.frame_base = NULL;
	location_run(base, &inner, &its);
	const struct location_part *p = &its.parts[0];
	if (p->kind == LOCATION_MISSING)
		return miss(m, p->why);
	if (p->kind == LOCATION_REGISTER)
		return push_register(m, (uint64_t)p->dwarf_reg, op->number);
	if (p->kind == LOCATION_BLOCK || p->kind == LOCATION_POINTER)
		return miss(m, "its function's frame base makes no sense");
	return push(m, (p->kind == LOCATION_VALUE ? p->value : p->addr) + op->number);
}

static bool do_object(struct machine *m, const struct location_op *op)
{
	(void)op;
	return m->c->object ? push(m, *m->c->object) : miss(m, "it is not in memory");
}

static bool load(struct machine *m, uint64_t size)
{
	uint64_t value, addr = pop(m);

	if (m->why || (size != 1 && size != 2 && size != 4 && size != 8))
		return miss(m, "its location makes no sense");
	struct error *err = target_read_uint(m->c->frame->target, addr, size, &value);
	error_ignore(err);
	return err ? miss(m, "memory that leads to it cannot be read") : push(m, value);
}

uint64_t location_load_size(const struct location_op *op)
{
	uint64_t size = op->atom == DW_OP_deref ? 8 : op->number;

	if (size > 64 || size == 0 || size & (size - 1))
		return 0;
	return size < 8 ? size : 8;
}

static bool do_deref(struct machine *m, const struct location_op *op)
{
	return load(m, location_load_size(op));
}

static bool do_dup(struct machine *m, const struct location_op *op)
{
	(void)op;
	struct location_value value = pop_value(m);
	return !m->why && push_value(m, value) && push_value(m, value);
}

static bool do_drop(struct machine *m, const struct location_op *op)
{
	(void)op;
	pop(m);
	return true;
}

static bool do_pick(struct machine *m, const struct location_op *op)
{
	uint64_t n = op->atom == DW_OP_over ? 1 : op->number;

	return n < m->depth ? push_value(m, m->stack[m->depth - 1 - n])
			    : miss(m, "its location makes no sense");
}

static bool do_swap(struct machine *m, const struct location_op *op)
{
	(void)op;
	struct location_value a = pop_value(m), b = pop_value(m);
	return push_value(m, a) && push_value(m, b);
}

static bool do_rot(struct machine *m, const struct location_op *op)
{
	(void)op;
	struct location_value a = pop_value(m), b = pop_value(m), c = pop_value(m);
	return push_value(m, a) && push_value(m, c) && push_value(m, b);
}

static bool do_plus_uconst(struct machine *m, const struct location_op *op)
{
	struct location_value v = pop_value(m);

	if (v.type.encoding == LOCATION_FLOAT)
		return miss(m, "its location makes no sense");
	return push_value(m, location_value_of(v.type, v.bits + op->number));
}

static bool do_unary(struct machine *m, const struct location_op *op)
{
	struct location_value v = pop_value(m), ret = v;
	const char *why = m->why ? m->why : location_unary(op->atom, v, &ret);

	return push_unless(m, why, ret);
}

static bool do_binary(struct machine *m, const struct location_op *op)
{
	struct location_value b = pop_value(m), a = pop_value(m), ret = a;
	const char *why = m->why ? m->why : location_binary(op->atom, a, b, &ret);

	return push_unless(m, why, ret);
}

/* ---- values of types of the program ------------------------------------------------------ */

static bool push_typed(struct machine *m, const struct location_op *op, uint64_t bits)
{
	if (op->type.encoding == LOCATION_STRANGE)
		return miss(m, "its location reckons with a type that ompdb does not");
	return push_value(m, location_value_of(op->type, bits));
}

static bool do_convert(struct machine *m, const struct location_op *op)
{
	struct location_value v = pop_value(m), ret = v;
	const char *why = m->why ? m->why : location_convert(v, op->type, &ret);

	return push_unless(m, why, ret);
}

static bool do_reinterpret(struct machine *m, const struct location_op *op)
{
	struct location_value v = pop_value(m);
	unsigned int have = v.type.size ? v.type.size : 8, want = op->type.size ? op->type.size : 8;

	return have == want ? push_typed(m, op, v.bits) : miss(m, "its location makes no sense");
}

static bool do_const_type(struct machine *m, const struct location_op *op)
{
	uint64_t bits = 0;

	memcpy(&bits, op->block, op->number < sizeof(bits) ? op->number : sizeof(bits));
	return push_typed(m, op, bits);
}

static bool do_deref_type(struct machine *m, const struct location_op *op)
{
	return load(m, op->number) && push_typed(m, op, pop(m));
}

/* Of the thread as it stands, as are all registers that are not followed through its frames. */
static bool push_vector_register(struct machine *m, const struct location_op *op)
{
	const struct location_frame *f = m->c->frame;
	const struct reg *r =
		op->number < 1024 ? arch_find_dwarf_reg(f->target->arch, (int)op->number) : NULL;
	uint8_t bytes[ARCH_REGISTER_MAX] = { 0 };
	size_t size;
	uint64_t bits;

	if (!r || !f->thread)
		return miss(m, f->thread ? "not available" : "no frame selected");
	struct error *err = target_get_register(f->target, f->thread, r, bytes, &size);
	error_ignore(err);
	memcpy(&bits, bytes, sizeof(bits));
	return err ? miss(m, "unavailable") : push_typed(m, op, bits);
}

static bool do_regval_type(struct machine *m, const struct location_op *op)
{
	if (location_code_reg(m->c->frame->target->arch, op->number) < 0)
		return push_vector_register(m, op);
	return push_register(m, op->number, 0) && push_typed(m, op, pop(m));
}

static bool do_jump(struct machine *m, const struct location_op *op)
{
	if (op->atom == DW_OP_bra && pop(m) == 0)
		return true;
	/* Behind the operation, which has three bytes. */
	uint64_t to = op->offset + 3 + (uint64_t)(int64_t)(int16_t)op->number;
	for (size_t i = 0; i < m->code->n; i++) {
		if (m->code->ops[i].offset == to) {
			m->at = i;
			return true;
		}
	}
	m->at = m->code->n;
	return true;
}

static bool do_stack_value(struct machine *m, const struct location_op *op)
{
	(void)op;
	struct location_value v = pop_value(m);
	return place(m, (struct location_part){
				.kind = LOCATION_VALUE, .value = v.bits, .type = v.type });
}

static bool do_implicit(struct machine *m, const struct location_op *op)
{
	return place(m, (struct location_part){ .kind = LOCATION_BLOCK,
						.block = op->block,
						.block_size = op->number });
}

static bool do_tls(struct machine *m, const struct location_op *op)
{
	(void)op;
	uint64_t offset = pop(m);
	taddr addr;

	if (m->why)
		return false;
	if (!m->c->tls)
		return miss(m, "its thread-local storage is not known");
	const char *why = m->c->tls(m->c->tls_context, offset, &addr);
	return why ? miss(m, why) : push(m, addr);
}

static bool push_passed(struct machine *m, struct location_passed what)
{
	const struct location_frame *f = m->c->frame;
	struct location_value value;

	if (!f->at_entry || !f->at_entry(f->entry_context, what, &value))
		return miss(m, "optimized out");
	return push_value(m, value);
}

static bool do_entry_value(struct machine *m, const struct location_op *op)
{
	int reg = location_entry_register(op);

	return reg < 0 ? miss(m, "optimized out")
		       : push_passed(m, (struct location_passed){ reg, 0 });
}

static bool do_parameter_ref(struct machine *m, const struct location_op *op)
{
	return push_passed(m, (struct location_passed){ -1, op->number });
}

static bool do_implicit_pointer(struct machine *m, const struct location_op *op)
{
	return place(m, (struct location_part){ .kind = LOCATION_POINTER,
						.why = "synthetic pointer",
						.entry = op->number,
						.value = op->number2 });
}

static bool end_part(struct machine *m, uint64_t bits, uint64_t offset)
{
	struct location_part p = m->part;
	bool empty = m->depth == 0;
	struct location_value top =
		m->placed || empty ? (struct location_value){ 0 } : pop_value(m);

	if (!m->placed && empty)
		p = (struct location_part){ .kind = LOCATION_MISSING, .why = "optimized out" };
	else if (!m->placed)
		p = (struct location_part){ .kind = LOCATION_MEMORY,
					    .addr = top.bits,
					    .type = top.type };
	if (m->ret->n == LOCATION_PARTS_MAX)
		return miss(m, "it lies in too many places");
	p.bits = bits;
	p.bit_offset = offset;
	m->ret->parts[m->ret->n++] = p;
	m->placed = false;
	return true;
}

static bool do_piece(struct machine *m, const struct location_op *op)
{
	uint64_t unit = op->atom == DW_OP_bit_piece ? 1 : 8;
	uint64_t offset = op->atom == DW_OP_bit_piece ? op->number2 : 0;

	if (op->number > PIECE_MAX || offset > PIECE_MAX)
		return miss(m, "its location makes no sense");
	return op->number ? end_part(m, op->number * unit, offset) : true;
}

#define ALL(first, last, what) [(first)...(last)] = (what)
static operation *const operations[256] = {
	[DW_OP_addr] = do_addr,
	[DW_OP_deref] = do_deref,
	[DW_OP_deref_size] = do_deref,
	ALL(DW_OP_const1u, DW_OP_consts, do_const),
	[DW_OP_dup] = do_dup,
	[DW_OP_drop] = do_drop,
	[DW_OP_over] = do_pick,
	[DW_OP_pick] = do_pick,
	[DW_OP_swap] = do_swap,
	[DW_OP_rot] = do_rot,
	[DW_OP_abs] = do_unary,
	[DW_OP_neg] = do_unary,
	[DW_OP_not] = do_unary,
	[DW_OP_and] = do_binary,
	[DW_OP_div] = do_binary,
	[DW_OP_minus] = do_binary,
	[DW_OP_mod] = do_binary,
	[DW_OP_mul] = do_binary,
	[DW_OP_or] = do_binary,
	[DW_OP_plus] = do_binary,
	[DW_OP_plus_uconst] = do_plus_uconst,
	ALL(DW_OP_shl, DW_OP_xor, do_binary),
	[DW_OP_bra] = do_jump,
	[DW_OP_skip] = do_jump,
	ALL(DW_OP_eq, DW_OP_ne, do_binary),
	ALL(DW_OP_lit0, DW_OP_lit31, do_literal),
	ALL(DW_OP_reg0, DW_OP_reg31, do_reg),
	[DW_OP_regx] = do_reg,
	ALL(DW_OP_breg0, DW_OP_breg31, do_breg),
	[DW_OP_bregx] = do_bregx,
	[DW_OP_fbreg] = do_fbreg,
	[DW_OP_push_object_address] = do_object,
	[DW_OP_call_frame_cfa] = do_cfa,
	[DW_OP_nop] = do_nop,
	[DW_OP_form_tls_address] = do_tls,
	[DW_OP_stack_value] = do_stack_value,
	[DW_OP_implicit_value] = do_implicit,
	[DW_OP_implicit_pointer] = do_implicit_pointer,
	[DW_OP_const_type] = do_const_type,
	[DW_OP_regval_type] = do_regval_type,
	[DW_OP_deref_type] = do_deref_type,
	[DW_OP_convert] = do_convert,
	[DW_OP_reinterpret] = do_reinterpret,
	[DW_OP_GNU_uninit] = do_nop,
	[DW_OP_entry_value] = do_entry_value,
	[DW_OP_GNU_parameter_ref] = do_parameter_ref,
	[DW_OP_piece] = do_piece,
	[DW_OP_bit_piece] = do_piece,
};

void location_run(const struct location_code *code, const struct location_context *c,
		  struct location *ret)
{
	struct machine m = { .c = c, .code = code, .ret = ret };

	*ret = (struct location){ 0 };
	m.why = code->missing;
	if (!m.why && code->n == 0)
		m.why = "optimized out";
	if (c->initial)
		push(&m, *c->initial);
	for (size_t steps = 0; !m.why && m.at < code->n; steps++) {
		const struct location_op *op = &code->ops[m.at++];
		if (steps == STEPS_MAX)
			m.why = "its location does not end";
		else if (!operations[op->atom])
			m.why = "its location has an operation that ompdb does not know";
		else if (!operations[op->atom](&m, op) && !m.why)
			m.why = "its location makes no sense";
	}
	if (!m.why && (m.placed || m.depth || !ret->n))
		end_part(&m, 0, 0);
	if (m.why)
		*ret = location_missing(m.why);
}
