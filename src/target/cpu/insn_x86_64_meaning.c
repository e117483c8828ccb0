/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/cpu/insn_x86_64_parts.h"

/* What a called function may change: System V ABI, AMD64 supplement, figure 3.4. */
enum { CALL_WRITES = 1 << RAX | 1 << RCX | 1 << RDX | 1 << RSI | 1 << RDI | 0xf << 8 };

/* The registers that a number without REX means in an instruction on bytes: 4 is ah or spl. */
static uint32_t bits_of(const struct decoder *d, uint8_t reg)
{
	uint32_t bits = UINT32_C(1) << reg;

	if ((d->flags & BYTE) && !d->has_rex && reg >= 4)
		bits |= UINT32_C(1) << (reg - 4);
	return bits;
}

static uint32_t writes_of(const struct decoder *d)
{
	static const struct {
		uint32_t flag, registers;
	} fixed[] = {
		{ W_RAX, 1 << RAX },
		{ W_RCX, 1 << RCX },
		{ W_RDX, 1 << RDX },
		{ W_RBX, 1 << RBX },
		{ W_RSP, 1 << RSP },
		{ W_RBP, 1 << RBP },
		{ W_STRING, 1 << RCX | 1 << RSI | 1 << RDI },
	};
	uint32_t writes = d->vex_writes;

	for (size_t i = 0; i < sizeof(fixed) / sizeof(*fixed); i++)
		writes |= d->flags & fixed[i].flag ? fixed[i].registers : 0;
	if ((d->flags & W_RM) && d->mod == 3)
		writes |= bits_of(d, d->rm);
	if (d->flags & W_REG)
		writes |= bits_of(d, d->reg);
	if (d->flags & W_LOW)
		writes |= bits_of(d, (d->opcode & 7) | d->rex_b);
	if (d->map == MAP_0F && d->opcode == 0x05)
		writes |= 1 << R11; /* syscall */
	return writes;
}

static enum insn_reads reads_of(const struct decoder *d)
{
	if (d->flags & MOVES)
		return INSN_READS_SOMEWHERE;
	if (!(d->flags & MODRM) || !(d->flags & READS) || d->mod == 3)
		return INSN_READS_NOTHING;
	if (d->own_segment || d->insn->base == RSP)
		return INSN_READS_OWN;
	return d->address32 ? INSN_READS_SOMEWHERE : INSN_READS_SHARED;
}

static uint8_t width_of(const struct decoder *d)
{
	if (d->flags & BYTE)
		return 1;
	return d->wide ? 8 : d->operand16 ? 2 : 4;
}

static uint8_t stores_of(const struct decoder *d)
{
	if (!(d->flags & MODRM) || d->mod == 3)
		return 0;
	if (d->flags & W_VECTOR)
		return d->vex ? 32 : 16;
	return d->flags & W_RM ? width_of(d) : 0;
}

/* Where a call or jump through its operand goes. */
static void note_operand_target(const struct decoder *d, enum insn_kind kind)
{
	struct insn *insn = d->insn;
	bool fixed = d->mod != 3 && insn->base == INSN_NO_REG && insn->index == INSN_NO_REG;

	insn->kind = kind;
	insn->via = fixed && !d->own_segment && !d->address32 ? INSN_VIA_SLOT : INSN_VIA_OTHER;
	insn->value = insn->via == INSN_VIA_SLOT ? insn->displacement : 0;
	insn->from = d->mod == 3 ? d->rm : INSN_NO_REG;
}

/* Appendix B, table B-1. */
static const enum insn_condition conditions[16] = {
	[0x2] = INSN_IF_BELOW,     [0x3] = INSN_IF_NOT_BELOW, [0x4] = INSN_IF_EQUAL,
	[0x5] = INSN_IF_NOT_EQUAL, [0x6] = INSN_IF_NOT_ABOVE, [0x7] = INSN_IF_ABOVE,
	[0xc] = INSN_IF_LESS,      [0xd] = INSN_IF_NOT_LESS,  [0xe] = INSN_IF_NOT_GREATER,
	[0xf] = INSN_IF_GREATER,
};

