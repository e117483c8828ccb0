/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Names: what a picture's addresses are called in the source: places, constructs, locks.
 */
#ifndef OMPD_NAMES_H
#define OMPD_NAMES_H

#include "base/source.h"
#include "ompd/picture/picture.h"
#include "target/symbols/symbol.h"

/* Fills them in. The target need not be stopped any more. Errors only for lack of memory. */
MUST_CHECK struct error *names_find(struct picture *p, struct symbol_table *symbols,
				    struct source_cache *sources);

/*
 * What the programmer calls a lock or a critical construct, by the symbol of the variable that it
 * is or lies in; *ret is the caller's, and left alone if that is not known.
 */
MUST_CHECK struct error *names_object(struct symbol_table *symbols, enum wait_kind kind,
				      taddr object, char **ret);

#endif
