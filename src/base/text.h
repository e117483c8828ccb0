/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Text: strings that come from a target, made fit for a terminal, a log or JSON.
 *
 * Names of threads, files and symbols are chosen by the program that is looked at. Shown as
 * they are, they could move the cursor, recolour the screen or reverse the reading order.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stddef.h>

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

enum { TEXT_MAX = 4096 }; /* what text_escape() keeps of one string; "..." follows */

/*
 * Adds s (len bytes) to b: C0 and C1 control characters, DEL, invalid UTF-8 and the Unicode
 * bidirectional controls become \xNN, one for each of their bytes; all else stays.
 */
void text_escape(struct buf *b, const char *s, size_t len);

/* Bytes of the character that s begins with, by RFC 3629; 0: it is not well-formed. */
size_t text_read_utf8(const char *s, size_t len, uint32_t *ret_code);
void text_add_utf8(struct buf *b, uint32_t code);
/* The same of a text of wide characters, of 2 or 4 bytes: of UTF-16, two may be one. At least one
 * is there; a surrogate alone is its own code. */
size_t text_read_wide(const char *s, size_t len, size_t width, uint32_t *ret_code);
/* All of it, as UTF-8; of a width of 1: as it is. */
void text_add_wide(struct buf *b, const char *s, size_t len, size_t width);

/* By the locale's name (locale(7)): setlocale() would change what the rest of ompdb prints. */
bool text_locale_is_utf8(void);
/* Whether a character that is not of ASCII can be shown as it is: not those of text_escape(). */
bool text_is_shown(uint32_t code);

/* Numbers that rise, as people write them: "0-3,7", with ',' between; ranges are of three or more.
 */
void text_add_ranges(struct buf *b, const long *numbers, size_t len, char separator);

/* Whether a text is digits alone, one at least. */
bool text_is_number(const char *s);

/* Whether two texts are equal; NULL is equal to NULL alone. */
bool text_same(const char *a, const char *b);

/* Of a path what is behind its last '/'; all of it: there is none, or nothing is behind it. NULL:
 * NULL. */
const char *text_last_part(const char *path);

/* Whether s begins so; NULL begins with nothing. */
bool text_starts_with(const char *s, const char *start);

#endif
