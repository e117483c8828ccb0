/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Abbrev: which of many names of one or more words a line begins with: commands, settings.
 *
 * At each word: the word itself, then its short names, then the only word that begins so. A word
 * that fits nothing belongs to the arguments, if there is a name of the words before it.
 */
#ifndef DEBUGGER_CLI_ABBREV_H
#define DEBUGGER_CLI_ABBREV_H

#include "base/buf.h"

struct named {
	const char *name;        /* "info breakpoints"                                            */
	const char *short_names; /* other forms of its last word, with blanks between; or NULL    */
};
struct named_list {
	struct named *items; /* owned */
	size_t len, cap;
};

enum abbrev_outcome {
	ABBREV_FOUND,
	ABBREV_UNKNOWN,   /* the word at "at" fits nothing                    */
	ABBREV_AMBIGUOUS, /* the word at "at" fits "candidates"               */
	ABBREV_PARTIAL,   /* the line ends where another word is needed: "candidates" */
};

struct abbrev_match {
	enum abbrev_outcome outcome;
	size_t index;     /* of what was found                                               */
	const char *at;   /* in the line: what comes behind the name, or the word that fails */
	size_t len;       /* of the word that fails                                          */
	char words[128];  /* what the line's words before "at" mean, in full                  */
	struct buf names; /* candidates, or the names nearest to the word at "at": "a, b, c"  */
};
void abbrev_match_fini(struct abbrev_match *m);

/*
 * ret starts zeroed, and is to be freed in any case. What stands behind a name and is no part of
 * one ("/4i") are arguments; ret->at is behind the blanks.
 */
void abbrev_find(const struct named_list *all, const char *line, struct abbrev_match *ret);

/*
 * Calls "found" with each word that the last word of the line may become, in order, each once:
 * "info br" is "info breakpoints". *ret_start: where that word begins in the line. false: the words
 * before it are no beginning of a name.
 */
bool abbrev_complete(const struct named_list *all, const char *line, size_t *ret_start,
		     void (*found)(void *context, const char *word, size_t len), void *context);

/* How many letters must change to make one of the other, at most so many. */
unsigned int abbrev_distance(const char *a, size_t alen, const char *b, size_t blen);

#endif
