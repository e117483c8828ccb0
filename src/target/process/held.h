/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Held: a process that is about to become a program, and waits until it is told to: by a debugger
 * that has attached to it before, or by anybody, with SIGCONT. Its name, which ends with the exec,
 * says that it waits.
 */
#ifndef TARGET_HELD_H
#define TARGET_HELD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * Holds this process until it is told to go on. false: one of those processes has ended meanwhile,
 * without which there is nothing to go on for. Blocks SIGCONT, which heritage_restore() takes back.
 */
bool held_wait(const pid_t *others, size_t n);

/* Whether a process waits so. */
bool held_is(pid_t pid);
/* Tells it to go on; whoever does not wait is not disturbed. */
void held_let_go(pid_t pid);

#endif
