/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * File: opening and reading files whose names or contents nobody vouches for.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdint.h>
#include <sys/stat.h>

#include "base/buf.h"

/* A file that is open for reading. */
struct file {
	int fd;         /* owned; of the file or of a copy of it                               */
	struct stat st; /* of the file                                                         */
	char *path;     /* owned; where it lies, without symbolic links; NULL: not known       */
};

#define FILE_CLOSED ((struct file){ .fd = -1 })
void file_close(struct file *f);
#define AUTO_FILE AUTO(file_close) struct file

/*
 * Opens a regular file for reading, one that the user names or that ompdb looks for by itself; what
 * others name is opened by file_root.h. Anything else is UNSUPPORTED and is not even opened:
 * opening a device or a pipe can do things. ret_st may be NULL.
 */
MUST_CHECK struct error *file_open_regular(const char *path, int *ret_fd, struct stat *ret_st);

/* The same, with what else is known of it. */
MUST_CHECK struct error *file_open(const char *path, struct file *ret);

/* NULL: the file that was looked up by this path is a regular one. */
MUST_CHECK struct error *file_check_regular(const char *path, const struct stat *st);

/* Adds the path of the first file of that name in $PATH's folders that can be executed; false:
 * there is none. */
bool file_in_path(const char *name, struct buf *ret);

/* Where the file lies that fd names, in bytes of ret; false: not known. */
bool file_real_path(int fd, char *ret, size_t size);

/* A new descriptor, with a position of its own, for the file that fd has open. */
MUST_CHECK struct error *file_reopen(int fd, int *ret_fd);

/* Reads up to len bytes at "from"; less when the file ends there or cannot be read. */
size_t file_read_at(int fd, uint64_t from, void *ret, size_t len);

#endif
