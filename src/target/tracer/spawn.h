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

/* The caller owns the socket, and waits for the process when that has ended. */
MUST_CHECK struct error *spawn_tracer(pid_t *ret_pid, int *ret_socket);

#endif
