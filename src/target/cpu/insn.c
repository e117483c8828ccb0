/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/cpu/insn.h"

/* -1: x is less than y; 0: equal; 1: greater. */
static int compared(uint64_t x, uint64_t y, bool with_sign)
{
	if (x == y)
		return 0;
	return (with_sign ? (int64_t)x < (int64_t)y : x < y) ? -1 : 1;
}

bool insn_condition_holds(enum insn_condition condition, uint64_t left, uint64_t right,
			  unsigned int bytes)
{
	static const struct {
		bool with_sign, if_less, if_equal, if_greater;
	} meanings[] = {
		[INSN_IF_OTHER] = { false, false, false, false },
		[INSN_IF_EQUAL] = { false, false, true, false },
		[INSN_IF_NOT_EQUAL] = { false, true, false, true },
		[INSN_IF_BELOW] = { false, true, false, false },
		[INSN_IF_NOT_BELOW] = { false, false, true, true },
		[INSN_IF_ABOVE] = { false, false, false, true },
		[INSN_IF_NOT_ABOVE] = { false, true, true, false },
		[INSN_IF_LESS] = { true, true, false, false },
		[INSN_IF_NOT_LESS] = { true, false, true, true },
		[INSN_IF_GREATER] = { true, false, false, true },
		[INSN_IF_NOT_GREATER] = { true, true, true, false },
	};
	const unsigned int shift = 64 - 8 * bytes;
	const int order = compared(left << shift, right << shift, meanings[condition].with_sign);

	return order < 0    ? meanings[condition].if_less
	       : order == 0 ? meanings[condition].if_equal
			    : meanings[condition].if_greater;
}
