/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Running: what the command line does around a program that goes on: who has the terminal, what is
 * told meanwhile, and what is said when it stands.
 */
#ifndef DEBUGGER_CLI_RUNNING_H
#define DEBUGGER_CLI_RUNNING_H

#include "debugger/cli/cli.h"
#include "debugger/control/control.h"
#include "debugger/stitched.h"

/* Makes the control of a command line, which listens to it. options: what it points to is borrowed.
 */
MUST_CHECK struct error *running_init(struct cli *c, const struct session_options *options);

/* The terminal is ompdb's again, unless ompdb is in the background. */
void running_take_terminal(struct cli *c);

/* After each command, as the program may be another one by then. */
void running_watch_long_work(struct cli *c);

/* For who waits for the next command: hangs up (poll(2)) when the tracer ends (it is killed), or is
 * readable when ranks of a job have something to tell; it is to be told then. -1: nobody traces. */
int running_tracer_fd(const struct cli *c);
void running_tell_lost(struct cli *c);

/* Says why the program has stopped, and takes over the lines of breakpoints that were hit. */
void running_tell(struct cli *c, const struct stop_report *r);

/* "Breakpoint 1 at 0x1139: file a.c, line 31.": what was made. */
void running_tell_breakpoint(struct cli *c, const struct breakpoint *b);

/* Takes err: there is no such place. NULL: the user, or a setting, wants one that waits for it.
 * Where nobody can be asked, "auto" makes none. */
MUST_CHECK struct error *running_let_pend(struct cli *c, struct error *err);

/* "[Inferior 1 (process 4711) killed]", or detached. */
void running_tell_end(struct cli *c, int inferior, pid_t pid, bool killed);

/* "#0  f (i=8) at a.c:31": the selected frame. source: and its source line. */
MUST_CHECK struct error *running_tell_frame(struct cli *c, size_t level, bool source);
/* The selected one, with the number that it has on the stitched stack. */
MUST_CHECK struct error *running_tell_numbered(struct cli *c, size_t number, bool source);
/* Takes err; tells what has happened. */
MUST_CHECK struct error *running_told(struct cli *c, struct stop_report *r, struct error *err);
/* The variables in scope there, a line each; or as the member "locals". */
MUST_CHECK struct error *running_add_locals(struct cli *c, struct frames *frames, size_t level);
MUST_CHECK struct error *running_add_locals_array(struct cli *c, struct json *j,
						  struct frames *frames, size_t level);
/* A frame as an object in another one, or in an array; or its members alone. */
MUST_CHECK struct error *running_add_frame_object(struct cli *c, struct json *j, const char *key,
						  struct frames *frames, size_t level);
MUST_CHECK struct error *running_add_frame_members(struct cli *c, struct json *j,
						   struct frames *frames, size_t level);
/* "f (i=8) at a.c:31" of any thread's frames, and the place itself, which is the caller's. */
MUST_CHECK struct error *running_add_frame(struct cli *c, struct frames *frames, size_t level,
					   struct report_place *ret);
/* The same of a frame of a stitched stack, as far as it is known there: "f () at a.c:31". */
void running_add_function(const struct cli *c, struct buf *out, const struct stitched_frame *f);

#endif
