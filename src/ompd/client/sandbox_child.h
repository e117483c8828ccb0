/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Sandbox_child: the end of a sandbox in which the OMPD library is.
 *
 * What the library reads of the target goes through a cache of pages that lasts as long as the
 * stop. Handles are numbered: the number of a region's or task's handle has in its upper half the
 * number of the first one that was given for the same region or task, so that the parent compares
 * them without asking.
 */
#ifndef OMPD_SANDBOX_CHILD_H
#define OMPD_SANDBOX_CHILD_H

#include <sys/stat.h>
#include <sys/types.h>

/*
 * In the new process: goes to jail, loads the library, answers until the parent ends. It exits with
 * SANDBOX_NO_JAIL where there is none to go to.
 */
enum { SANDBOX_NO_JAIL = 3 };
_Noreturn void sandbox_child_run(pid_t parent, int fd, const char *real_path,
				 const struct stat *st);

#endif
