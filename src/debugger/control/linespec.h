/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Linespec: where in the program, as users write it, and what goes with it:
 *
 *   [LOCATION] [thread N] [omp-thread N] [omp-team T] [once-per-region] [if CONDITION]
 *
 *   function, ns::Class<int>::work(int)    31, +3, -2       lines of the default file
 *   app.c:31, app.c:work                   *ADDRESS         an expression
 *   function:label, label: in the function of the selected frame
 *   -source app.c -function work -label out -line 31  -qualified work: no scope may be left out
 *   without: where the selected frame stands
 */
#ifndef DEBUGGER_LINESPEC_H
#define DEBUGGER_LINESPEC_H

#include "debugger/values/scope.h"
#include "target/symbols/places.h"

enum linespec_kind {
	LINESPEC_HERE,     /* nothing was written               */
	LINESPEC_FUNCTION, /* name, file or NULL                */
	LINESPEC_LINE,     /* line, file or NULL: the default   */
	LINESPEC_OFFSET,   /* line: so many lines on            */
	LINESPEC_ADDRESS,  /* name: the expression behind '*'   */
};

/* Of a breakpoint: which threads it is for in OpenMP. */
struct omp_filter {
	bool is_thread, is_team;
	int thread, team; /* number in a team; T of its threads' names T.N           */
	bool once;        /* of each region the first thread that comes to it        */
};

struct linespec {
	enum linespec_kind kind;
	char *text; /* owned; the location alone, as it was written    */
	char *file; /* owned; NULL: none                               */
	char *name; /* owned; of the function, or the expression       */
	int line;
	int thread; /* 0: none                                         */
	struct omp_filter omp;
	char *condition; /* owned; NULL: none                               */
	bool qualified;  /* the name is that with all scopes                        */
	bool labelled;   /* "-label": what stands last is one                       */
	bool forced;     /* "-force-condition"                              */
};
void linespec_fini(struct linespec *l);
#define AUTO_LINESPEC AUTO(linespec_fini) struct linespec

/* USAGE: it is not written as it should be. */
MUST_CHECK struct error *linespec_parse(const char *text, struct linespec *ret);

/* The same for an expression: its text, the thread, the condition. */
MUST_CHECK struct error *linespec_split(const char *text, struct linespec *ret);

/* What a location without a file, or without anything, means. */
struct linespec_default {
	const char *file; /* borrowed; NULL: unknown */
	int line;
	taddr pc; /* of the selected frame; 0: none */
};

/* Computes an address, given by values/: linespec knows of no expressions. */
typedef struct error *linespec_evaluate(void *context, const char *expression, taddr *ret);

struct linespec_context {
	struct session *session;
	struct linespec_default here;
	linespec_evaluate *evaluate;
	void *context;
	bool entry;     /* functions mean their first instruction              */
	bool resembles; /* where nothing is found, it is told what resembles it */
};

/*
 * All code that it means, in ret, which is the caller's. *ret_line: where that is, if the line that
 * was asked for has no code; else 0. NOT_FOUND: there is nothing like it, with what resembles it.
 * USAGE: there is no program.
 */
MUST_CHECK struct error *linespec_resolve(const struct linespec *l,
					  const struct linespec_context *context,
					  struct code_places *ret, int *ret_line);

#endif
