/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/cpu/insn_x86_64.h"

#include "target/cpu/insn_x86_64_parts.h"

#define ALU_FORM (MODRM | READS | MEANS(ALU))
#define ALU_ROWS(n, to)                                                                            \
	[(n)] = ALU_FORM | BYTE | ((to) ? W_RM : 0), [(n) + 1] = ALU_FORM | ((to) ? W_RM : 0),     \
	[(n) + 2] = ALU_FORM | BYTE | ((to) ? W_REG : 0),                                          \
	[(n) + 3] = ALU_FORM | ((to) ? W_REG : 0),                                                 \
	[(n) + 4] = IMM8 | MEANS(ALU) | ((to) ? W_RAX : 0),                                        \
	[(n) + 5] = IMMZ | MEANS(ALU) | ((to) ? W_RAX : 0)

/* Opcodes of one byte. Prefixes and escapes are not among them. */
static const uint32_t one_byte[256] = {
	/* clang-format off */
	ALU_ROWS(0x00, true), ALU_ROWS(0x08, true), ALU_ROWS(0x10, true), ALU_ROWS(0x18, true),
	ALU_ROWS(0x20, true), ALU_ROWS(0x28, true), ALU_ROWS(0x30, true),
	ALU_ROWS(0x38, false),                                                 /* cmp       */
	[0x50 ... 0x57] = W_RSP | KEEPS | MEANS(STACK),                        /* push      */
	[0x58 ... 0x5f] = W_LOW | W_RSP | KEEPS | MEANS(STACK),                /* pop       */
	[0x63] = MODRM | READS | W_REG | KEEPS | MEANS(SIGNS),                 /* movslq    */
	[0x68] = IMMZ | W_RSP | KEEPS | MEANS(STACK),                          /* push      */
	[0x69] = MODRM | IMMZ | READS | W_REG | MEANS(MULTIPLY),               /* imul      */
	[0x6a] = IMM8 | W_RSP | KEEPS | MEANS(STACK),                          /* push      */
	[0x6b] = MODRM | IMM8 | READS | W_REG | MEANS(MULTIPLY),               /* imul      */
	[0x70 ... 0x7f] = IMM8 | KEEPS | MEANS(JUMP),                          /* jcc       */
	[0x80] = MODRM | IMM8 | BYTE | READS | W_RM | MEANS(GROUP_1),          /* add to cmp */
	[0x81] = MODRM | IMMZ | READS | W_RM | MEANS(GROUP_1),
	[0x83] = MODRM | IMM8 | READS | W_RM | MEANS(GROUP_1),
	[0x84] = MODRM | BYTE | READS | MEANS(TEST),
	[0x85] = MODRM | READS | MEANS(TEST),
	[0x86] = MODRM | BYTE | READS | W_RM | W_REG | KEEPS | MEANS(SWAP),    /* xchg      */
	[0x87] = MODRM | READS | W_RM | W_REG | KEEPS | MEANS(SWAP),
	[0x88] = MODRM | BYTE | W_RM | KEEPS | MEANS(BYTE),                    /* mov       */
	[0x89] = MODRM | W_RM | KEEPS | MEANS(MOVE),
	[0x8a] = MODRM | BYTE | READS | W_REG | KEEPS | MEANS(BYTE),
	[0x8b] = MODRM | READS | W_REG | KEEPS | MEANS(MOVE),
	[0x8d] = MODRM | W_REG | KEEPS | MEANS(MOVE),                          /* lea       */
	[0x90] = W_LOW | W_RAX | KEEPS | MEANS(NOP),                           /* nop, xchg */
	[0x91 ... 0x97] = W_LOW | W_RAX | KEEPS,                               /* xchg      */
	[0x98] = W_RAX | KEEPS | MEANS(SIGNS),                                 /* cltq      */
	[0x99] = W_RDX | KEEPS | MEANS(SIGNS),                                 /* cqto      */
	[0x9b] = KEEPS,                                                        /* fwait     */
	[0xa4 ... 0xa7] = MOVES | W_STRING,                                    /* movs, cmps */
	[0xa8] = IMM8 | MEANS(TEST),
	[0xa9] = IMMZ | MEANS(OTHER),                                          /* test      */
	[0xaa ... 0xab] = W_STRING,                                            /* stos      */
	[0xac ... 0xaf] = MOVES | W_STRING | W_RAX,                            /* lods, scas */
	[0xb0 ... 0xb7] = IMM8 | BYTE | W_LOW | KEEPS | MEANS(BYTE),           /* mov       */
	[0xb8 ... 0xbf] = IMMV | W_LOW | KEEPS | MEANS(MOVE),
	[0xc0] = MODRM | IMM8 | BYTE | READS | W_RM,                           /* shifts    */
	[0xc1] = MODRM | IMM8 | READS | W_RM | MEANS(GROUP_2),
	[0xc2] = IMM16 | W_RSP | MEANS(RETURN),
	[0xc3] = W_RSP | MEANS(RETURN),
	[0xc6] = MODRM | IMM8 | BYTE | W_RM | KEEPS | MEANS(BYTE),             /* mov       */
	[0xc7] = MODRM | IMMZ | W_RM | KEEPS | MEANS(MOVE),
	[0xc9] = W_RSP | W_RBP | KEEPS | MEANS(STACK),                         /* leave     */
	[0xcc] = MEANS(END),                                                   /* int3      */
	[0xd0] = MODRM | BYTE | READS | W_RM,                                  /* shifts    */
	[0xd1] = MODRM | READS | W_RM | MEANS(GROUP_2),
	[0xd2] = MODRM | BYTE | READS | W_RM,
	[0xd3] = MODRM | READS | W_RM,
	[0xd7] = MOVES | W_RAX,                                                /* xlat      */
	[0xd8 ... 0xdf] = MODRM | READS | W_RAX,                               /* x87: fnstsw %ax */
	[0xe0 ... 0xe3] = IMM8 | W_RCX | MEANS(JUMP),                          /* loop, jrcxz */
	[0xe8] = IMM32 | MEANS(JUMP),                                          /* call      */
	[0xe9] = IMM32 | KEEPS | MEANS(JUMP),                                  /* jmp       */
	[0xeb] = IMM8 | KEEPS | MEANS(JUMP),
	[0xf4] = MEANS(END),                                                   /* hlt       */
	[0xf6] = MODRM | BYTE | READS | W_RM | MEANS(GROUP_3),                 /* test to idiv */
	[0xf7] = MODRM | READS | W_RM | MEANS(GROUP_3),
	[0xfe] = MODRM | BYTE | READS | W_RM,                                  /* inc, dec  */
	[0xff] = MODRM | READS | W_RM | MEANS(GROUP_5),                        /* inc to push */
	/* clang-format on */
};

