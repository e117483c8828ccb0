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

/* An operand in memory is what it seems to be: not with addresses of 32 bits. */
static bool is_clear(const struct decoder *d)
{
	return !d->address32 && !d->scaled;
}

static enum insn_reads reads_of(const struct decoder *d)
{
	if (d->flags & MOVES)
		return INSN_READS_SOMEWHERE;
	if (!(d->flags & MODRM) || !(d->flags & READS) || d->mod == 3)
		return INSN_READS_NOTHING;
	if (d->insn->thread_local || d->insn->base == RSP)
		return INSN_READS_OWN;
	return is_clear(d) ? INSN_READS_SHARED : INSN_READS_SOMEWHERE;
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
	if (!(d->flags & (W_VECTOR | W_RM)))
		return 0;
	if (!is_clear(d))
		return INSN_STORES_SOMEWHERE;
	if (d->flags & W_VECTOR)
		return d->evex ? 64 : d->vex ? 32 : 16;
	return width_of(d);
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

static void note_return(const struct decoder *d)
{
	d->insn->kind = INSN_RETURN;
}

static void note_end(const struct decoder *d)
{
	d->insn->kind = INSN_END;
}

/* endbr64 is one of them. */
static void note_hint(const struct decoder *d)
{
	d->insn->kind = d->insn->writes ? INSN_OTHER : INSN_NOTHING;
}

static void note_nop(const struct decoder *d)
{
	if (d->rex_b)
		return; /* xchg %r8,%rax */
	d->insn->kind = d->rep ? INSN_PAUSE : INSN_NOTHING;
	d->insn->writes = 0;
}

/* lfence, mfence, sfence. */
static void note_fence(const struct decoder *d)
{
	/* With a prefix they are others. */
	if (d->mod == 3 && (d->reg & 7) > 4 && d->insn->size == 3)
		d->insn->kind = INSN_NOTHING;
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

static void take_register_as_operand(const struct decoder *d, uint8_t reg)
{
	d->insn->operand = INSN_REGISTER;
	d->insn->from = reg;
}

static void note_copy(const struct decoder *d, uint8_t to, uint8_t from, uint64_t mask)
{
	d->insn->kind = INSN_COPY;
	d->insn->to = to;
	d->insn->value = mask;
	take_register_as_operand(d, from);
}

/* A register can be told. In a byte without REX it may be ah, ch, dh or bh. */
static bool is_plain(const struct decoder *d, unsigned int reg)
{
	return d->insn->bytes > 1 || d->has_rex || reg < 4;
}

/* The operand of ModRM can be told. */
static bool has_plain_rm(const struct decoder *d)
{
	return d->mod == 3 ? is_plain(d, d->rm) : is_clear(d);
}

/* The operand of ModRM is what the instruction reads. false: it cannot be told. */
static bool note_operand(const struct decoder *d, enum insn_kind kind, uint8_t to)
{
	if (!has_plain_rm(d))
		return false;
	d->insn->kind = kind;
	d->insn->to = to;
	d->insn->operand = d->mod == 3 ? INSN_REGISTER : INSN_MEMORY;
	d->insn->from = d->mod == 3 ? d->rm : INSN_NO_REG;
	return true;
}

static void note_store(const struct decoder *d)
{
	d->insn->kind = INSN_STORE;
	d->insn->value = (uint64_t)d->immediate;
	if (d->opcode == 0x89)
		take_register_as_operand(d, d->reg);
}

static void note_lea(const struct decoder *d)
{
	struct insn *insn = d->insn;

	insn->kind = INSN_ADDRESS;
	insn->to = d->reg;
	if (insn->base != INSN_NO_REG || insn->index != INSN_NO_REG)
		return;
	note_constant(d, d->reg, insn->displacement);
	insn->operand = INSN_MEMORY;
}

/* mov, lea. */
static void note_move(const struct decoder *d)
{
	uint64_t mask = d->wide ? UINT64_MAX : UINT32_MAX;

	if ((d->opcode & 0xf8) == 0xb8)
		note_constant(d, (d->opcode & 7) | d->rex_b, (uint64_t)d->immediate);
	else if (d->opcode == 0xc7 && d->mod == 3)
		note_constant(d, d->rm, (uint64_t)d->immediate);
	else if (d->opcode == 0x89 && d->mod == 3)
		note_copy(d, d->rm, d->reg, mask);
	else if (d->opcode == 0x8b && d->mod == 3)
		note_copy(d, d->reg, d->rm, mask);
	else if (d->mod == 3 || !is_clear(d))
		return;
	else if (d->opcode == 0x8d)
		note_lea(d);
	else if (d->opcode == 0x8b)
		note_operand(d, INSN_LOAD, d->reg);
	else
		note_store(d);
}

/* mov of a byte. */
static void note_byte(const struct decoder *d)
{
	struct insn *insn = d->insn;
	bool low = d->opcode < 0xc0 && d->opcode >= 0xb0, loads = d->opcode == 0x8a;
	bool value = low || d->opcode == 0xc6;
	uint8_t to = low ? (d->opcode & 7) | d->rex_b : loads ? d->reg : d->rm;
	uint8_t from = loads ? d->rm : d->reg;
	bool to_memory = !low && !loads && d->mod != 3, from_memory = loads && d->mod != 3;

	if ((value && !low && (d->reg & 7)) || (!low && d->mod != 3 && !is_clear(d)) ||
	    (!to_memory && !is_plain(d, to)) || (!value && !from_memory && !is_plain(d, from)))
		return;
	insn->simple = INSN_MOVES_BYTE;
	insn->to = to_memory ? 0 : to;
	insn->from = value || from_memory ? INSN_NO_REG : from;
	insn->operand = value ? INSN_VALUE : from_memory ? INSN_MEMORY : INSN_REGISTER;
	insn->value = (uint64_t)d->immediate;
}

/* xchg with memory. */
static void note_swap(const struct decoder *d)
{
	if (d->mod == 3 || !is_clear(d) || !is_plain(d, d->reg))
		return;
	d->insn->simple = INSN_SWAPS;
	d->insn->from = d->reg;
	d->insn->operand = INSN_MEMORY;
}

/* Table A-6, group 1; opcodes below 40 have the same order. */
enum { COMPARE = 7 };
static const enum insn_operation operations[8] = {
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

	if (operation == INSN_UNKNOWN_OPERATION || !has_plain_rm(d))
		return;
	insn->kind = d->mod == 3 ? INSN_COMPUTE : INSN_CHANGE;
	insn->operation = operation;
	insn->to = d->mod == 3 ? d->rm : 0;
	insn->value = value;
}

static void note_compare(const struct decoder *d, uint64_t value)
{
	if (note_operand(d, INSN_COMPARE, 0))
		d->insn->value = value;
}

/* An immediate and rax, or the lowest byte of it. */
static void note_rax(const struct decoder *d, enum insn_kind kind, bool byte, uint64_t value)
{
	d->insn->kind = kind;
	d->insn->to = RAX;
	d->insn->value = value;
	d->insn->bytes = byte ? 1 : d->insn->bytes;
	if (kind == INSN_COMPARE)
		take_register_as_operand(d, RAX);
}

/* add to cmp, with registers. The forms 0 and 2 are of bytes. */
static void note_alu(const struct decoder *d)
{
	unsigned int n = d->opcode >> 3, form = d->opcode & 7;
	bool compares = n == COMPARE;

	if (compares && form < 4 && is_plain(d, d->reg)) {
		note_operand(d, INSN_COMPARE_BOTH, d->reg);
		d->insn->reversed = form >= 2;
	} else if (compares ? form < 4 : (!operations[n] || form == 0 || form == 2)) {
		return;
	} else if (operations[n] == INSN_XOR && form < 4 && d->mod == 3 && d->reg == d->rm) {
		note_constant(d, d->reg, 0);
	} else if (form >= 4) {
		d->insn->operation = operations[n];
		note_rax(d, compares ? INSN_COMPARE : INSN_COMPUTE, form == 4,
			 (uint64_t)d->immediate);
	} else if (form == 1) {
		note_compute(d, operations[n], 0);
		take_register_as_operand(d, d->reg);
	} else if (note_operand(d, INSN_COMPUTE, d->reg)) {
		d->insn->operation = operations[n];
	}
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

/* test: of a register with itself, and of the lowest bit. */
static void note_test(const struct decoder *d)
{
	bool with_itself = (d->opcode & 0xfe) == 0x84 && d->mod == 3 && d->reg == d->rm;

	d->insn->lowest = !with_itself && d->immediate == 1;
	if (with_itself || (d->opcode == 0xf6 && d->immediate == 1))
		note_compare(d, 0);
	else if (d->opcode == 0xa8 && d->immediate == 1)
		note_rax(d, INSN_COMPARE, true, 0);
}

/* test, neg (0 - to), idiv. */
static void note_group_3(const struct decoder *d)
{
	unsigned int n = d->reg & 7;

	if (n < 2) {
		note_test(d);
	} else if (n == 3 && d->mod == 3 && d->insn->bytes >= 4) {
		note_operand(d, INSN_MULTIPLY, d->rm);
		d->insn->value = UINT64_MAX;
	} else if (n == 7 && d->insn->bytes >= 4) {
		note_operand(d, INSN_DIVIDE, RAX);
		d->insn->also_to = RDX;
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
	} else if (d->opcode == 0xc9) {
		insn->kind = INSN_LEAVE;
		insn->from = RBP;
	} else {
		insn->kind = INSN_PUSH; /* of a small constant, or of memory */
	}
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

/* cltq, movslq, movsbl, movswl; cltd, cqto. */
static void note_signs(const struct decoder *d)
{
	struct insn *insn = d->insn;

	if (d->opcode == 0x99) {
		insn->kind = INSN_SPREAD_SIGN;
		insn->to = RDX;
		take_register_as_operand(d, RAX);
	} else if (d->opcode == 0x98 && d->wide) {
		insn->kind = INSN_EXTEND;
		insn->to = RAX;
		insn->bytes = 4;
		take_register_as_operand(d, RAX);
	} else if (d->map == MAP_0F || (d->opcode == 0x63 && d->wide)) {
		insn->bytes = d->map != MAP_0F ? 4 : d->opcode == 0xbe ? 1 : 2;
		note_operand(d, INSN_EXTEND, d->reg);
	}
}

static void note_set(const struct decoder *d)
{
	if (d->mod != 3 || !has_plain_rm(d))
		return;
	d->insn->kind = INSN_SET;
	d->insn->condition = conditions[d->opcode & 0xf];
	d->insn->to = d->rm;
}

/* What it makes of the operand of ModRM, its other one gets: imul, cmov, cmpxchg. */
static void note_result(const struct decoder *d)
{
	static const enum insn_kind kinds[] = {
		[MEANS_CHOOSE] = INSN_CHOOSE,
		[MEANS_EXCHANGE] = INSN_EXCHANGE,
		[MEANS_MULTIPLY] = INSN_MULTIPLY,
		[MEANS_TIMES] = INSN_COMPUTE,
	};
	enum insn_kind kind = kinds[d->flags >> MEANING_AT];

	if (!note_operand(d, kind, d->reg))
		return;
	d->insn->operation = kind == INSN_COMPUTE ? INSN_TIMES : INSN_UNKNOWN_OPERATION;
	d->insn->value = (uint64_t)d->immediate;
}

/* movzbl, movzwl. */
static void note_zero_extend(const struct decoder *d)
{
	d->insn->bytes = d->opcode == 0xb6 ? 1 : 2;
	if (note_operand(d, INSN_LOAD, d->reg) && d->mod == 3)
		note_copy(d, d->reg, d->rm, d->opcode == 0xb6 ? UINT8_MAX : UINT16_MAX);
}

static void (*const meanings[])(const struct decoder *d) = {
	[MEANS_JUMP] = note_jump,
	[MEANS_RETURN] = note_return,
	[MEANS_END] = note_end,
	[MEANS_HINT] = note_hint,
	[MEANS_FENCE] = note_fence,
	[MEANS_BYTE] = note_byte,
	[MEANS_SWAP] = note_swap,
	[MEANS_NOP] = note_nop,
	[MEANS_GROUP_5] = note_group_5,
	[MEANS_ALU] = note_alu,
	[MEANS_CHOOSE] = note_result,
	[MEANS_EXCHANGE] = note_result,
	[MEANS_GROUP_1] = note_group_1,
	[MEANS_GROUP_2] = note_group_2,
	[MEANS_GROUP_3] = note_group_3,
	[MEANS_MOVE] = note_move,
	[MEANS_MULTIPLY] = note_result,
	[MEANS_SET] = note_set,
	[MEANS_SIGNS] = note_signs,
	[MEANS_STACK] = note_stack,
	[MEANS_TEST] = note_test,
	[MEANS_TIMES] = note_result,
	[MEANS_ZERO_EXTEND] = note_zero_extend,
};

void insn_x86_64_mean(const struct decoder *d)
{
	struct insn *insn = d->insn;
	enum meaning meaning = d->flags >> MEANING_AT;

	insn->thread_local =
		d->own_segment && (d->flags & MODRM) && (d->flags & (READS | W_RM)) && d->mod != 3;
	insn->writes = writes_of(d);
	insn->reads = reads_of(d);
	insn->bytes = width_of(d);
	insn->stores = stores_of(d);
	insn->sets_flags = !(d->flags & KEEPS);
	if (meaning && (meaning < MEANS_ALU || d->wide || !d->operand16))
		meanings[meaning](d);
	if (insn->kind == INSN_CALL)
		insn->writes |= CALL_WRITES;
}
