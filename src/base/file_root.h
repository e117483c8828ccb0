/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * File_root: opens files that a program names which ompdb looks at, by its mappings, its debug
 * information, its core. Whoever made the program chose the names, be it "/etc/shadow". So they
 * are opened as the program could open them:
 *
 *  - A name means what it means to the program: it begins at the program's root directory, that of
 *    its container, and symbolic links stay below that. What is not in the container is not looked
 *    for outside of it. Links of /proc that lead anywhere (/proc/self/cwd) are not followed.
 *    Kernels before Linux 5.6 cannot promise that: there only our own root serves.
 *  - Where ompdb is root and the program's owner is not, the file is read with the owner's rights.
 *    Any other user has no more rights than are needed to look at the program.
 *  - Only regular files are opened, and none of the kernel's filesystems: reading /proc/kmsg takes
 *    away the kernel's messages.
 *  - It does not take longer than some seconds. A server of a network filesystem, or somebody's
 *    own (FUSE), may never answer, and whoever waits for it cannot be killed. So a child process
 *    looks and opens; it is left behind if it does not come back, and after some of those no file
 *    is opened. What comes from another container or user, and does not lie on a local filesystem,
 *    it copies: reading it later could hang, too.
 *
 * The child costs the time of a fork and two switches for each file, long ones where a program
 * keeps all processors busy. It is made before a stranger's program is stopped, else when it is
 * first needed, and not needed for a program with the same root and owner when a file's name is in
 * the kernel's caches (RESOLVE_CACHED) and the file on a disk: that can neither hang nor be more
 * than the owner may see.
 */
#ifndef BASE_FILE_ROOT_H
#define BASE_FILE_ROOT_H

#include "base/file_opener.h"

struct file_root;

/* Our own root and rights. NULL: out of memory. */
struct file_root *file_root_new(void);
void file_root_free(struct file_root *r);

/*
 * From here on the root directory is "folder" (O_PATH; -1: our own), and files are those of an
 * owner. Takes both. owner NULL: neither is known, and no file is opened.
 */
void file_root_set(struct file_root *r, int folder, struct file_owner *owner);

/* Is it another root directory than our own? */
bool file_root_is_elsewhere(const struct file_root *r);

/* Is it our own, and no less may be read than what we may? What others open by name is the same. */
bool file_root_is_ours(const struct file_root *r);

/*
 * Opens a file. NOT_FOUND, NOT_PERMITTED; UNSUPPORTED: it is no regular file; GONE: there was no
 * answer in time. *ret is untouched then, else the caller's.
 */
MUST_CHECK struct error *file_root_open(struct file_root *r, const char *path, struct file *ret);

/*
 * Opens what a link of /proc leads to that the kernel vouches for (/proc/PID/exe), with our own
 * rights. Else as file_root_open().
 */
MUST_CHECK struct error *file_root_open_link(struct file_root *r, const char *link,
					     struct file *ret);

#endif
