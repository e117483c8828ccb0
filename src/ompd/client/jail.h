/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Jail: turns a process into one that can compute, read files, and talk through one descriptor.
 *
 * No privileges, no other user's processes, no new programs, no files written, no network, no
 * signals, no more than a gigabyte of new memory, no core file: any other system call ends it. It
 * ends with its parent, too. Under valgrind, which makes system calls of its own, it ends at once.
 */
#ifndef OMPD_JAIL_H
#define OMPD_JAIL_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * For a new process, which parent has forked. Every descriptor but fd, which gets the number
 * JAIL_FD, is closed; standard input and outputs lead nowhere. false: the system cannot do it, or
 * the parent has ended; the process is good for nothing then.
 */
bool jail_enter(pid_t parent, int fd);
enum { JAIL_FD = 3 };

#endif
