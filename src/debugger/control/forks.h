/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Forks: which of two processes is followed, and what becomes of the other. The control works on
 * one process (its "live" session); others that ompdb keeps (detach-on-fork off) stand, without
 * any trap in them, until they are selected.
 */
#ifndef DEBUGGER_FORKS_H
#define DEBUGGER_FORKS_H

#include "debugger/control/control.h"

/* An event has told of a child, which stands until its parent goes on. */
void forks_note(struct control *c, pid_t child, pid_t maker, bool vfork);

/*
 * Before anything goes on: of the fork that was told last, one is followed, and the other let go or
 * kept, as the settings want it. The maker of a vfork that is let go stays attached until its child
 * has another memory (forks_release()).
 */
MUST_CHECK struct error *forks_settle(struct control *c);

/*
 * Of the processes that run beside it (candidates.h) one has become the one to be debugged: it is
 * that now, and stands, and all others are let go. *ret_other: so.
 */
MUST_CHECK struct error *forks_look(struct control *c, bool *ret_other);

/* The process has ended: one that it has started is debugged on. *ret_other: there is one. */
MUST_CHECK struct error *forks_inherit(struct control *c, bool *ret_other);

/* The process has ended, or executes another program: who waited for that is let go. */
MUST_CHECK struct error *forks_release(struct control *c, const char *after);

/*
 * One of the processes that are debugged: the selected one, or one that is kept. All of it is
 * borrowed, until a process is selected, begins or ends.
 */
struct debuggee {
	int number;
	pid_t pid;               /* 0: none runs                                        */
	struct session *session; /* NULL: the same                                      */
	struct threads *threads;
	pid_t selected; /* LWP of the selected thread; 0: it belongs to another process */
};
/* false: there is none with that number. The last one is control->last_inferior. */
bool forks_debuggee(struct control *c, int number, struct debuggee *ret);
/* Others are kept beside the selected one. */
bool forks_are_kept(const struct control *c);
/* There are, or have been, others: numbers of threads need those of their processes, as in gdb. */
bool forks_are_many(const struct control *c);

/* Makes the process with that number the one that the control works on. NOT_FOUND: none has it. */
MUST_CHECK struct error *forks_select(struct control *c, int number);
/* Kills, or lets go of, one that is kept and not selected; NOT_FOUND: there is none. */
MUST_CHECK struct error *forks_end(struct control *c, int number, bool kills, pid_t *ret_pid);

#endif
