/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Inferior: how the process of a control begins and ends.
 */
#ifndef DEBUGGER_INFERIOR_H
#define DEBUGGER_INFERIOR_H

#include "debugger/control/control.h"

enum run_until { RUN_ON, RUN_TO_MAIN, RUN_TO_FIRST }; /* run, start, starti */

/* Starts the program, after the one that runs has been killed. */
MUST_CHECK struct error *inferior_run(struct control *c, enum run_until until,
				      struct stop_report *ret);

MUST_CHECK struct error *inferior_attach(struct control *c, pid_t pid, struct stop_report *ret);
MUST_CHECK struct error *inferior_core(struct control *c, const char *path,
				       struct stop_report *ret);

/* It goes on as if nothing had been; or ends; *ret_pid: whose number that was. */
MUST_CHECK struct error *inferior_detach(struct control *c, pid_t *ret_pid);
MUST_CHECK struct error *inferior_kill(struct control *c, pid_t *ret_pid);

#endif
