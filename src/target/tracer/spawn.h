/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Spawn: how a tracer comes into being: ompdb's own file executed anew, with a socket and with
 * nothing else of ompdb's.
 */
#ifndef TARGET_SPAWN_H
#define TARGET_SPAWN_H

#include <sys/types.h>

#include "base/error.h"

/* The process, which several targets may share. */
struct spawned {
	pid_t pid;
	unsigned int users;
};

/* *ret has one user. The caller owns the socket. */
MUST_CHECK struct error *spawn_tracer(struct spawned **ret, int *ret_socket);

/* One user less, whose socket has ended; waits for the process after the last. NULL is fine. */
void spawn_release(struct spawned *s);

#endif
