/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Methods: which function of the program a call means: one of a class, one of several that have the
 * same name in C++, by the types of its arguments.
 */
#ifndef DEBUGGER_METHODS_H
#define DEBUGGER_METHODS_H

#include "debugger/values/value.h"

/* A class, or one that it inherits, has a function of that name. */
bool methods_has(const struct type *type, const char *name);

/*
 * The one that object.name(args) means. args: all[1] and what follows, *n of them; all[0] has room
 * for "this". *ret_args, *n: what the function is given. USAGE: none takes these, or several do.
 */
MUST_CHECK struct error *methods_choose(const struct scope *s, const struct value *object,
					const char *name, struct value *all, size_t *n,
					const struct value **ret_args, struct value *ret);

/* object.name without a call: the first one of that name. NOT_FOUND: there is none. */
MUST_CHECK struct error *methods_first(const struct scope *s, const struct value *object,
				       const char *name, struct value *ret);

/* Whether a function of that name of the object's class takes these. args: n of them. */
bool methods_takes(const struct value *object, const char *name, const struct value *args,
		   size_t n);

/* Where its code is; 0: the program has none, as of what is inlined. */
taddr methods_code(const struct scope *s, const struct type_method *m);

/* "operator int", of a class that can be a number; NULL: it cannot. */
const char *methods_conversion(const struct type *type);

/* Of all functions of that name outside of classes, wherever they are, the one that takes these
 * arguments best. *ret_found: there is one. */
MUST_CHECK struct error *methods_free(const struct scope *s, const char *name,
				      const struct value *args, size_t n, struct value *ret,
				      bool *ret_found);

/* function: what the name was found to be; becomes another one of that name if its parameters fit
 * the arguments better. */
MUST_CHECK struct error *methods_overloaded(const struct scope *s, const char *name,
					    const struct value *args, size_t n,
					    struct value *function);

/* A function, or a pointer to one, of which only the symbol table knows. */
bool methods_result_is_unknown(const struct value *function);

#endif
