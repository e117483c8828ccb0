/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Identity: is the process with that number still the one that had it before?
 *
 * Nothing holds a number while ompdb does not look. When a process began is known to 10 ms only,
 * and in a PID namespace of its own anybody can choose numbers; a pidfd (Linux 5.3) stays with its
 * process.
 */
#ifndef TARGET_IDENTITY_H
#define TARGET_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct identity {
	pid_t pid;
	int fd;               /* owned; pidfd; -1: none                                  */
	uint64_t start_ticks; /* when it began, where there is no pidfd; 0: it has ended */
};
#define IDENTITY_NONE ((struct identity){ .fd = -1 })

/* Of the process that has the number at this moment; *ret was IDENTITY_NONE or filled before. */
void identity_note(pid_t pid, struct identity *ret);
void identity_fini(struct identity *i);

/* It lives, or is a zombie. */
bool identity_holds(const struct identity *i);

#endif
