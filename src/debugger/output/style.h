/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Style: how text looks, and the small things that all text is made of.
 */
#ifndef DEBUGGER_OUTPUT_STYLE_H
#define DEBUGGER_OUTPUT_STYLE_H

#include "base/buf.h"

struct style {
	bool color;        /* with the colours of an ANSI terminal       */
	bool utf8;         /* lines drawn with UTF-8 characters, else ASCII */
	bool no_addresses; /* of code, where a name or line is there in its place */
	size_t width;      /* of tables that can do with fewer columns; 0: as wide as they are */
	bool long_names;   /* of functions are not shortened (short_name.h)         */
};

/* What a piece of text is; its colour follows from that. */
enum ink {
	INK_TITLE,
	INK_ADDRESS,
	INK_NAME,
	INK_WHERE,
	INK_NOTE,
	INK_HIDDEN, /* frames that are seldom of interest                                */
	INK_BORDER,
	INK_WAIT, /* waits for other threads                                           */
	INK_BUSY, /* runs, or is blocked outside OpenMP: others may wait for it        */
	INK_IDLE,
	NUM_INKS,
};

/* Pieces of drawn lines. */
enum mark {
	MARK_BRANCH, /* "├─ " one of several branches  */
	MARK_LAST,   /* "└─ " the last of them         */
	MARK_PASS,   /* "│  " below an earlier one     */
	MARK_GAP,    /* "   " below the last one       */
	MARK_RULE,   /* "──"  around a border's text   */
	MARK_ARROW,  /* "→ "  before what a thread does */
	NUM_MARKS,
};

void style_begin(struct buf *out, enum ink ink, const struct style *style);
void style_end(struct buf *out, const struct style *style);
void style_mark(struct buf *out, enum mark mark, const struct style *style);

/* Text of the target, escaped. */
void style_add_text(struct buf *out, const char *s);
/* The same, with what stands before and behind it: " (", "libgomp", ")". */
void style_add_between(struct buf *out, const char *before, const char *s, const char *after);
/* A function of the target, escaped; a name that is too long is shortened, if style says so. */
void style_add_function(struct buf *out, const char *name, const struct style *style);
/* A line of a source file, escaped; tabs stay. */
void style_add_source(struct buf *out, const char *s);
/* In an ink of its own. */
void style_add_inked(struct buf *out, enum ink ink, const char *s, const struct style *style);
/* Text that is escaped already, in its ink, and spaces until it is as wide as its column. */
void style_add_column(struct buf *out, enum ink ink, const struct buf *text, size_t width,
		      const struct style *style);
/* "app.c" of "/srv/u/app.c", escaped. */
/* NULL: damaged DWARF has lines of no file. */
void style_add_last_part(struct buf *out, const char *path);
/* "/srv/u/app.c", 12: "app.c:12"; line 0: "app.c" */
void style_add_line(struct buf *out, const char *file, int line);
/* All digits: "0x0000555555555139". */
void style_add_address(struct buf *out, uint64_t addr, const struct style *style);
void style_add_spaces(struct buf *out, size_t n);

/* Columns that a terminal needs for UTF-8 text, one a character. */
size_t style_width(const struct buf *text);
size_t style_digits(size_t n);

#endif