static void note_jump(const struct decoder *d)
{
	struct insn *insn = d->insn;
	bool always = d->opcode == 0xe9 || d->opcode == 0xeb;

	if (d->map == MAP_ONE_BYTE && d->opcode == 0xe8)
		insn->kind = INSN_CALL;
	else
		insn->kind = d->map == MAP_ONE_BYTE && always ? INSN_JUMP : INSN_BRANCH;
	insn->via = INSN_VIA_ADDRESS;
	insn->value = d->addr + insn->size + (uint64_t)d->immediate;
	if (insn->kind == INSN_BRANCH && d->opcode >> 4 == (d->map == MAP_0F ? 8 : 7))
		insn->condition = conditions[d->opcode & 0xf];
}

static void note_constant(const struct decoder *d, uint8_t to, uint64_t value)
{
	*d->insn = (struct insn){ .kind = INSN_CONSTANT,
				  .size = d->insn->size,
				  .to = to,
				  .from = INSN_NO_REG,
				  .value = d->wide ? value : (uint32_t)value,
				  .sets_flags = d->insn->sets_flags,
				  .writes = UINT32_C(1) << to,
				  .base = INSN_NO_REG,
				  .index = INSN_NO_REG };
}

static void note_copy(const struct decoder *d, uint8_t to, uint8_t from, uint64_t mask)
{
	d->insn->kind = INSN_COPY;
	d->insn->to = to;
	d->insn->from = from;
	d->insn->value = mask;
}

/* A number without REX may mean ah, ch, dh or bh. */
static bool is_high_byte(const struct decoder *d, uint8_t reg)
{
	return !d->has_rex && reg >= 4;
}

/* The operand of ModRM is what the instruction reads. */
static void take_rm_as_operand(const struct decoder *d)
{
	d->insn->operand = d->mod == 3 ? INSN_REGISTER : INSN_MEMORY;
	d->insn->from = d->mod == 3 ? d->rm : INSN_NO_REG;
}

/* Segments and addresses of 32 bits: what is there is not what the operand seems to say. */
static bool is_plain_memory(const struct decoder *d)
{
	return d->mod != 3 && !d->own_segment && !d->address32;
}

/* mov, lea. */
static void note_move(const struct decoder *d)
{
	struct insn *insn = d->insn;
	bool fixed = insn->base == INSN_NO_REG && insn->index == INSN_NO_REG;
	uint64_t mask = d->wide ? UINT64_MAX : UINT32_MAX;

	if ((d->opcode & 0xf8) == 0xb8) {
		note_constant(d, (d->opcode & 7) | d->rex_b, (uint64_t)d->immediate);
	} else if (d->opcode == 0xc7 && d->mod == 3) {
		note_constant(d, d->rm, (uint64_t)d->immediate);
	} else if (d->opcode == 0x89 && d->mod == 3) {
		note_copy(d, d->rm, d->reg, mask);
	} else if (d->opcode == 0x8b && d->mod == 3) {
		note_copy(d, d->reg, d->rm, mask);
	} else if (d->opcode == 0x8d && fixed && d->mod != 3 && !d->address32) {
		note_constant(d, d->reg, insn->displacement);
	} else if (d->opcode == 0x8d && d->mod != 3 && !d->address32) {
		insn->kind = INSN_ADDRESS;
		insn->to = d->reg;
	} else if (d->opcode == 0x8b && is_plain_memory(d)) {
		insn->kind = INSN_LOAD;
		insn->to = d->reg;
	} else if ((d->opcode == 0x89 || d->opcode == 0xc7) && is_plain_memory(d)) {
		insn->kind = INSN_STORE;
		insn->operand = d->opcode == 0x89 ? INSN_REGISTER : INSN_VALUE;
		insn->from = d->opcode == 0x89 ? d->reg : INSN_NO_REG;
		insn->value = (uint64_t)d->immediate;
	}
}

