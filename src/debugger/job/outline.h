/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Outline: merged stacks of many ranks as lines of text, from main() inwards: what is left of them
 * when they have come from other processes and other hosts.
 *
 * A line has the sets of threads that come through it, by the name of the set and the ranks in
 * which it is that: most ranks do the same, so there are few sets however many ranks there are.
 */
#ifndef DEBUGGER_OUTLINE_H
#define DEBUGGER_OUTLINE_H

#include "base/buf.h"
#include "base/map.h"

enum outline_kind {
	OUTLINE_FRAME,  /* text: the function; where: "at app.c:45"              */
	OUTLINE_BORDER, /* text: "parallel region 0, team of 4, at app.c:41"     */
	OUTLINE_STATE,  /* text: what those threads do whose stacks end here     */
	NUM_OUTLINES,
};

struct outline_set {
	char *threads;   /* owned; "0.[0-3]"                                   */
	size_t n;        /* of them in one rank                               */
	VEC(long) ranks; /* in the order in which they came                   */
};

/* Texts are fit for a terminal, without colours. */
struct outline_node {
	enum outline_kind kind;
	char *text, *where; /* owned; where may be ""                                 */
	VEC(struct outline_set) sets;
	size_t threads;                        /* of all sets in all their ranks          */
	VEC(struct outline_node *) inside;     /* borrowed: further in, in the order they came */
	struct outline_node *parent;           /* NULL: of the root                       */
	struct outline_node *next, *same_hash; /* private */
};

struct outline {
	struct outline_node *root; /* without text; NULL: nothing has come yet */
	size_t len;                /* nodes, without it                        */
	struct hash_map nodes;     /* private                                  */
};
void outline_fini(struct outline *o);
#define AUTO_OUTLINE AUTO(outline_fini) struct outline

/* The line with those texts below another one (NULL: the root), made if need be. NULL: out of
 * memory. */
struct outline_node *outline_add(struct outline *o, struct outline_node *parent,
				 enum outline_kind kind, const char *text, const char *where);

/* Those ranks have such a set of n threads there. false: out of memory. */
bool outline_add_set(struct outline_node *node, const char *threads, size_t n, const long *ranks,
		     size_t nranks);

/*
 * What is in one line, in the order of its threads, fewest first; sets by their first ranks, and
 * those rising.
 */
void outline_sort(struct outline *o);

#endif
