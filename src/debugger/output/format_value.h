/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Format_value: values as text, in gdb's forms: 5, 97 'a', 0x7ffe10 "text", {1, 2}, (int *) 0x10.
 */
#ifndef DEBUGGER_OUTPUT_FORMAT_VALUE_H
#define DEBUGGER_OUTPUT_FORMAT_VALUE_H

#include "debugger/output/format_number.h"
#include "debugger/output/style.h"
#include "debugger/values/shown.h"

/* Letters of formats: x d u o t z a c f s; 0: by its type. */
bool format_value_knows(char letter);

/* A value inside of something else: an argument, an element. */
void format_value(struct buf *out, const struct shown *s, char letter);

/* What print shows: pointers and functions with their types. */
void format_value_top(struct buf *out, const struct shown *s, char letter);

/* "text" in its quotes, of len bytes, a character of which has "width" of them; what repeats itself
 * more often is counted; more: with dots. */
void format_value_text(struct buf *out, const char *text, size_t len, size_t width, size_t repeats,
		       bool more);

/* <main+4>; nothing for NULL. */
void format_value_symbol(struct buf *out, const char *symbol);

/* Which arguments have values. */
enum format_arguments {
	ARGUMENTS_ALL,
	ARGUMENTS_SCALARS, /* others are three dots               */
	ARGUMENTS_NONE,    /* all are                             */
	ARGUMENTS_PRESENCE /* "(...)" says that there are some    */
};

/* What of them is shown of the time when the function was entered, as far as it is known. */
enum format_entry {
	ENTRY_DEFAULT,   /* if it is something else; else that it is the same */
	ENTRY_NO,        /* nothing                                           */
	ENTRY_ONLY,      /* that alone                                        */
	ENTRY_BOTH,      /* that and the value of now                         */
	ENTRY_PREFERRED, /* that if it is known, else the value of now        */
	ENTRY_IF_NEEDED, /* that if the value of now is not known             */
	ENTRY_COMPACT,   /* as the default                                    */
};

/* "(i=8, p=0x7ffe10 \"text\")" */
void format_value_arguments(struct buf *out, const struct shown_variables *l,
			    enum format_arguments which, enum format_entry entry);

#endif