#define SSE    (MODRM | READS | KEEPS)
#define STORES (MODRM | W_VECTOR | KEEPS)

/* Opcodes behind 0f. */
static const uint32_t two_bytes[256] = {
	/* clang-format off */
	[0x01] = MODRM | W_RAX | W_RCX | W_RDX,                                /* xend, xgetbv */
	[0x05] = W_RAX | W_RCX,                                                /* syscall (and r11) */
	[0x0b] = MEANS(END),                                                   /* ud2       */
	[0x0d] = MODRM,                                                        /* prefetchw */
	[0x10] = SSE, [0x11] = STORES, [0x12] = SSE, [0x13] = STORES,
	[0x14 ... 0x16] = SSE, [0x17] = STORES,
	[0x18 ... 0x1f] = MODRM | KEEPS | MEANS(HINT),
	[0x28] = SSE, [0x29] = STORES, [0x2a] = SSE, [0x2b] = STORES,
	[0x2c ... 0x2d] = SSE | W_REG,                                         /* cvttsd2si */
	[0x2e ... 0x2f] = MODRM | READS,                                       /* comisd    */
	[0x31] = W_RAX | W_RDX,                                                /* rdtsc     */
	[0x40 ... 0x4f] = MODRM | READS | W_REG | KEEPS | MEANS(CHOOSE),       /* cmov      */
	[0x50] = MODRM | W_REG | KEEPS,                                        /* movmskps  */
	[0x51 ... 0x6f] = SSE, [0x70 ... 0x73] = SSE | IMM8, [0x74 ... 0x76] = SSE,
	[0x77] = KEEPS,                                                        /* vzeroupper */
	[0x7c ... 0x7d] = SSE,
	[0x7e] = SSE | W_RM,                                                   /* movq      */
	[0x7f] = STORES,
	[0x80 ... 0x8f] = IMM32 | KEEPS | MEANS(JUMP),                         /* jcc       */
	[0x90 ... 0x9f] = MODRM | BYTE | W_RM | KEEPS | MEANS(SET),            /* setcc     */
	[0xa2] = W_RAX | W_RBX | W_RCX | W_RDX,                                /* cpuid     */
	[0xa3] = MODRM | READS,                                                /* bt        */
	[0xa4] = MODRM | IMM8 | READS | W_RM,                                  /* shld      */
	[0xa5] = MODRM | READS | W_RM,
	[0xab] = MODRM | READS | W_RM,                                         /* bts       */
	[0xac] = MODRM | IMM8 | READS | W_RM,                                  /* shrd      */
	[0xad] = MODRM | READS | W_RM,
	[0xae] = MODRM | READS | MEANS(FENCE),                                 /* fences, ldmxcsr */
	[0xaf] = MODRM | READS | W_REG | MEANS(TIMES),                         /* imul      */
	[0xb0] = MODRM | BYTE | READS | W_RM | W_RAX | MEANS(EXCHANGE),        /* cmpxchg   */
	[0xb1] = MODRM | READS | W_RM | W_RAX | MEANS(EXCHANGE),
	[0xb3] = MODRM | READS | W_RM,                                         /* btr       */
	[0xb6 ... 0xb7] = MODRM | READS | W_REG | KEEPS | MEANS(ZERO_EXTEND),  /* movzx     */
	[0xb8] = MODRM | READS | W_REG,                                        /* popcnt    */
	[0xba] = MODRM | IMM8 | READS | W_RM,                                  /* bt to btc */
	[0xbb] = MODRM | READS | W_RM,                                         /* btc       */
	[0xbc ... 0xbd] = MODRM | READS | W_REG,                               /* bsf, bsr  */
	[0xbe ... 0xbf] = MODRM | READS | W_REG | KEEPS | MEANS(SIGNS),        /* movsx     */
	[0xc0] = MODRM | BYTE | READS | W_RM | W_REG,                          /* xadd      */
	[0xc1] = MODRM | READS | W_RM | W_REG,
	[0xc2] = SSE | IMM8,
	[0xc3] = STORES,                                                       /* movnti    */
	[0xc4] = SSE | IMM8,
	[0xc5] = MODRM | IMM8 | W_REG | KEEPS,                                 /* pextrw    */
	[0xc6] = SSE | IMM8,
	[0xc7] = MODRM | READS | W_RM | W_RAX | W_RDX,                         /* cmpxchg16b, rdrand */
	[0xc8 ... 0xcf] = W_LOW | KEEPS,                                       /* bswap     */
	[0xd0 ... 0xd5] = SSE, [0xd6] = STORES,
	[0xd7] = MODRM | W_REG | KEEPS,                                        /* pmovmskb  */
	[0xd8 ... 0xe6] = SSE, [0xe7] = STORES, [0xe8 ... 0xfe] = SSE,
	/* clang-format on */
};

