/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Format_number: numbers and characters of a program's memory as text, in gdb's forms.
 */
#ifndef DEBUGGER_OUTPUT_FORMAT_NUMBER_H
#define DEBUGGER_OUTPUT_FORMAT_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "target/symbols/type.h"

typedef unsigned __int128 format_wide;

/* At most 16 bytes, with nothing above them; extended by their sign. */
format_wide number_load(const uint8_t *bytes, size_t size);
format_wide number_extend(format_wide n, size_t size);

/* An integer; if its type is one of wide characters, with the character: 97 L'a', 8364 L'\u20ac'.
 */
void number_add_wide_char(struct buf *out, const struct type *type, format_wide n, bool plain);

void number_add_digits(struct buf *out, format_wide n, unsigned int base);
void number_add_decimal(struct buf *out, format_wide n, bool is_signed);
/* Of 4, 8 or 16 bytes; those of 16: binary128 where "quad", else x87's. */
void number_add_float(struct buf *out, const uint8_t *bytes, size_t size, bool quad);
/* 97 'a' */
void number_add_char(struct buf *out, format_wide n, bool is_signed);
/* A character inside of quotes. */
void number_add_text_char(struct buf *out, unsigned char c, char quote);
void number_add_wide_text_char(struct buf *out, uint32_t c, char quote);

/* Bytes of memory as x and print/FMT show them. A text without quotes is escaped. */
void format_value_number(struct buf *out, const uint8_t *bytes, size_t size, bool is_signed,
			 char letter);

/* 'a', '\n', '\000' */
void format_value_char(struct buf *out, unsigned char c);

#endif
