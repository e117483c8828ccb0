/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Json: a writer of JSON (RFC 8259): one object on one line, for programs.
 *
 * It sets commas, quotes and brackets. "key" is the name of a member, a short plain word; NULL for
 * an element of an array.
 *
 *   struct json j = { .out = &out };
 *   json_add_object(&j, NULL);            {
 *   json_add_integer(&j, "lwp", 42);        "lwp":42
 *   json_add_array(&j, "frames");          ,"frames":[
 *   json_end(&j);                          ]
 *   json_end(&j);                         } and the end of the line
 *
 * There is no tree of objects behind it: building one takes longer than unwinding the stacks.
 *
 * What holds for all JSON that is written: strings are escaped as in text first (\xNN for what is
 * no UTF-8 or could harm a terminal), then as JSON wants it. Addresses are strings, "0x" and
 * hexadecimal digits, since many readers keep numbers as doubles. "v" grows when a member changes
 * its meaning or goes away; new members may appear at any time.
 */
#ifndef DEBUGGER_OUTPUT_JSON_H
#define DEBUGGER_OUTPUT_JSON_H

#include "base/buf.h"

struct json {
	struct buf *out;   /* borrowed                                              */
	bool comma;        /* one is needed before what comes next                  */
	unsigned depth;    /* objects and arrays that are open, 64 at most          */
	uint64_t is_array; /* bit n: the one at depth n is an array, else an object */
};

void json_add_object(struct json *j, const char *key);
void json_add_array(struct json *j, const char *key);
/* Ends the innermost object or array that is open. */
void json_end(struct json *j);

/* An object that was written before, a line of text; null if it is none. */
void json_add_made(struct json *j, const char *key, const char *object);

/* NULL: null. */
void json_add_string(struct json *j, const char *key, const char *s);
/* Lines of text that is fit for a terminal: newlines and tabs are kept as what they are. */
void json_add_lines(struct json *j, const char *key, const char *s);
void json_add_bool(struct json *j, const char *key, bool value);
void json_add_null(struct json *j, const char *key);
void json_add_integer(struct json *j, const char *key, intmax_t n);
void json_add_unsigned(struct json *j, const char *key, uintmax_t n);
/* The number if it is > 0, or >= 0; else null. */
void json_add_positive(struct json *j, const char *key, intmax_t n);
void json_add_natural(struct json *j, const char *key, intmax_t n);
/* A number >= 0 with three decimals, 1e12 at most; else null. */
void json_add_decimal(struct json *j, const char *key, double x);
/* "0x.." */
void json_add_address(struct json *j, const char *key, uint64_t address);

#endif