/* Behind 0f 38 and 0f 3a all is alike; crc32, movbe and what VEX makes of it write registers. */
enum {
	ALL_38 = MODRM | READS | W_REG | W_RM,
	ALL_3A = MODRM | IMM8 | READS | W_REG | W_RM,
};

/* Legacy prefixes, in any order, and then REX (2.1.1, 2.2.1). Returns the byte behind them. */
static uint8_t take_prefixes(struct decoder *d)
{
	uint8_t byte;

	for (;;) {
		byte = (uint8_t)cursor_uint(&d->in, 1);
		if (byte == 0x66)
			d->operand16 = true;
		else if (byte == 0x67)
			d->address32 = true;
		else if (byte == 0xf3)
			d->rep = true;
		else if (byte == 0x64 || byte == 0x65)
			d->own_segment = true;
		else if (byte != 0xf2 && byte != 0xf0 && byte != 0x2e && byte != 0x36 &&
			 byte != 0x3e && byte != 0x26)
			break;
	}
	if ((byte & 0xf0) != 0x40)
		return byte;
	d->has_rex = true;
	d->wide = byte & 8;
	d->rex_r = byte & 4 ? 8 : 0;
	d->rex_x = byte & 2 ? 8 : 0;
	d->rex_b = byte & 1 ? 8 : 0;
	return (uint8_t)cursor_uint(&d->in, 1);
}

