/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Token: the words of an expression.
 */
#ifndef DEBUGGER_TOKEN_H
#define DEBUGGER_TOKEN_H

#include "target/symbols/type.h"

enum token_kind {
	TOKEN_END,
	TOKEN_NUMBER,
	TOKEN_FLOAT,
	TOKEN_IMAGINARY, /* a FLOAT with an i behind it */
	TOKEN_NAME,
	TOKEN_DOLLAR,
	TOKEN_QUOTED, /* 'file.c', more than one character */
	TOKEN_STRING,
	TOKEN_SIGN, /* an operator or bracket, the longest that fits */
};

struct token {
	enum token_kind kind;
	const char *start; /* in the text */
	size_t len;
	const struct type *type; /* of numbers; of a STRING's characters */
	uint64_t number;
	__float128 real;
	/* Owned: of QUOTED and STRING, without quotes and escapes; of NUMBER and FLOAT: the name of
	 * its kind in Fortran. */
	struct buf value;
};

/* Characters and numbers of C++ and of newer C, which every program knows. */
extern const struct type token_wchar, token_char8, token_char16, token_char32, token_float16,
	token_float128;

/* Reads the token at "at", behind blanks, into an empty ret. USAGE. */
MUST_CHECK struct error *token_read(const char *at, struct token *ret);
void token_fini(struct token *t);

/* One character behind a backslash, or another one: *at moves on. */
uint32_t token_unescape(const char **at);

#endif
