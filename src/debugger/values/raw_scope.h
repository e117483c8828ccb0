/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Raw scope: scopes of frames of raw stacks, which nobody has selected. */
#ifndef DEBUGGER_RAW_SCOPE_H
#define DEBUGGER_RAW_SCOPE_H

#include "debugger/values/scope.h"

/*
 * Which registers still hold what they did when a raw frame made its call: those that functions
 * have to keep; all of them as long as the code is of one module, for compilers know there which
 * registers the function that they call leaves alone (gcc's -fipa-ra).
 */
uint32_t raw_scope_untouched(const struct session *s, const struct unwind_stack *raw, size_t frame);

/* Of those that functions need not keep: which ones the frames further in have overwritten for
 * certain, from where their functions begin up to their first branch. */
uint32_t raw_scope_overwritten(const struct session *s, const struct unwind_stack *raw,
			       size_t frame);

/*
 * The innermost level of a raw frame of a thread, and its callers by that stack. registers: room
 * for SCOPE_REGISTERS_MAX, filled, which has to live as long as the scope; NULL: not asked for.
 */
struct scope raw_scope(struct session *s, struct thread *th, const struct unwind_stack *raw,
		       size_t frame, uint64_t *registers);

#endif