/* Opcodes of the map 0f that have a form with VEX, on vectors. */
static bool is_vector(uint8_t opcode)
{
	return (opcode >= 0x10 && opcode < 0x18) || (opcode >= 0x28 && opcode < 0x30) ||
	       (opcode >= 0x50 && opcode < 0x80) || opcode == 0xae || opcode == 0xc2 ||
	       (opcode >= 0xc4 && opcode < 0xc7) || opcode >= 0xd0;
}

/* And those on mask registers: kmov and the like. */
static bool is_mask(uint8_t opcode)
{
	return (opcode >= 0x41 && opcode <= 0x4b) || (opcode >= 0x90 && opcode <= 0x93) ||
	       opcode == 0x98 || opcode == 0x99;
}

/* VEX (2.3.5): c5 and one byte, or c4 and two; then an opcode of one of three maps. */
static void take_vex(struct decoder *d, bool three)
{
	uint8_t byte = (uint8_t)cursor_uint(&d->in, 1), map = 1;

	d->has_rex = true;
	d->vex = true;
	d->rex_r = byte & 0x80 ? 0 : 8;
	if (three) {
		d->rex_x = byte & 0x40 ? 0 : 8;
		d->rex_b = byte & 0x20 ? 0 : 8;
		map = byte & 0x1f;
		byte = (uint8_t)cursor_uint(&d->in, 1);
		d->wide = byte & 0x80;
	}
	d->opcode = (uint8_t)cursor_uint(&d->in, 1);
	d->map = map == 1 ? MAP_0F : MAP_0F_MORE;
	if (map == 1 && is_vector(d->opcode))
		d->flags = two_bytes[d->opcode];
	else if (map == 1 && is_mask(d->opcode))
		d->flags = MODRM | READS | W_REG | W_RM;
	else if (map == 2 || map == 3)
		d->flags = map == 2 ? ALL_38 : ALL_3A;
	/* The third operand, a general register for some of maps 2 and 3. */
	if (map != 1)
		d->vex_writes = UINT32_C(1) << (~byte >> 3 & 0xf);
}

