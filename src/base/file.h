/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * File: opening and reading files whose names or contents nobody vouches for.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdint.h>
#include <sys/stat.h>

#include "base/error.h"

/*
 * Opens a regular file for reading. Anything else is UNSUPPORTED and is not even opened:
 * opening a device or a pipe can do things. ret_st may be NULL.
 */
MUST_CHECK struct error *file_open_regular(const char *path, int *ret_fd, struct stat *ret_st);

/* A new descriptor, with a position of its own, for the file that fd has open. */
MUST_CHECK struct error *file_reopen(int fd, int *ret_fd);

/* Reads up to len bytes at "from"; less when the file ends there or cannot be read. */
size_t file_read_at(int fd, uint64_t from, void *ret, size_t len);

#endif
