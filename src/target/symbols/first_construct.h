/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * First_construct: functions whose first statement is a construct of OpenMP's that shares nothing
 * of theirs.
 *
 * Without optimisation gcc gives the code that begins such a construct no line: it stands in the
 * row of the line table in which the function's frame is made. The next row is that of the first
 * statement in the construct, or behind it: who stops there has missed a parallel region.
 */
#ifndef TARGET_FIRST_CONSTRUCT_H
#define TARGET_FIRST_CONSTRUCT_H

#include "target/symbols/symbol.h"

/*
 * A function has made its frame at "made", in the midst of a row that ends at "end". Where its
 * arguments are in place, if a construct begins between that and the end; else 0, as in code that
 * the compiler has made of a construct.
 */
taddr first_construct(struct symbol_table *s, taddr made, taddr end);

#endif