/* EVEX (2.7): 62 and three bytes, then an opcode as behind VEX, or one of a few more. */
static void take_evex(struct decoder *d)
{
	uint8_t first = (uint8_t)cursor_uint(&d->in, 1), second = (uint8_t)cursor_uint(&d->in, 1);
	uint8_t map = first & 7;

	cursor_take(&d->in, 1); /* masks, length, broadcast */
	d->opcode = (uint8_t)cursor_uint(&d->in, 1);
	d->has_rex = d->vex = d->evex = true;
	d->rex_r = first & 0x80 ? 0 : 8;
	d->rex_x = first & 0x40 ? 0 : 8;
	d->rex_b = first & 0x20 ? 0 : 8;
	d->wide = second & 0x80;
	d->map = map == 1 ? MAP_0F : MAP_0F_MORE;
	if ((first & 0x08) || !(second & 0x04))
		return;
	if (map == 1 && d->opcode >= 0x78 && d->opcode <= 0x7b)
		d->flags = SSE | W_REG; /* conversions of unsigned numbers */
	else if (map == 1 && is_vector(d->opcode))
		d->flags = two_bytes[d->opcode];
	else if (map == 2 || map == 3)
		d->flags = W_VECTOR | (map == 2 ? ALL_38 : ALL_3A);
}

static void take_opcode(struct decoder *d)
{
	uint8_t byte = take_prefixes(d);

	if ((byte == 0xc4 || byte == 0xc5) && !d->has_rex) {
		take_vex(d, byte == 0xc4);
		return;
	}
	if (byte == 0x62 && !d->has_rex) {
		take_evex(d);
		return;
	}
	d->opcode = byte;
	if (byte != 0x0f) {
		d->flags = one_byte[byte];
		return;
	}
	d->opcode = (uint8_t)cursor_uint(&d->in, 1);
	d->map = MAP_0F;
	d->flags = two_bytes[d->opcode];
	if (d->opcode == 0x38 || d->opcode == 0x3a) {
		d->map = MAP_0F_MORE;
		d->flags = d->opcode == 0x38 ? ALL_38 : ALL_3A;
		d->opcode = (uint8_t)cursor_uint(&d->in, 1);
	}
}

/* Tables 2-2 and 2-3. */
static void take_memory(struct decoder *d, uint8_t low)
{
	struct insn *insn = d->insn;
	size_t size = d->mod == 1 ? 1 : d->mod == 2 ? 4 : 0;

	insn->base = low | d->rex_b;
	if (low == 4) {
		uint8_t sib = (uint8_t)cursor_uint(&d->in, 1);
		uint8_t index = (sib >> 3 & 7) | d->rex_x;
		insn->base = (sib & 7) | d->rex_b;
		insn->index = index == RSP ? INSN_NO_REG : index;
		insn->scale = (uint8_t)(1 << (sib >> 6));
		low = sib & 7;
		if (d->mod == 0 && low == RBP) {
			insn->base = INSN_NO_REG;
			size = 4;
		}
	} else if (d->mod == 0 && low == RBP) {
		insn->base = INSN_NO_REG;
		d->relative = true;
		size = 4;
	}
	d->relative_at = (uint8_t)(d->in.p - d->start);
	uint64_t raw = cursor_uint(&d->in, size);
	insn->displacement = size == 1 ? (uint64_t)(int8_t)raw : (uint64_t)(int32_t)raw;
}

static void take_operand(struct decoder *d)
{
	uint8_t byte = (uint8_t)cursor_uint(&d->in, 1);

	d->mod = byte >> 6;
	d->reg = (byte >> 3 & 7) | d->rex_r;
	d->rm = (byte & 7) | d->rex_b;
	if (d->mod != 3)
		take_memory(d, byte & 7);
	d->scaled = d->evex && d->mod == 1; /* disp8*N */
}

/* Groups, whose opcode goes on in the reg field of ModRM (table A-6). The first row that fits
 * counts. */
