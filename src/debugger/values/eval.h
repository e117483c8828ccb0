/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Eval: what an expression comes to in a scope.
 *
 * Numbers are those of C: small ones become int, then the larger type, of two equal ones that
 * without a sign. Pointers count in what they point to. Functions of the program are not called.
 */
#ifndef DEBUGGER_EVAL_H
#define DEBUGGER_EVAL_H

#include "debugger/values/convenience.h"
#include "debugger/values/expr.h"

struct eval_context {
	const struct scope *scope;
	struct convenience *values; /* may be changed by assignments */
};

/* Parses with the types of the scope's program. *ret_end: as expr_parse(). */
MUST_CHECK struct error *eval_parse(const struct eval_context *c, const char *text, bool one,
				    struct expr **ret, const char **ret_end);

MUST_CHECK struct error *eval(const struct eval_context *c, const struct expr *e,
			      struct value *ret);

/* Both. A reference is what it refers to; or it is left as it is, to be shown. */
MUST_CHECK struct error *eval_text(const struct eval_context *c, const char *text,
				   struct value *ret);
MUST_CHECK struct error *eval_shown(const struct eval_context *c, const char *text,
				    struct value *ret);
MUST_CHECK struct error *eval_address(const struct eval_context *c, const char *text, taddr *ret);
MUST_CHECK struct error *eval_integer(const struct eval_context *c, const char *text, int64_t *ret);

/* Whether a condition holds. */
MUST_CHECK struct error *eval_condition(const struct eval_context *c, const char *text, bool *ret);

#endif
