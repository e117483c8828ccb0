/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Call_sites: what DWARF says of the calls in optimised code (DWARF 5, section 3.4; before it as
 * GNU extensions): what is called, whether the call is a jump that leaves the caller (a tail call),
 * and what registers hold when it is made.
 *
 * By that, frames that a tail call has left can be shown, and values that an argument had when its
 * function was entered. Both are told only where they are certain, by the rules of gdb 13.
 */
#ifndef TARGET_CALL_SITES_H
#define TARGET_CALL_SITES_H

#include "target/symbols/location.h"
#include "target/symbols/symbol.h"

enum { CALL_SITES_MAX = 64 };

/*
 * Which functions have been left by tail calls between the call that returns to return_pc and the
 * function around callee_pc: for each, from the inside out, the address behind its jump. Those that
 * all ways from here to there have in common. Returns how many.
 */
size_t call_sites_left(struct symbol_table *s, taddr return_pc, taddr callee_pc,
		       taddr ret[CALL_SITES_MAX]);

/*
 * What was passed when the function around callee_pc was entered by the call that returns to
 * caller->pc. false: that is not known.
 */
bool call_sites_passed(struct symbol_table *s, const struct location_frame *caller, taddr callee_pc,
		       struct location_passed what, struct location_value *ret);

#endif
