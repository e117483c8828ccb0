/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Live_root: whose files the names in a process stand for: below which root directory, with whose
 * rights.
 */
#ifndef TARGET_LIVE_ROOT_H
#define TARGET_LIVE_ROOT_H

#include <sys/types.h>

#include "base/file_root.h"

/*
 * Parses the text of /proc/PID/status. Of the four user ids the first that is not root's counts:
 * who runs a program with root's rights has not got them. ret is zero before; the caller frees its
 * groups. BAD_DATA: the text does not tell.
 */
MUST_CHECK struct error *live_root_owner(const char *text, struct file_owner *ret);

/* Files are opened as those of a process. If it has ended, none are. */
void live_root_set(pid_t pid, struct file_root *root);

#endif
