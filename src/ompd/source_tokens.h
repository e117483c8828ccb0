/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Source_tokens: a text in C or C++ as tokens, with OpenMP's directives as tokens of their own:
 * "#pragma omp", _Pragma(), [[omp::directive()]], and macros of the same text that make them.
 */
#ifndef OMPD_SOURCE_TOKENS_H
#define OMPD_SOURCE_TOKENS_H

#include <stdint.h>

#include "base/buf.h"

enum source_token_kind {
	SOURCE_END,
	SOURCE_NAME,
	SOURCE_CHAR,   /* an operator, a bracket: one character                         */
	SOURCE_OTHER,  /* a constant                                                     */
	SOURCE_PRAGMA, /* source_tokens.pragma is what stands behind "omp"                */
};

struct source_token {
	enum source_token_kind kind;
	const char *at; /* in the text */
	size_t len;
	int line; /* where it begins */
};

struct source_macro {
	const char *name;
	size_t len;
	const char *parameters; /* behind the '('; NULL: it takes none */
	const char *body, *end;
	bool makes;   /* directives */
	bool several; /* it has been defined before, and otherwise */
};

/* Where the next one is. */
struct source_position {
	const char *at;
	int line;
	bool is_first;   /* nothing but blanks stands before it in its line */
	uint64_t groups; /* of "#if" around it, two bits each, the innermost one's lowest: 3 if they
			    are compiled for certain, else 1 or 2 */
};

/* It need not be compiled: that hangs on an "#if" around it. */
static inline bool source_position_is_doubtful(const struct source_position *p)
{
	const uint64_t low = UINT64_MAX / 3, high = p->groups >> 1;

	return ((p->groups ^ high) & low) != 0;
}

struct source_tokens {
	struct source_position here; /* can be kept, and set again */
	const char *end;
	VEC(struct source_macro) macros; /* from "#define", so far */
	size_t makers;                   /* of them, that make directives */
	struct buf pragma;               /* owned; of the last PRAGMA, macros expanded */
	bool from_macro;                 /* a macro has made it */
	bool several; /* a macro in it has several definitions, or "#else" another one */
};

void source_tokens_init(struct source_tokens *t, const char *text, size_t len);
void source_tokens_fini(struct source_tokens *t);

void source_tokens_next(struct source_tokens *t, struct source_token *ret);
bool source_token_is(const struct source_token *t, const char *text);

#endif
