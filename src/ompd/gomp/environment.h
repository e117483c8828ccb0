/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Environment: what the process was started with, as far as it has not been changed since: what
 * libgomp keeps where nothing exported leads to is known from here.
 *
 * The kernel puts the vector, and above it the strings, onto the first stack. setenv(3) puts others
 * in their places or makes another vector: what then stands there libgomp may have never seen.
 */
#ifndef OMPD_GOMP_ENVIRONMENT_H
#define OMPD_GOMP_ENVIRONMENT_H

#include "ompd/gomp/space.h"

enum { GOMP_ENVIRONMENT_VALUE = 256 };

/* The value of a variable. false: it is not set, too long, or not known. */
bool gomp_environment_get(const ompd_address_space_handle_t *space, const char *name,
			  char ret[GOMP_ENVIRONMENT_VALUE]);

/*
 * Goes on to the next item of a list "4, Close", from 0 on: *at is behind it then. ret: the item
 * without blanks and in lower case. false: there is none, or it is empty or too long.
 */
enum { GOMP_ENVIRONMENT_ITEM = 24 };
bool gomp_environment_next(const char *list, size_t *at, char ret[GOMP_ENVIRONMENT_ITEM]);

#endif
