/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Captured: which variable a name means in code of a construct, where the directives in the source
 * have to decide.
 *
 * Of one in a common block of Fortran gcc describes the block's and a copy that the construct has
 * alike (gcc_faults.h). Of the copies that "sections" has gcc (9 to 14, measured) describes none,
 * and of those of reductions in tasks neither compiler does: what has the name is the original. Of
 * a section of an array that is reduced clang's description does not tell where that begins.
 */
#ifndef DEBUGGER_CAPTURED_H
#define DEBUGGER_CAPTURED_H

#include "debugger/values/scope.h"

/*
 * variable, of the scope's code, becomes that of the common block, unless the construct has a copy.
 * Whether it is a reference becomes that of the instance of a template that the code is of, as far
 * as the frames tell which have begun the regions around.
 * Returns why that cannot be told, or why it is an original that the code has another copy of;
 * NULL: it is what the name means.
 */
const char *captured_settle(const struct scope *s, struct variable *variable);

/* The scope's code is that of a function which the compiler has made of a construct, or is inlined
 * there. */
bool captured_is_outlined(const struct scope *s);

/*
 * Why a variable that is not the function's own is not what its name means: a construct around has
 * a copy of it. NULL: it is.
 */
const char *captured_copied(const struct scope *s, const char *name);

/*
 * The copy that code of a construct of clang's has of a member of its object. Clang (measured with
 * 14) takes "this->name" for it, as "name", but not "(*this).name".
 */
bool captured_member(const struct scope *s, const char *name, struct variable *ret);

#endif
