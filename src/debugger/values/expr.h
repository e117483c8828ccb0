/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Expr: expressions as users type them: those of C, with what gdb adds. Text becomes a tree; what
 * names mean is asked later (eval.h, compile.h).
 *
 *   x  ns::x  'file.c'::x  function::x    names
 *   $rip  $1  $  $$  $$3  $name           registers, history, variables of the debugger
 *   12  0x1f  1.5e3f  2.0i  'a'  "text"    constants
 *   L'a'  u8"text"  "one" " text"  1'000  texts and numbers of C++ and newer C, too
 *   *p@3  p[2]  {long} &x  (char *) p     what is in memory
 *   a[2..5]                               elements from there to there
 *   static_cast<T>(x)  T(x)  box<int>::y  as in C++
 *
 * Names of types that are no words of C are known by a function of the caller.
 */
#ifndef DEBUGGER_EXPR_H
#define DEBUGGER_EXPR_H

#include "debugger/values/expr_tree.h"

/*
 * USAGE: what is wrong, and where. *ret_end, if not NULL: where it ends, behind blanks: at the end
 * of the text, or at a comma. options may be NULL.
 */
MUST_CHECK struct error *expr_parse(const char *text, const struct expr_options *options,
				    struct expr **ret, const char **ret_end);

#endif
