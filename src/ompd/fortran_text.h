/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Fortran_text: words, brackets and comments of statements in Fortran. */
#ifndef OMPD_FORTRAN_TEXT_H
#define OMPD_FORTRAN_TEXT_H

#include <stddef.h>

const char *fortran_text_skip(const char *p); /* blanks */

/* What follows the word, which p begins with; NULL: it does not. */
const char *fortran_text_word(const char *p, const char *text);

/*
 * "(a > b) then": what is in the brackets, which is the caller's; *ret_behind: what follows. NULL:
 * out of memory; "": there are none.
 */
char *fortran_text_brackets(const char *p, const char **ret_behind);

/* The length of a line without a comment and blanks at its end. */
size_t fortran_text_length(const char *line);

#endif
