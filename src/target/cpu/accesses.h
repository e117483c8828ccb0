/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Accesses: what an instruction that has just been executed did to a place in memory. Pure.
 *
 * A processor that stops for data does so behind the instruction, and says neither where that began
 * nor whether it has read or written. Where it began is what decoding on from most of the places
 * before it leads to (instructions of x86 come into step with themselves), among those that have
 * an operand at that place as far as registers still tell.
 */
#ifndef TARGET_ACCESSES_H
#define TARGET_ACCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum access {
	ACCESS_UNKNOWN,
	ACCESS_READS, /* and may have written, too: inc, xchg, cmpxchg */
	ACCESS_WRITES,
};

enum { ACCESS_BEFORE = 64, ACCESS_BEHIND = 15 };

/*
 * code: what lies before pc, up to ACCESS_BEFORE bytes of it, and behind it, ACCESS_BEHIND bytes or
 * less; general: bytes of REGSET_GENERAL, as the instruction left them.
 */
struct access_code {
	uint8_t bytes[ACCESS_BEFORE + ACCESS_BEHIND];
	size_t before, size; /* bytes before pc, and all */
	uint64_t pc;
};
typedef enum access insn_access(const struct access_code *code, const uint8_t *general, uint64_t at,
				size_t len);

#endif
