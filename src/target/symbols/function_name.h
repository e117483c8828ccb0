/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Function_name: what a user writes for a function, and whether a name of the program is that.
 *
 * Names are compared part by part from the last one on, without regard to blanks: scopes,
 * template arguments, parameters and what follows them may be left out, each as a whole.
 */
#ifndef TARGET_FUNCTION_NAME_H
#define TARGET_FUNCTION_NAME_H

#include <stdbool.h>
#include <stddef.h>

enum { FUNCTION_NAME_PARTS_MAX = 64 };

/* A stretch of a text. */
struct name_part {
	const char *text; /* borrowed */
	size_t len;
	size_t base; /* of it, without template arguments */
};

struct function_name {
	char *text; /* owned: without blanks that mean nothing, and without a result type */
	struct name_part
		parts[FUNCTION_NAME_PARTS_MAX]; /* scopes, from the outside in; the function */
	size_t nparts;
	const char *parameters; /* "(int,char*)"; NULL: not given                     */
	size_t parameters_len;
	const char *suffix; /* what follows: " const", " [clone .cold]"; ""       */
};

/* false: out of memory, or it is no name. */
bool function_name_parse(const char *text, struct function_name *ret);
void function_name_fini(struct function_name *n);

/*
 * Where a demangled name begins behind the type of its result, and its length up to the
 * parameters. NULL: it is none.
 */
const char *function_name_without_result(const char *shown, size_t *ret_len);

/* Whether a demangled name is what was asked for. any_case: as in Fortran. */
bool function_name_matches(const struct function_name *asked, const struct function_name *name,
			   bool any_case);

/*
 * The text that the last part has in debug information, without template arguments: "work",
 * "~Class", "operator+". A part of asked->text.
 */
const struct name_part *function_name_last(const struct function_name *n);

/* How long "operator" and the sign or type behind it are at p, in a text from start on; 0: it is no
 * operator's name. */
size_t function_name_operator(const char *start, const char *p);

/* Whether a mangled name (Itanium ABI) can be of a function that is called so. */
bool function_name_may_be_mangled(const struct function_name *asked, const char *mangled);

#endif
