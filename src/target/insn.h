/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Insn: one machine instruction, as far as ompdb asks: its size, where it goes, which general
 * registers it writes, which memory it reads. Each processor fills it in (struct arch).
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
	INSN_CONSTANT,      /* to = value                                                   */
	INSN_COPY,          /* to = from & value                                            */
	INSN_PUSH_CONSTANT, /* how PLT stubs begin that are not bound yet                   */
	INSN_CALL,          /* via                                                          */
	INSN_JUMP,          /* via                                                          */
	INSN_BRANCH,        /* the same under a condition                                   */
	INSN_END,           /* return, trap: does not get to the next instruction           */
};

enum insn_via {
	INSN_VIA_ADDRESS, /* to the address "value"                                         */
	INSN_VIA_SLOT,    /* to where the pointer at the address "value" points             */
	INSN_VIA_OTHER,   /* a register, or a pointer somewhere in memory                   */
};

/* What an instruction reads of memory, but for what it pops and other implied places. */
enum insn_reads {
	INSN_READS_NOTHING,
	INSN_READS_OWN,      /* the thread's own: its stack, its thread-local storage       */
	INSN_READS_SHARED,   /* at base + index * scale + displacement                      */
	INSN_READS_SOMEWHERE /* it cannot be said where                                     */
};

enum { INSN_NO_REG = 0xff };

struct insn {
	enum insn_kind kind;
	uint8_t size; /* bytes                                                          */
	enum insn_via via;
	uint8_t to, from; /* registers                                                  */
	uint64_t value;
	uint32_t writes; /* general registers, a bit each; of a call: what functions may change */
	enum insn_reads reads;
	uint8_t base, index, scale; /* registers or INSN_NO_REG                          */
	uint64_t displacement;
};

/*
 * Decodes the instruction at addr, whose first "size" bytes are given. false: unknown, or there
 * are not enough bytes.
 */
typedef bool insn_decoder(const uint8_t *bytes, size_t size, uint64_t addr, struct insn *ret);

#endif
