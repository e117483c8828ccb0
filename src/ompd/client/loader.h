/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Loader: loads an OMPD library into this process.
 */
#ifndef OMPD_LOADER_H
#define OMPD_LOADER_H

#include <sys/stat.h>

#include "base/error.h"
#include "ompd/client/entries.h"

/*
 * Loads the file of that path, which must be the one that st is of. *ret_dl is the caller's, for
 * loader_unload(). UNSUPPORTED: it lacks entry points or speaks another version of OMPD.
 */
MUST_CHECK struct error *loader_load(const char *real_path, const struct stat *st,
				     struct library_api *ret, void **ret_dl);
/* NULL is fine. */
void loader_unload(void *dl);

#endif
