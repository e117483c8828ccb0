/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Convenience: values that belong to the debugger: $name, and the history: $1, $2, ...
 *
 * They outlive the program and its files: the stores of their types are kept with them.
 */
#ifndef DEBUGGER_CONVENIENCE_H
#define DEBUGGER_CONVENIENCE_H

#include "debugger/values/value.h"

struct convenience;

/* NULL: out of memory. */
struct convenience *convenience_new(void);
void convenience_free(struct convenience *c);

/* name: without the $. store: of the value's type, NULL: it is one of no program (type.h). */
MUST_CHECK struct error *convenience_set(struct convenience *c, const char *name,
					 const struct value *v, struct type_store *store);
/* For what the debugger tells: $bpnum, $_exitcode, $_thread. */
void convenience_set_int(struct convenience *c, const char *name, int64_t n);
void convenience_unset(struct convenience *c, const char *name);

/* Void, if it was never set. */
struct value convenience_get(const struct convenience *c, const char *name);

/* Adds to the history. *ret: its number, from 1 on. */
MUST_CHECK struct error *convenience_record(struct convenience *c, const struct value *v,
					    struct type_store *store, size_t *ret);
size_t convenience_recorded(const struct convenience *c);
/* number: from 1 on. NULL: there is none. */
const struct value *convenience_history(const struct convenience *c, size_t number);

/* Each variable by name, last set first, for "show convenience". */
void convenience_for_each(const struct convenience *c,
			  void (*found)(void *context, const char *name, const struct value *v),
			  void *context);

#endif
