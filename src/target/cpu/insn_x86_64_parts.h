/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Insn_x86_64_parts: what the two halves of the decoder share. insn_x86_64.c takes an instruction
 * apart, insn_x86_64_meaning.c says what it does.
 */
#ifndef TARGET_INSN_X86_64_PARTS_H
#define TARGET_INSN_X86_64_PARTS_H

#include "base/cursor.h"
#include "target/cpu/insn.h"

/* Numbers of registers in instructions. */
enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R11 = 11 };

/*
 * Says what an instruction does, beside what it reads and writes. Those before MEANS_ALU do so for
 * operands of any size; the rest of a register stays where 16 bits of it are written.
 */
enum meaning {
	MEANS_OTHER,
	MEANS_JUMP, /* relative, by the immediate; calls, too */
	MEANS_RETURN,
	MEANS_END,
	MEANS_FENCE,
	MEANS_HINT,
	MEANS_NOP,
	MEANS_GROUP_5,
	MEANS_ALU,
	MEANS_BYTE,
	MEANS_CHOOSE,
	MEANS_EXCHANGE,
	MEANS_GROUP_1,
	MEANS_GROUP_2,
	MEANS_GROUP_3,
	MEANS_MOVE,
	MEANS_MULTIPLY,
	MEANS_SET,
	MEANS_SIGNS,
	MEANS_STACK,
	MEANS_SWAP,
	MEANS_TEST,
	MEANS_TIMES,
	MEANS_ZERO_EXTEND,
};

/* What an opcode is followed by and does. 0: not known. */
enum {
	MODRM = 1 << 0,
	IMM8 = 1 << 1,
	IMM16 = 1 << 2,
	IMM32 = 1 << 3,
	IMMZ = 1 << 4,  /* 4 bytes; 2 with the operand-size prefix                  */
	IMMV = 1 << 5,  /* 8 bytes with REX.W, else as IMMZ                         */
	BYTE = 1 << 6,  /* operands of one byte: ah, ch, dh and bh are among them   */
	READS = 1 << 7, /* the operand of ModRM, if it is memory                    */
	MOVES = 1 << 8, /* reads or writes memory that no operand shows             */
	W_RM = 1 << 9,
	W_REG = 1 << 10,
	W_LOW = 1 << 11, /* the register in the opcode's low bits                    */
	W_RAX = 1 << 12,
	W_RCX = 1 << 13,
	W_RDX = 1 << 14,
	W_RBX = 1 << 15,
	W_RSP = 1 << 16,
	W_RBP = 1 << 17,
	W_STRING = 1 << 18, /* rcx, rsi, rdi                                         */
	W_VECTOR = 1 << 19, /* the operand of ModRM, a vector, if it is memory       */
	KEEPS = 1 << 20,    /* the flags as they are                                 */
	MEANING_AT = 24,
};
#define MEANS(meaning) ((uint32_t)MEANS_##meaning << MEANING_AT)

enum opcode_map {
	MAP_ONE_BYTE,
	MAP_0F,
	MAP_0F_MORE, /* behind 0f 38 or 0f 3a */
};

struct decoder {
	struct cursor in;
	const uint8_t *start;
	uint64_t addr;
	bool operand16, address32, rep, own_segment, has_rex, wide, vex, evex;
	uint8_t rex_r, rex_x, rex_b; /* 0 or 8 */
	enum opcode_map map;
	uint8_t opcode;
	uint32_t flags;
	uint8_t mod, reg, rm; /* reg and rm with the bits of REX */
	bool relative;        /* memory operand relative to the next instruction */
	uint8_t relative_at;  /* where its displacement stands */
	bool scaled;          /* its displacement counts in units that are not known */
	int64_t immediate;
	uint32_t vex_writes;
	struct insn *insn;
};

/* Fills in d->insn from all that has been taken apart. */
void insn_x86_64_mean(const struct decoder *d);

#endif
