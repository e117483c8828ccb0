/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Insn: the few x86-64 instructions that small accessor functions are made of, one at a time.
 *
 * Pure. What is not in the table is not decoded: better no answer than a wrong one.
 */
#ifndef OMPD_GOMP_INSN_H
#define OMPD_GOMP_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum gomp_op {
	GOMP_OP_NONE,    /* changes no general register: test, cmp, push, nop, endbr64 */
	GOMP_OP_UNKNOWN, /* changes its destination to something not followed          */
	GOMP_OP_MOVE,
	GOMP_OP_LEA,
	GOMP_OP_ADD,
	GOMP_OP_XOR,
	GOMP_OP_CMOVE, /* on any condition                                           */
	GOMP_OP_CMPXCHG,
	GOMP_OP_BRANCH, /* on any condition, to target                                */
	GOMP_OP_JUMP,   /* to target                                                  */
	GOMP_OP_RETURN,
};

struct gomp_insn {
	enum gomp_op op;
	size_t len;
	uint8_t size; /* bytes that a load takes from memory: 1, 2, 4, 8 */
	uint8_t reg;  /* the register operand, 0 to 15                   */
	bool store;   /* the r/m operand is the destination, else reg    */
	bool has_imm; /* the source is imm                               */
	int64_t imm;
	uint64_t target; /* of BRANCH and JUMP                              */

	bool memory; /* the r/m operand is memory, else register rm     */
	uint8_t rm;
	bool fs; /* memory: relative to the thread pointer          */
	bool has_base, has_index;
	uint8_t base;
	int64_t disp; /* without a base: the address                     */
};

/* The instruction that starts at code, which is at pc in the target. false: not known, or cut. */
bool gomp_insn_read(const uint8_t *code, size_t len, uint64_t pc, struct gomp_insn *ret);

#endif