/* Table A-6, group 1; opcodes below 40 have the same order. */
enum { COMPARE = 7 };
static const enum insn_operation operations[] = {
	INSN_ADD,      INSN_OR,  INSN_UNKNOWN_OPERATION, INSN_UNKNOWN_OPERATION, INSN_AND,
	INSN_SUBTRACT, INSN_XOR,
};
static const enum insn_operation shifts[8] = {
	[4] = INSN_SHIFT_LEFT,
	[5] = INSN_SHIFT_RIGHT,
	[7] = INSN_SHIFT_SIGNED,
};

/* to = to operation value, or memory = memory operation value. */
static void note_compute(const struct decoder *d, enum insn_operation operation, uint64_t value)
{
	struct insn *insn = d->insn;

	if (operation == INSN_UNKNOWN_OPERATION ||
	    (d->mod == 3 ? insn->bytes == 1 && is_high_byte(d, d->rm) : !is_plain_memory(d)))
		return;
	insn->kind = d->mod == 3 ? INSN_COMPUTE : INSN_CHANGE;
	insn->operation = operation;
	insn->to = d->mod == 3 ? d->rm : 0;
	insn->value = value;
}

static void note_compare(const struct decoder *d, uint64_t value)
{
	if (d->mod == 3 ? d->insn->bytes == 1 && is_high_byte(d, d->rm) : !is_plain_memory(d))
		return;
	d->insn->kind = INSN_COMPARE;
	d->insn->value = value;
	take_rm_as_operand(d);
}

/* add to cmp, with registers. */
static void note_alu(const struct decoder *d)
{
	struct insn *insn = d->insn;
	unsigned int n = d->opcode >> 3, form = d->opcode & 7;

	if (n == COMPARE && (form == 4 || form == 5)) {
		insn->kind = INSN_COMPARE;
		insn->value = (uint64_t)d->immediate;
		insn->operand = INSN_REGISTER;
		insn->from = RAX;
		insn->bytes = form == 4 ? 1 : insn->bytes;
	} else if (n == 6 && d->mod == 3 && d->reg == d->rm && (form == 1 || form == 3)) {
		note_constant(d, d->reg, 0);
	} else if (n != COMPARE && form == 1) {
		note_compute(d, operations[n], 0);
		insn->operand = INSN_REGISTER;
		insn->from = d->reg;
	} else if (n != COMPARE && form == 3 && operations[n] &&
		   (d->mod == 3 || is_plain_memory(d))) {
		insn->kind = INSN_COMPUTE;
		insn->operation = operations[n];
		insn->to = d->reg;
		take_rm_as_operand(d);
	} else if (n != COMPARE && form == 5 && operations[n]) {
		insn->kind = INSN_COMPUTE;
		insn->operation = operations[n];
		insn->to = RAX;
		insn->value = (uint64_t)d->immediate;
	} else if (n != COMPARE && form == 4 && operations[n]) {
		insn->kind = INSN_COMPUTE;
		insn->operation = operations[n];
		insn->to = RAX;
		insn->value = (uint64_t)d->immediate;
		insn->bytes = 1;
	}
}

/* test: of a register with itself, and of the lowest bit. */
static void note_test(const struct decoder *d)
{
	if ((d->opcode == 0x84 || d->opcode == 0x85) && d->mod == 3 && d->reg == d->rm)
		note_compare(d, 0);
	else if (d->opcode == 0xf6 && d->immediate == 1)
		note_compare(d, 0);
	else if (d->opcode == 0xa8 && d->immediate == 1) {
		d->insn->kind = INSN_COMPARE;
		d->insn->operand = INSN_REGISTER;
		d->insn->from = RAX;
		d->insn->bytes = 1;
	}
}

static void note_group_3(const struct decoder *d)
{
	unsigned int n = d->reg & 7;

	if (n < 2) {
		note_test(d);
	} else if (n == 3 && d->mod == 3 && d->insn->bytes >= 4) { /* neg: 0 - to */
		d->insn->kind = INSN_MULTIPLY;
		d->insn->to = d->rm;
		d->insn->value = UINT64_MAX;
		take_rm_as_operand(d);
	} else if (n == 7 && d->insn->bytes >= 4 &&
		   (d->mod == 3 || is_plain_memory(d))) { /* idiv */
		d->insn->kind = INSN_DIVIDE;
		d->insn->to = RAX;
		d->insn->also_to = RDX;
		take_rm_as_operand(d);
	}
}

