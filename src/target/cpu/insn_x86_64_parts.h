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

/* What an opcode is followed by and does. 0: not known. */
enum {
	KNOWN = 1 << 0,
	MODRM = 1 << 1,
	IMM8 = 1 << 2,
	IMM16 = 1 << 3,
	IMM32 = 1 << 4,
	IMMZ = 1 << 5,  /* 4 bytes; 2 with the operand-size prefix                  */
	IMMV = 1 << 6,  /* 8 bytes with REX.W, else as IMMZ                         */
	BYTE = 1 << 7,  /* operands of one byte: ah, ch, dh and bh are among them   */
	READS = 1 << 8, /* the operand of ModRM, if it is memory                    */
	MOVES = 1 << 9, /* reads or writes memory that no operand shows             */
	W_RM = 1 << 10,
	W_REG = 1 << 11,
	W_LOW = 1 << 12, /* the register in the opcode's low bits                    */
	W_RAX = 1 << 13,
	W_RCX = 1 << 14,
	W_RDX = 1 << 15,
	W_RBX = 1 << 16,
	W_RSP = 1 << 17,
	W_RBP = 1 << 18,
	W_STRING = 1 << 19, /* rcx, rsi, rdi                                        */
	JUMPS = 1 << 20,    /* relative, by the immediate                            */
	ENDS = 1 << 21,     /* does not get to the next instruction                  */
	W_VECTOR = 1 << 22, /* the operand of ModRM, a vector, if it is memory       */
};

enum opcode_map {
	MAP_ONE_BYTE,
	MAP_0F,
	MAP_0F_MORE, /* behind 0f 38 or 0f 3a */
};

struct decoder {
	struct cursor in;
	const uint8_t *start;
	uint64_t addr;
	bool operand16, address32, rep, own_segment, has_rex, wide, vex;
	uint8_t rex_r, rex_x, rex_b; /* 0 or 8 */
	enum opcode_map map;
	uint8_t opcode;
	uint32_t flags;
	uint8_t mod, reg, rm; /* reg and rm with the bits of REX */
	bool relative;        /* memory operand relative to the next instruction */
	int64_t immediate;
	uint32_t vex_writes;
	struct insn *insn;
};

/* Fills in d->insn from all that has been taken apart. */
void insn_x86_64_mean(const struct decoder *d);

#endif
