/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/gomp/insn.h"

#include "ompd/gomp/client.h"

enum shape {
	MODRM = 1,     /* has a ModRM byte                                      */
	STORE = 2,     /* the r/m operand is the destination                    */
	IN_OPCODE = 4, /* the low bits of the opcode are the register operand   */
	IMM8 = 8,
	IMM32 = 16,
	RELATIVE = 32,  /* the immediate is the way to a branch's target         */
	ANY_WIDTH = 64, /* the load has the width of the operands                */
};

/* Intel SDM volume 2, appendix A. group: the value of ModRM.reg, -1: it is a register. */
struct row {
	bool two_bytes; /* 0f first */
	uint8_t first, last;
	int8_t group;
	enum gomp_op op;
	uint8_t shape;
	uint8_t size; /* of a load, unless ANY_WIDTH */
};

static const struct row rows[] = {
	{ 0, 0x01, 0x01, -1, GOMP_OP_ADD, MODRM | STORE | ANY_WIDTH, 0 },
	{ 0, 0x03, 0x03, -1, GOMP_OP_ADD, MODRM | ANY_WIDTH, 0 },
	{ 0, 0x09, 0x09, -1, GOMP_OP_UNKNOWN, MODRM | STORE, 0 },
	{ 0, 0x21, 0x21, -1, GOMP_OP_UNKNOWN, MODRM | STORE, 0 },
	{ 0, 0x29, 0x29, -1, GOMP_OP_UNKNOWN, MODRM | STORE, 0 },
	{ 0, 0x2b, 0x2b, -1, GOMP_OP_UNKNOWN, MODRM, 0 },
	{ 0, 0x31, 0x31, -1, GOMP_OP_XOR, MODRM | STORE, 0 },
	{ 0, 0x38, 0x3b, -1, GOMP_OP_NONE, MODRM, 0 },
	{ 0, 0x3c, 0x3c, -1, GOMP_OP_NONE, IMM8, 0 },
	{ 0, 0x3d, 0x3d, -1, GOMP_OP_NONE, IMM32, 0 },
	{ 0, 0x50, 0x57, -1, GOMP_OP_NONE, 0, 0 },
	{ 0, 0x58, 0x5f, -1, GOMP_OP_UNKNOWN, IN_OPCODE, 0 },
	{ 0, 0x63, 0x63, -1, GOMP_OP_MOVE, MODRM, 4 },
	{ 0, 0x70, 0x7f, -1, GOMP_OP_BRANCH, IMM8 | RELATIVE, 0 },
	{ 0, 0x80, 0x80, 7, GOMP_OP_NONE, MODRM | IMM8, 0 },
	{ 0, 0x81, 0x81, 0, GOMP_OP_ADD, MODRM | STORE | IMM32, 0 },
	{ 0, 0x81, 0x81, 5, GOMP_OP_UNKNOWN, MODRM | STORE | IMM32, 0 },
	{ 0, 0x81, 0x81, 7, GOMP_OP_NONE, MODRM | IMM32, 0 },
	{ 0, 0x83, 0x83, 0, GOMP_OP_ADD, MODRM | STORE | IMM8, 0 },
	{ 0, 0x83, 0x83, 4, GOMP_OP_UNKNOWN, MODRM | STORE | IMM8, 0 },
	{ 0, 0x83, 0x83, 5, GOMP_OP_UNKNOWN, MODRM | STORE | IMM8, 0 },
	{ 0, 0x83, 0x83, 7, GOMP_OP_NONE, MODRM | IMM8, 0 },
	{ 0, 0x84, 0x85, -1, GOMP_OP_NONE, MODRM, 0 },
	{ 0, 0x88, 0x88, -1, GOMP_OP_UNKNOWN, MODRM | STORE, 0 },
	{ 0, 0x89, 0x89, -1, GOMP_OP_MOVE, MODRM | STORE | ANY_WIDTH, 0 },
	{ 0, 0x8b, 0x8b, -1, GOMP_OP_MOVE, MODRM | ANY_WIDTH, 0 },
	{ 0, 0x8d, 0x8d, -1, GOMP_OP_LEA, MODRM, 0 },
	{ 0, 0x90, 0x90, -1, GOMP_OP_NONE, 0, 0 },
	{ 0, 0xa8, 0xa8, -1, GOMP_OP_NONE, IMM8, 0 },
	{ 0, 0xb8, 0xbf, -1, GOMP_OP_MOVE, IN_OPCODE | IMM32, 0 },
	{ 0, 0xc3, 0xc3, -1, GOMP_OP_RETURN, 0, 0 },
	{ 0, 0xc7, 0xc7, 0, GOMP_OP_MOVE, MODRM | STORE | IMM32, 0 },
	{ 0, 0xe9, 0xe9, -1, GOMP_OP_JUMP, IMM32 | RELATIVE, 0 },
	{ 0, 0xeb, 0xeb, -1, GOMP_OP_JUMP, IMM8 | RELATIVE, 0 },
	{ 0, 0xf6, 0xf6, 0, GOMP_OP_NONE, MODRM | IMM8, 0 },
	{ 0, 0xf7, 0xf7, 0, GOMP_OP_NONE, MODRM | IMM32, 0 },
	{ 1, 0x1e, 0x1f, -1, GOMP_OP_NONE, MODRM, 0 },
	{ 1, 0x40, 0x4f, -1, GOMP_OP_CMOVE, MODRM | ANY_WIDTH, 0 },
	{ 1, 0x80, 0x8f, -1, GOMP_OP_BRANCH, IMM32 | RELATIVE, 0 },
	{ 1, 0x90, 0x9f, -1, GOMP_OP_UNKNOWN, MODRM | STORE, 0 },
	{ 1, 0xb1, 0xb1, -1, GOMP_OP_CMPXCHG, MODRM | STORE | ANY_WIDTH, 0 },
	{ 1, 0xb6, 0xb6, -1, GOMP_OP_MOVE, MODRM, 1 },
	{ 1, 0xb7, 0xb7, -1, GOMP_OP_MOVE, MODRM, 2 },
	{ 1, 0xbe, 0xbe, -1, GOMP_OP_MOVE, MODRM, 1 },
	{ 1, 0xbf, 0xbf, -1, GOMP_OP_MOVE, MODRM, 2 },
};

