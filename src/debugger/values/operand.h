/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Operand: names, numbers and texts of an expression: a part of expr.h. Each fills what is to
 * become it with the token at hand, and with those that belong to that, and goes on behind them:
 * USAGE.
 */
#ifndef DEBUGGER_OPERAND_H
#define DEBUGGER_OPERAND_H

#include "debugger/values/expr_tree.h"
#include "debugger/values/parser.h"

/* x, ns::x, ::x, file.c::x, $x; the name of a member. */
MUST_CHECK struct error *operand_word(struct parser *p, struct expr *e);
/* 'file.c'::x, 'work(int)' */
MUST_CHECK struct error *operand_quoted(struct parser *p, struct expr *e);
MUST_CHECK struct error *operand_constant(struct parser *p, struct expr *e);
/* "one" "text" */
MUST_CHECK struct error *operand_string(struct parser *p, struct expr *e);

#endif
