/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Listing_options: --with, --without, --group, --sort, --json and -v behind the commands that look
 * at OpenMP, and the words of each command's own.
 */
#ifndef DEBUGGER_CLI_LISTING_OPTIONS_H
#define DEBUGGER_CLI_LISTING_OPTIONS_H

#include "debugger/cli/arguments.h"
#include "debugger/listing_lines.h"

struct cli;

/* A word that is given: "-raw", or "--raw". */
struct option_word {
	const char *text;
	bool *into;
};

struct listing_options {
	struct listing_wishes wishes;
	struct arguments words; /* owned; values of filters are parts of them */
	bool json, each;
};
void listing_options_fini(struct listing_options *o);
#define AUTO_LISTING_OPTIONS AUTO(listing_options_fini) struct listing_options

/*
 * All of them, for rows with the keys of a kind, and those words; -v and
 * --json exclude each other. USAGE: anything else.
 */
MUST_CHECK struct error *listing_options_parse(enum listing_kind kind, const char *args,
					       const struct option_word *words, size_t nwords,
					       struct listing_options *ret);

/* For a command without rows: those words alone. USAGE: as listing_options_refuse() says. */
MUST_CHECK struct error *listing_options_words(struct cli *c, const char *args,
					       const struct option_word *words, size_t nwords);

/* USAGE: the command that runs does not know the word that the text begins with; which ones do, if
 * it is an option of lists. */
MUST_CHECK struct error *listing_options_refuse(struct cli *c, const char *text);

#endif