/* What is left of the instruction. */
struct bytes {
	const uint8_t *p;
	size_t left;
	bool cut;
};

enum { REX_W = 8, REX_R = 4, REX_X = 2, REX_B = 1 };

struct prefixes {
	bool fs, operand16;
	uint8_t rex;
};

static uint8_t peek(const struct bytes *b)
{
	return b->left ? b->p[0] : 0;
}

static const uint8_t *take(struct bytes *b, size_t n)
{
	static const uint8_t nothing[8];
	const uint8_t *p = b->p;

	if (b->left < n) {
		b->cut = true;
		b->left = 0;
		return nothing;
	}
	b->p += n;
	b->left -= n;
	return p;
}

static int64_t take_signed(struct bytes *b, size_t n)
{
	const uint8_t *p = take(b, n);

	return n == 1 ? (int8_t)p[0] : (int32_t)gomp_u32(p);
}

static struct prefixes read_prefixes(struct bytes *b)
{
	struct prefixes p = { 0 };

	while (b->left) {
		switch (peek(b)) {
		case 0x64:
			p.fs = true;
			break;
		case 0x66:
			p.operand16 = true;
			break;
		case 0x2e: /* of padding */
		case 0xf0: /* lock */
		case 0xf3: /* of endbr64 */
			break;
		default:
			if ((peek(b) & 0xf0) == 0x40)
				p.rex = *take(b, 1) & 15;
			return p; /* REX comes last */
		}
		take(b, 1);
	}
	return p;
}

static const struct row *find_row(bool two_bytes, uint8_t opcode, uint8_t modrm)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *r = &rows[i];

		if (r->two_bytes == two_bytes && opcode >= r->first && opcode <= r->last &&
		    (r->group < 0 || r->group == (modrm >> 3 & 7)))
			return r;
	}
	return NULL;
}

/* A SIB byte: base and index. false: an absolute address of 32 bits. */
static bool read_sib(struct bytes *b, uint8_t mod, uint8_t rex, struct gomp_insn *ret)
{
	uint8_t sib = *take(b, 1);
	uint8_t index = (sib >> 3 & 7) | (rex & REX_X ? 8 : 0);

	ret->has_index = index != 4;
	ret->base = (sib & 7) | (rex & REX_B ? 8 : 0);
	return (sib & 7) != 5 || mod != 0;
}

/* Returns whether the displacement counts from the end of the instruction. */
static bool read_modrm(struct bytes *b, const struct prefixes *p, struct gomp_insn *ret)
{
	uint8_t modrm = *take(b, 1), mod = modrm >> 6, rm = modrm & 7;

	ret->reg = (modrm >> 3 & 7) | (p->rex & REX_R ? 8 : 0);
	ret->memory = mod != 3;
	if (mod == 3) {
		ret->rm = rm | (p->rex & REX_B ? 8 : 0);
		return false;
	}
	ret->fs = p->fs;
	ret->base = rm | (p->rex & REX_B ? 8 : 0);
	ret->has_base = rm == 4 ? read_sib(b, mod, p->rex, ret) : rm != 5 || mod != 0;
	if (mod == 1)
		ret->disp = take_signed(b, 1);
	else if (mod == 2 || !ret->has_base)
		ret->disp = take_signed(b, 4);
	return mod == 0 && rm == 5;
}

static void read_immediate(struct bytes *b, const struct row *row, const struct prefixes *p,
			   struct gomp_insn *ret)
{
	if (!(row->shape & (IMM8 | IMM32)))
		return;
	ret->has_imm = true;
	/* b8+r with REX.W is the only one with 8 bytes. */
	if (row->shape & IN_OPCODE && p->rex & REX_W)
		ret->imm = (int64_t)gomp_u64(take(b, 8));
	else
		ret->imm = take_signed(b, row->shape & IMM8 ? 1 : 4);
}

bool gomp_insn_read(const uint8_t *code, size_t len, uint64_t pc, struct gomp_insn *ret)
{
	struct bytes b = { code, len, false };
	struct gomp_insn insn = { 0 };
	struct prefixes p = read_prefixes(&b);
	uint8_t opcode = *take(&b, 1);
	bool two_bytes = opcode == 0x0f, from_pc = false;
	const struct row *row;

	if (two_bytes)
		opcode = *take(&b, 1);
	row = find_row(two_bytes, opcode, peek(&b));
	if (!row || (p.operand16 && row->op != GOMP_OP_NONE))
		return false;
	insn.op = row->op;
	insn.store = row->shape & STORE;
	insn.size = row->shape & ANY_WIDTH ? (p.rex & REX_W ? 8 : 4) : row->size;
	if (row->shape & MODRM)
		from_pc = read_modrm(&b, &p, &insn);
	else if (row->shape & IN_OPCODE)
		insn.reg = (opcode & 7) | (p.rex & REX_B ? 8 : 0);
	read_immediate(&b, row, &p, &insn);
	if (b.cut)
		return false;
	insn.len = len - b.left;
	if (from_pc)
		insn.disp = (int64_t)((uint64_t)insn.disp + pc + insn.len);
	insn.target = row->shape & RELATIVE ? pc + insn.len + (uint64_t)insn.imm : 0;
	*ret = insn;
	return true;
}
