/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Jumped: which functions have left by a jump between a call and where it has led to, as DWARF says
 * (call_sites.h); or, if that is in a library without DWARF, to which clang does not say that jumps
 * lead, as the code says (call_site.h).
 */
#ifndef DEBUGGER_JUMPED_H
#define DEBUGGER_JUMPED_H

#include "debugger/session.h"
#include "target/symbols/call_sites.h"

/*
 * The call returns to return_pc, and has led to the function around callee_pc. For each that has
 * left, from the inside out, the address behind its jump; only what is certain. Returns how many.
 */
size_t jumped_between(struct session *s, taddr return_pc, taddr callee_pc,
		      taddr ret[CALL_SITES_MAX]);

#endif