#define ALL UINT32_MAX
static const struct {
	enum opcode_map map;
	uint8_t first, last; /* opcodes                                                 */
	uint8_t values;      /* of the field, a bit each                                */
	bool registers;      /* only where the operand is one                           */
	uint32_t without, with;
} groups[] = {
	/* clang-format off */
	{ MAP_ONE_BYTE, 0x80, 0x83, 1 << 7, false, W_RM, 0 },                             /* cmp */
	{ MAP_ONE_BYTE, 0xc6, 0xc6, 1 << 7, true, ALL, MODRM | IMM8 | KEEPS },  /* xabort */
	{ MAP_ONE_BYTE, 0xc7, 0xc7, 1 << 7, true, ALL,
	  MODRM | IMM32 | W_RAX | KEEPS | MEANS(JUMP) },                                  /* xbegin */
	{ MAP_ONE_BYTE, 0xc6, 0xc7, 0xfe, false, ALL, 0 },
	{ MAP_ONE_BYTE, 0xf6, 0xf6, 0x03, false, W_RM, IMM8 },                            /* test */
	{ MAP_ONE_BYTE, 0xf7, 0xf7, 0x03, false, W_RM, IMMZ },
	{ MAP_ONE_BYTE, 0xf6, 0xf7, 0xf0, false, W_RM, W_RAX | W_RDX },                   /* mul to idiv */
	{ MAP_ONE_BYTE, 0xfe, 0xfe, 0xfc, false, ALL, 0 },
	{ MAP_ONE_BYTE, 0xff, 0xff, 1 << 3 | 1 << 5 | 1 << 7, false, ALL, 0 },  /* far */
	{ MAP_ONE_BYTE, 0xff, 0xff, 1 << 2 | 1 << 4, false, W_RM, 0 },                    /* call, jmp */
	{ MAP_ONE_BYTE, 0xff, 0xff, 1 << 6, false, W_RM, W_RSP },                         /* push */
	{ MAP_0F, 0xba, 0xba, 1 << 4, false, W_RM, 0 },                                   /* bt */
	/* clang-format on */
};

static void settle_group(struct decoder *d)
{
	if (d->map == MAP_0F && d->opcode == 0x1e && d->rep && (d->reg & 7) == 1)
		d->flags |= W_RM; /* rdsspq */
	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++) {
		if (groups[i].map != d->map || d->opcode < groups[i].first ||
		    d->opcode > groups[i].last || !(groups[i].values >> (d->reg & 7) & 1) ||
		    (groups[i].registers && d->mod != 3))
			continue;
		d->flags = (d->flags & ~groups[i].without) | groups[i].with;
		return;
	}
}

static void take_immediate(struct decoder *d)
{
	size_t size = 0;

	if (d->flags & IMM8)
		size = 1;
	else if (d->flags & IMM16)
		size = 2;
	else if (d->flags & IMM32)
		size = 4;
	else if (d->flags & IMMV)
		size = d->wide ? 8 : d->operand16 ? 2 : 4;
	else if (d->flags & IMMZ)
		size = d->operand16 && !d->wide ? 2 : 4;
	uint64_t raw = cursor_uint(&d->in, size);
	unsigned int unused = size ? 64 - 8 * (unsigned int)size : 0;
	d->immediate = (int64_t)(raw << unused) >> unused;
}

bool insn_x86_64_decode(const uint8_t *bytes, size_t size, uint64_t addr, struct insn *ret)
{
	struct insn insn = { .from = INSN_NO_REG, .base = INSN_NO_REG, .index = INSN_NO_REG };
	size_t most = size < INSN_X86_64_MAX ? size : INSN_X86_64_MAX;
	struct decoder d = {
		.in = cursor_of(bytes, most), .start = bytes, .addr = addr, .insn = &insn
	};

	take_opcode(&d);
	if (!d.in.bad && (d.flags & MODRM)) {
		take_operand(&d);
		settle_group(&d);
	}
	if (!d.flags)
		return false;
	take_immediate(&d);
	if (d.in.bad)
		return false;
	insn.size = (uint8_t)(d.in.p - bytes);
	if (d.relative)
		insn.displacement += addr + insn.size;
	insn_x86_64_mean(&d);
	insn.relative_at = d.relative ? d.relative_at : 0;
	*ret = insn;
	return true;
}
