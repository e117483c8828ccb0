/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Source_storage: how long a variable of C or C++ lives, as its declaration's text says: gcc gives
 * no place to static variables that are declared in constructs.
 */
#ifndef OMPD_SOURCE_STORAGE_H
#define OMPD_SOURCE_STORAGE_H

#include <stddef.h>

enum source_storage {
	STORAGE_UNSAID, /* automatic, or there is no such declaration */
	STORAGE_STATIC,
	STORAGE_THREAD, /* one for each thread */
};

/* Of the variable "name", which is declared in a line of the text. */
enum source_storage source_storage_find(const char *text, size_t len, int line, const char *name);

#endif