static void note_stack(const struct decoder *d)
{
	struct insn *insn = d->insn;
	uint8_t low = (d->opcode & 7) | d->rex_b;

	if (d->operand16)
		return;
	if ((d->opcode & 0xf8) == 0x50) {
		insn->kind = INSN_PUSH;
		insn->from = low;
	} else if ((d->opcode & 0xf8) == 0x58) {
		insn->kind = INSN_POP;
		insn->to = low;
	} else if (d->opcode == 0x68) {
		insn->kind = INSN_PUSH_CONSTANT;
	} else if (d->opcode == 0x6a || (d->opcode == 0xff && (d->reg & 7) == 6)) {
		insn->kind = INSN_PUSH;
	} else if (d->opcode == 0xc9) {
		insn->kind = INSN_LEAVE;
		insn->from = RBP;
	}
}

/* cltq, movslq; cltd, cqto. */
static void note_signs(const struct decoder *d)
{
	struct insn *insn = d->insn;

	if (d->opcode == 0x98 && d->wide) {
		insn->kind = INSN_EXTEND;
		insn->operand = INSN_REGISTER;
		insn->to = insn->from = RAX;
		insn->bytes = 4;
	} else if (d->opcode == 0x63 && d->wide && (d->mod == 3 || is_plain_memory(d))) {
		insn->kind = INSN_EXTEND;
		insn->to = d->reg;
		insn->bytes = 4;
		take_rm_as_operand(d);
	} else if (d->opcode == 0x99) {
		insn->kind = INSN_SPREAD_SIGN;
		insn->from = RAX;
		insn->to = RDX;
	}
}

static void note_multiply(const struct decoder *d)
{
	if (d->mod != 3 && !is_plain_memory(d))
		return;
	d->insn->kind = INSN_MULTIPLY;
	d->insn->to = d->reg;
	d->insn->value = (uint64_t)d->immediate;
	take_rm_as_operand(d);
}

static void note_group_5(const struct decoder *d)
{
	unsigned int n = d->reg & 7;

	if (n < 2)
		note_compute(d, n ? INSN_SUBTRACT : INSN_ADD, 1);
	else if (n == 2 || n == 4)
		note_operand_target(d, n == 2 ? INSN_CALL : INSN_JUMP);
	else if (n == 6)
		note_stack(d);
}

static void note_group_1(const struct decoder *d)
{
	unsigned int n = d->reg & 7;

	if (n == COMPARE)
		note_compare(d, (uint64_t)d->immediate);
	else
		note_compute(d, operations[n], (uint64_t)d->immediate);
}

static void note_group_2(const struct decoder *d)
{
	if (d->insn->bytes >= 4)
		note_compute(d, shifts[d->reg & 7], d->opcode == 0xd1 ? 1 : (uint64_t)d->immediate);
}

static void note_nop(const struct decoder *d)
{
	if (d->rex_b)
		return; /* xchg %r8,%rax */
	d->insn->kind = d->rep ? INSN_PAUSE : INSN_NOTHING;
	d->insn->writes = 0;
}

/* Who says what an opcode of one byte does. */
static void (*const one_byte_meanings[256])(const struct decoder *d) = {
	[0x00 ... 0x05] = note_alu,
	[0x08 ... 0x0d] = note_alu,
	[0x10 ... 0x15] = note_alu,
	[0x18 ... 0x1d] = note_alu,
	[0x20 ... 0x25] = note_alu,
	[0x28 ... 0x2d] = note_alu,
	[0x30 ... 0x35] = note_alu,
	[0x38 ... 0x3d] = note_alu,
	[0x50 ... 0x5f] = note_stack,
	[0x63] = note_signs,
	[0x68] = note_stack,
	[0x69] = note_multiply,
	[0x6a] = note_stack,
	[0x6b] = note_multiply,
	[0x80 ... 0x83] = note_group_1,
	[0x84 ... 0x85] = note_test,
	[0x89] = note_move,
	[0x8b] = note_move,
	[0x8d] = note_move,
	[0x90] = note_nop,
	[0x98 ... 0x99] = note_signs,
	[0xa8] = note_test,
	[0xb8 ... 0xbf] = note_move,
	[0xc1] = note_group_2,
	[0xc7] = note_move,
	[0xc9] = note_stack,
	[0xd1] = note_group_2,
	[0xf6 ... 0xf7] = note_group_3,
	[0xff] = note_group_5,
};

