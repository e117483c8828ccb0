/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Lookup: what names and types of an expression mean in a scope: variables of the frame, then of
 * its file, functions, global variables, enumerators, and what only the symbol table knows.
 */
#ifndef DEBUGGER_LOOKUP_H
#define DEBUGGER_LOOKUP_H

#include "debugger/values/expr.h"
#include "debugger/values/value.h"

/* file, NULL: any. NOT_FOUND: no such name. What cannot be read is a missing value or an error. */
MUST_CHECK struct error *lookup_name(const struct scope *s, const char *file, const char *name,
				     struct value *ret);
/* USAGE: what stands in the place of a value is a type. */
struct error *lookup_no_value(void);
/* The variable itself; false: it is no variable, or one of a frame of another function. */
bool lookup_variable(const struct scope *s, const char *file, const char *name,
		     struct variable *ret);

/*
 * What "this" is where a name may be that of a member: of the function, or of the one that has
 * made the construct; it may be missing, but has a type. false: there is none, or the name is a
 * variable there.
 */
bool lookup_object(const struct scope *s, const char *name, struct value *ret,
		   struct error **ret_err);

/* Why a member that a name would mean is not it: a construct around has a copy of it. NULL: it is.
 */
const char *lookup_copied(const struct scope *s, const char *name);

/*
 * A variable that code of a parallel region sees and has not captured, or has a copy of: in the
 * frame that has made the region, or in the one that has made the region around that. line, 0: any:
 * of its declaration. *ret_found: it is there, or missing for a reason.
 */
MUST_CHECK struct error *lookup_in_creator(const struct scope *s, const char *name, int line,
					   struct value *ret, bool *ret_found);

/* The value of such a variable, or what its task was given; name: by which it is meant, or NULL. */
MUST_CHECK struct error *lookup_local(const struct scope *s, const struct variable *v,
				      const char *name, struct value *ret);

/* It is a variable of the function of the scope, or of one of its blocks. */
bool lookup_is_local(const struct scope *s, const char *name);

/* The scope's code is in C++; without code that of main(). */
bool lookup_is_cxx(const struct scope *s);

/* It is a variable of a function that the one of the scope was written in. */
bool lookup_is_outer(const struct scope *s, const char *name);

MUST_CHECK struct error *lookup_type(const struct scope *s, const struct expr_type *t,
				     const struct type **ret);
/* What the steps of t make of a type. */
MUST_CHECK struct error *lookup_type_of(const struct scope *s, const struct type *type,
					const struct expr_type *t, const struct type **ret);
/* For expr.h: a name that is a type and nothing else; one that is anything. context: the scope. */
bool lookup_is_type(void *context, const char *name);
bool lookup_is_known(void *context, const char *name);

/* The same of a scope with a session: only types of the program. */
bool lookup_names_type(const struct scope *s, const char *name);
bool lookup_named_type(const struct scope *s, const char *name, struct variable *ret);

/* That of the code, without a frame of main(): "c", "c++", "fortran"; "c" where it is not known. */
const char *lookup_language(const struct scope *s);
/* Expressions there are those of Fortran. */
bool lookup_is_fortran(const struct scope *s);

/* Where types of that scope's program live; NULL: no program. */
struct type_store *lookup_types(const struct scope *s);

#endif
