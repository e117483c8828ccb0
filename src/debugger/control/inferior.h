/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Inferior: how the process of a control begins and ends.
 */
#ifndef DEBUGGER_INFERIOR_H
#define DEBUGGER_INFERIOR_H

#include "debugger/control/control.h"

/* control_set_program(); breakpoints that wait for its code get their places. */
MUST_CHECK struct error *inferior_set_program(struct control *c, const char *path);
/* The same program once more: it, or its debug files, may be others by now. A process or a core
 * file that is looked at stays as it is. */
MUST_CHECK struct error *inferior_renew_program(struct control *c);

/*
 * Starts the program, after the one that runs has been killed; all hits are counted anew. stands:
 * it stays before its first instruction (starti). USAGE: no program is known.
 */
MUST_CHECK struct error *inferior_run(struct control *c, bool stands, struct stop_report *ret);

/* A process that waits to become a program (held.h) stands before its first instruction then. */
MUST_CHECK struct error *inferior_attach(struct control *c, pid_t pid, struct stop_report *ret);
MUST_CHECK struct error *inferior_core(struct control *c, const char *path,
				       struct stop_report *ret);

/* It goes on as if nothing had been; or ends; *ret_pid: whose number that was. */
MUST_CHECK struct error *inferior_detach(struct control *c, pid_t *ret_pid);
MUST_CHECK struct error *inferior_kill(struct control *c, pid_t *ret_pid);

/*
 * true: the tracer has ended (it was killed), so there is no process any longer that could be asked
 * for anything. What became of the program was told by whoever found that out.
 */
bool inferior_forget_lost(struct control *c);

/* Borrowed; hangs up (poll(2)) when the tracer ends; -1: nobody traces. */
int inferior_tracer_fd(const struct control *c);
/* When that has hung up: there is no process any longer. Always an error (GONE), which says what
 * became of the program. */
MUST_CHECK struct error *inferior_lose(struct control *c);

#endif
