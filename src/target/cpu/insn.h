/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Insn: one machine instruction, as far as ompdb asks: its size, where it goes, which general
 * registers and which memory it reads and writes, and, of the simpler ones, what it computes.
 *
 * General registers are numbered as in struct arch's code_regs. What a decoder does not know for
 * certain it does not decode.
 */
#ifndef TARGET_INSN_H
#define TARGET_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum insn_kind {
	INSN_OTHER,
	INSN_NOTHING,       /* nops, landing pads of indirect jumps                         */
	INSN_PAUSE,         /* what loops that wait say to the processor                    */
	INSN_CONSTANT,      /* to = value; operand is INSN_MEMORY if that is an address      */
	INSN_COPY,          /* to = operand & value                                         */
	INSN_ADDRESS,       /* to = base + index * scale + displacement                     */
	INSN_LOAD,          /* to = operand, "bytes" of memory                              */
	INSN_STORE,         /* memory = from, or value                                      */
	INSN_COMPUTE,       /* to = to "operation" operand                                  */
	INSN_CHANGE,        /* memory = memory "operation" operand                          */
	INSN_MULTIPLY,      /* to = operand * value                                         */
	INSN_DIVIDE,        /* also_to:to by operand: the result and the rest, likewise     */
	INSN_EXTEND,        /* to = operand, which has "bytes" and a sign                   */
	INSN_SPREAD_SIGN,   /* to = the sign of operand, in all bits                        */
	INSN_COMPARE,       /* operand with value, for a condition                          */
	INSN_COMPARE_BOTH,  /* operand with the register "to", likewise; reversed: that with it */
	INSN_SET,           /* to = 1 or 0: the condition                                   */
	INSN_CHOOSE,        /* to = operand if the condition holds, else it stays           */
	INSN_EXCHANGE,      /* operand = another number, if it was what a register holds    */
	INSN_PUSH,          /* from                                                         */
	INSN_PUSH_CONSTANT, /* how PLT stubs begin that are not bound yet                   */
	INSN_POP,           /* to                                                           */
	INSN_LEAVE,         /* the frame that the register "from" points to                 */
	INSN_CALL,          /* via                                                          */
	INSN_JUMP,          /* via                                                          */
	INSN_BRANCH,        /* the same under a condition                                   */
	INSN_RETURN,
	INSN_END, /* trap: does not get to the next instruction                   */
};

enum insn_via {
	INSN_VIA_ADDRESS, /* to the address "value"                                         */
	INSN_VIA_SLOT,    /* to where the pointer at the address "value" points             */
	INSN_VIA_OTHER,   /* the register "from", or a pointer somewhere in memory          */
};

/* What an instruction reads of memory, but for what it pops and other implied places. */
enum insn_reads {
	INSN_READS_NOTHING,
	INSN_READS_OWN,      /* the thread's own: its stack, its thread-local storage       */
	INSN_READS_SHARED,   /* at base + index * scale + displacement                      */
	INSN_READS_SOMEWHERE /* it cannot be said where                                     */
};

enum insn_operand {
	INSN_VALUE,
	INSN_REGISTER, /* from                                                           */
	INSN_MEMORY,   /* at base + index * scale + displacement                         */
};

enum insn_operation {
	INSN_UNKNOWN_OPERATION,
	INSN_ADD,
	INSN_SUBTRACT,
	INSN_AND,
	INSN_OR,
	INSN_XOR,
	INSN_TIMES,
	INSN_SHIFT_LEFT,
	INSN_SHIFT_RIGHT,
	INSN_SHIFT_SIGNED, /* right                                                      */
};

/* Of what was compared last. */
enum insn_condition {
	INSN_IF_OTHER,
	INSN_IF_EQUAL,
	INSN_IF_NOT_EQUAL,
	INSN_IF_BELOW, /* unsigned                                                       */
	INSN_IF_NOT_BELOW,
	INSN_IF_ABOVE,
	INSN_IF_NOT_ABOVE,
	INSN_IF_LESS, /* signed                                                           */
	INSN_IF_NOT_LESS,
	INSN_IF_GREATER,
	INSN_IF_NOT_GREATER,
};

/* What is known of an INSN_OTHER that is one of these. */
enum insn_simple {
	INSN_NOT_SIMPLE,
	INSN_MOVES_BYTE, /* memory (stores), or the lowest byte of to, = operand                */
	INSN_SWAPS,      /* from and what is in memory, "bytes" of them                         */
};

enum { INSN_NO_REG = 0xff, INSN_STORES_SOMEWHERE = 0xff };

struct insn {
	enum insn_kind kind;
	uint8_t size; /* bytes                                                          */
	enum insn_via via;
	uint8_t to, from; /* registers                                                  */
	uint8_t also_to;
	uint64_t value;
	enum insn_operand operand;
	enum insn_operation operation;
	enum insn_condition condition;
	enum insn_simple simple;
	bool reversed;   /* see INSN_COMPARE_BOTH                                         */
	bool lowest;     /* INSN_COMPARE: the lowest bit of operand alone, with 0          */
	uint8_t bytes;   /* of the operands: 1, 2, 4, 8; results of 4 are extended by zeros */
	uint8_t stores;  /* bytes that are written to memory at base + index * scale +
			    displacement; 0: none there; or INSN_STORES_SOMEWHERE           */
	bool sets_flags; /* what was compared before is lost                            */
	uint32_t writes; /* general registers, a bit each; of a call: what functions may change */
	enum insn_reads reads;
	uint8_t base, index, scale; /* registers or INSN_NO_REG                          */
	uint64_t displacement;
	uint8_t relative_at; /* the byte at which a displacement of 4 bytes begins that counts from
				the next instruction; 0: there is none */
	bool thread_local;   /* the place in memory counts from the thread pointer            */
};

/*
 * Decodes the instruction at addr, whose first "size" bytes are given. false: unknown, or there
 * are not enough bytes.
 */
typedef bool insn_decoder(const uint8_t *bytes, size_t size, uint64_t addr, struct insn *ret);

/* Whether a condition holds where "left" was compared with "right", of so many bytes; not of
 * INSN_IF_OTHER. */
bool insn_condition_holds(enum insn_condition condition, uint64_t left, uint64_t right,
			  unsigned int bytes);

#endif
