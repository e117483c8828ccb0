/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Options: what may stand on a command line, as tables, from which it is parsed and from which
 * the usage line, the help and the manual page are made.
 *
 * Long options are written in full, "--name VALUE" or "--name=VALUE"; short ones "-n VALUE" or
 * "-nVALUE", one at a time. "--" ends the options; "-" alone is none. What comes last, counts.
 */
#ifndef DEBUGGER_CLI_OPTIONS_H
#define DEBUGGER_CLI_OPTIONS_H

#include <stddef.h>

#include "base/buf.h"

enum option_kind {
	OPTION_FLAG,   /* no argument; a bool becomes true             */
	OPTION_SIZE,   /* a decimal number from least to most: size_t  */
	OPTION_TEXT,   /* any text: const char *, borrowed from argv   */
	OPTION_CHOICE, /* one of choices: int, its index               */
	OPTION_LIST,   /* any text, more than once: struct option_list */
};

/* Options of kind OPTION_LIST that set the same member, in the order in which they are given. */
struct option_given {
	const struct option_row *row;
	const char *text; /* borrowed from argv */
};
struct option_list {
	struct option_given *items; /* owned: vec_fini() */
	size_t len, cap;
};

struct option_row {
	const char *name; /* without "--"                        */
	char letter;      /* of the short form; 0: there is none */
	enum option_kind kind;
	const char *argument;       /* what help calls it; NULL for flags        */
	const char *help;           /* sentences                                 */
	size_t into;                /* offset of the member that the option sets */
	size_t least, most, preset; /* of an OPTION_SIZE                         */
	const char *const *choices; /* of an OPTION_CHOICE; NULL-terminated      */
	bool stays; /* it is about this host: others that do the same are not told of it   */
};

/* A table, and the struct that its options set; without one where only text is made. */
struct option_set {
	const struct option_row *rows;
	size_t len;
	void *into; /* borrowed */
};

/* OPTION_SET(table, &options) */
#define OPTION_SET(table, target)                                                                  \
	{                                                                                          \
		.rows = (table), .len = sizeof(table) / sizeof(*(table)), .into = (target)         \
	}

struct option_line {
	char **argv; /* borrowed; afterwards the operands come first in it        */
	int argc;
	bool stop;           /* at the first operand: it and all behind it are left as they are */
	const bool *stop_if; /* the same, as soon as this is true, by an option; NULL: never */
	bool ended;          /* set by options_parse(): "--" was there                           */
	bool one_dash;       /* long options may have one: "-batch" is "--batch"              */
};

/* Gives every OPTION_SIZE its preset value. */
void options_preset(const struct option_set *set);

/*
 * Sets what the options of a command line say and leaves argc operands in argv. USAGE: says which
 * option is wrong, and what it takes. Members that no option names keep their values.
 */
MUST_CHECK struct error *options_parse(const struct option_set *sets, size_t nsets,
				       struct option_line *line);

/* A number without sign, blanks or anything else around it. USAGE: that, or out of range. */
MUST_CHECK struct error *options_parse_size(const char *text, size_t least, size_t most,
					    size_t *ret);

/* Words of a command line. */
struct option_words {
	char **items; /* owned, each: vec_fini_all() */
	size_t len, cap;
};

/* Adds what says the same on another command line; lists are left out. false: out of memory. */
bool options_add_words(const struct option_set *set, struct option_words *ret);

/* " [--json] [--max-frames N]" */
void options_add_usage(struct buf *out, const struct option_set *set);

/* "  -h, --help  Print help and end.\n" for each option of all sets, in columns. */
void options_add_help(struct buf *out, const struct option_set *sets, size_t nsets);

/* The options as a list in the macros of man(7). */
void options_add_man(struct buf *out, const struct option_set *set);

/* Text in lines of at most 80 columns; all but the first are indented. Newlines stay. */
void options_add_wrapped(struct buf *out, const char *text, size_t indent);

/*
 * Text for roff(7): minus signs stay what they are, nothing is taken for a request, and each
 * sentence begins a line, as man-pages(7) asks for.
 */
void options_add_roff(struct buf *out, const char *text);

#endif
