/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Condition: a small stack language for what must hold where a thread stops: registers, memory,
 * numbers, comparisons, logic. It runs where the program is traced, for each hit.
 *
 * A program is a row of instructions: one byte that says which, then its operand, little-endian.
 * The stack holds numbers of 64 bits; CONDITION_STACK of them at most, and at most CONDITION_STEPS
 * instructions are executed. It ends at CONDITION_END, or behind its last byte, with what is on
 * top: 0 is false. Whatever goes wrong (unmapped memory, division by zero, an empty stack) makes it
 * false, and is told.
 */
#ifndef TARGET_CONDITION_H
#define TARGET_CONDITION_H

#include "target/cpu/arch.h"

enum condition_op {
	CONDITION_END,
	CONDITION_CONST,    /* u64: pushes it                                                */
	CONDITION_REGISTER, /* u8: pushes that general register (index in arch->code_regs)   */
	CONDITION_PC,       /* pushes pc                                                     */
	CONDITION_BASE,     /* pushes the thread pointer (fs_base): thread-local variables   */
	CONDITION_LOAD,     /* u8 bytes 1, 2, 4, 8: address on top becomes what is there     */
	CONDITION_SIGNED,   /* u8 bytes: top is a signed number of so many bytes: extends it */
	CONDITION_CUT,      /* u8 bytes: top is an unsigned number of so many bytes: cuts it */
	CONDITION_ADD,
	CONDITION_SUBTRACT,
	CONDITION_MULTIPLY,
	CONDITION_DIVIDE,   /* signed */
	CONDITION_DIVIDE_U, /* unsigned */
	CONDITION_REST,
	CONDITION_REST_U,
	CONDITION_AND, /* bitwise */
	CONDITION_OR,
	CONDITION_XOR,
	CONDITION_INVERT,
	CONDITION_NEGATE,
	CONDITION_NOT,        /* 1 if top is 0, else 0 */
	CONDITION_SHIFT_LEFT, /* by more than 63: 0 */
	CONDITION_SHIFT_RIGHT,
	CONDITION_SHIFT_SIGNED,
	CONDITION_EQUAL,
	CONDITION_LESS,
	CONDITION_LESS_U,
	CONDITION_LESS_OR_EQUAL,
	CONDITION_LESS_OR_EQUAL_U,
	CONDITION_DUPLICATE,
	CONDITION_DROP,
	CONDITION_SWAP,
	CONDITION_JUMP,      /* u16: to that byte of the program                          */
	CONDITION_JUMP_ZERO, /* u16: takes top; jumps if it is 0                          */
	/* Floating point: a number on the stack may be the bits of a double. */
	CONDITION_WIDEN,  /* top is the bits of a float: becomes a double                 */
	CONDITION_NARROW, /* as exact as a float, yet a double                            */
	CONDITION_OF_SIGNED,
	CONDITION_OF_UNSIGNED,
	CONDITION_TO_SIGNED, /* without its fraction; what does not fit goes wrong        */
	CONDITION_FLOAT_ADD,
	CONDITION_FLOAT_SUBTRACT,
	CONDITION_FLOAT_MULTIPLY,
	CONDITION_FLOAT_DIVIDE,
	CONDITION_FLOAT_EQUAL,
	CONDITION_FLOAT_LESS,
	CONDITION_FLOAT_LESS_OR_EQUAL,
	CONDITION_ARGUMENT, /* u8: pushes that argument, from 0 on, of the function from which the
			       thread returns (struct point, returns)                         */
	NUM_CONDITION_OPS,
};

enum { CONDITION_STACK = 64, CONDITION_STEPS = 4096, CONDITION_SIZE_MAX = 4096 };

/* What a program looks at. */
struct condition_subject {
	const struct arch *arch;
	const uint8_t *general; /* REGSET_GENERAL of the thread */
	/* Reads memory of the target without traps of ours; returns how many bytes. */
	size_t (*read)(void *context, taddr from, void *ret, size_t len);
	void *context;
	const uint64_t *arguments; /* ARCH_ARGUMENTS; NULL: it returns from nothing that is known */
};

/* USAGE: it is no program: an unknown instruction, a jump to nowhere, too long. */
MUST_CHECK struct error *condition_check(const uint8_t *program, size_t size);

/* What it comes to. false: something went wrong. */
bool condition_value(const uint8_t *program, size_t size, const struct condition_subject *subject,
		     uint64_t *ret);

/* Whether it holds. *ret_failed: something went wrong, so that it does not. */
bool condition_holds(const uint8_t *program, size_t size, const struct condition_subject *subject,
		     bool *ret_failed);

#endif