static void note_one_byte(const struct decoder *d)
{
	bool group_5 = d->opcode == 0xff, nop = d->opcode == 0x90;
	/* Of 16 bits: the rest of the register stays. */
	bool partial = d->operand16 && !d->wide && !group_5 && !nop;

	if (one_byte_meanings[d->opcode] && !partial)
		one_byte_meanings[d->opcode](d);
}

/* movzbl, movzwl. */
static void note_zero_extended(const struct decoder *d)
{
	uint8_t bytes = d->opcode == 0xb6 ? 1 : 2;

	if (d->mod == 3 && !(bytes == 1 && is_high_byte(d, d->rm))) {
		note_copy(d, d->reg, d->rm, bytes == 1 ? UINT8_MAX : UINT16_MAX);
	} else if (is_plain_memory(d)) {
		d->insn->kind = INSN_LOAD;
		d->insn->to = d->reg;
		d->insn->bytes = bytes;
	}
}

static void note_two_bytes(const struct decoder *d)
{
	struct insn *insn = d->insn;

	if (d->vex || (d->operand16 && !d->wide))
		return;
	if (d->opcode >= 0x90 && d->opcode <= 0x9f && d->mod == 3 && !is_high_byte(d, d->rm)) {
		insn->kind = INSN_SET;
		insn->condition = conditions[d->opcode & 0xf];
		insn->to = d->rm;
	} else if (d->opcode == 0xb6 || d->opcode == 0xb7) {
		note_zero_extended(d);
	} else if (d->opcode == 0xaf && (d->mod == 3 || is_plain_memory(d))) {
		insn->kind = INSN_COMPUTE;
		insn->operation = INSN_TIMES;
		insn->to = d->reg;
		take_rm_as_operand(d);
	}
}

/* Moves leave the flags alone; so do not and most of what is not known to. */
static bool keeps_flags(const struct decoder *d)
{
	uint8_t o = d->opcode;

	if (d->map == MAP_0F)
		return (o >= 0x10 && o < 0x2e) || (o >= 0x40 && o < 0xa0) || o == 0xb6 ||
		       o == 0xb7 || o == 0xbe || o == 0xbf;
	return d->map == MAP_ONE_BYTE &&
	       ((o >= 0x50 && o < 0x60) || o == 0x63 || o == 0x68 || o == 0x6a ||
		(o >= 0x70 && o < 0x80) || (o >= 0x86 && o < 0xa0) || (o >= 0xb0 && o < 0xc0) ||
		o == 0xc6 || o == 0xc7 || o == 0xc9 || o == 0xe9 || o == 0xeb);
}

static void note_kind(const struct decoder *d)
{
	struct insn *insn = d->insn;
	bool returns = d->opcode == 0xc2 || d->opcode == 0xc3;

	if (d->flags & JUMPS)
		note_jump(d);
	else if (d->flags & ENDS)
		insn->kind = d->map == MAP_ONE_BYTE && returns ? INSN_RETURN : INSN_END;
	else if (d->map == MAP_0F && d->opcode >= 0x18 && d->opcode <= 0x1f && !insn->writes)
		insn->kind = INSN_NOTHING; /* endbr64 is one of them */
	else if (d->map == MAP_ONE_BYTE)
		note_one_byte(d);
	else if (d->map == MAP_0F)
		note_two_bytes(d);
	if (insn->kind == INSN_CALL)
		insn->writes |= CALL_WRITES;
}

void insn_x86_64_mean(const struct decoder *d)
{
	struct insn *insn = d->insn;

	insn->writes = writes_of(d);
	insn->reads = reads_of(d);
	insn->bytes = width_of(d);
	insn->stores = stores_of(d);
	insn->sets_flags = !keeps_flags(d);
	note_kind(d);
}
