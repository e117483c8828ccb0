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

#endif
