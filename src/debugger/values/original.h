/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Original: orig(x): the variable of which a construct's code has a private, firstprivate,
 * lastprivate, linear or reduction copy.
 *
 * It is looked for, as far as it is known, in this order:
 *
 *   a variable of the same function, declared in the same line: of a worksharing construct in a
 *     region; what clang's outlined functions are passed by reference
 *   what gcc's outlined function is passed under that name: during a region the original of a
 *     reduction or of a lastprivate variable lies there, or the address of it does
 *   the frame that has made the region, maybe of another thread
 *   a global variable
 */
#ifndef DEBUGGER_ORIGINAL_H
#define DEBUGGER_ORIGINAL_H

#include "debugger/values/expr_tree.h"
#include "debugger/values/value.h"

/*
 * Whether it is a call of orig(), and not of something of that name in the program. $_orig() is
 * always one.
 */
bool original_is_asked(const struct scope *s, const struct expr *call);

/*
 * What is not copied is its own original. A value is missing where its place is not known. USAGE:
 * the construct itself declares it. NOT_FOUND: there is no such variable.
 */
MUST_CHECK struct error *original_value(const struct scope *s, const struct expr *call,
					struct value *ret);
/* The same by the variable's name alone. */
MUST_CHECK struct error *original_of(const struct scope *s, const char *name, struct value *ret);

#endif
