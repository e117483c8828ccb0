/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Candidates: processes that run beside the one that is debugged, until it is known which of them
 * is the OpenMP program that a wrapper starts (follow-fork-mode auto): the one that maps a runtime.
 *
 *   mpirun -+- proxy --- app: libgomp is mapped: it is debugged from here on, before its main()
 *           '- proxy --- ...: let go
 *
 * They are traced for forks, exec and what the dynamic linker loads, and have no other points. What
 * they do is only heard of while the program runs: one that wants to be told something at another
 * time waits for that.
 */
#ifndef DEBUGGER_CANDIDATES_H
#define DEBUGGER_CANDIDATES_H

#include <poll.h>

#include "debugger/control/control.h"

/* One can be added. Further processes are let go. */
bool candidates_have_room(const struct control *c);

/*
 * Takes t, which stands and has none of our points: it runs from now on. vfork: it has its maker's
 * memory, with all points, until it executes another program.
 */
MUST_CHECK struct error *candidates_add(struct control *c, struct target *t, bool vfork);

/* Fills one entry for each. Returns how many. */
enum { CANDIDATES_MAX = 64 };
size_t candidates_poll(const struct control *c, struct pollfd fds[CANDIDATES_MAX]);

/*
 * What has happened to them meanwhile. *ret_session: of one that has just mapped a runtime, which
 * stands, without points, and is the caller's; NULL: none has.
 */
MUST_CHECK struct error *candidates_look(struct control *c, struct session **ret_session);

/* The same, of one that lives, whatever it is. NULL: there is none. */
MUST_CHECK struct error *candidates_take(struct control *c, struct session **ret_session);

/* Lets all of them go, or kills them. */
void candidates_end(struct control *c, bool kills);

/* An OpenMP runtime is mapped, or part of the program. */
bool candidates_is_openmp(struct session *s);

#endif
