/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Members: the threads of the selected thread's team, or all threads, each with the frame in which
 * an expression means what it means in the selected one: the innermost of the same function.
 */
#ifndef DEBUGGER_MEMBERS_H
#define DEBUGGER_MEMBERS_H

#include "debugger/control/control.h"
#include "debugger/look.h"

struct member {
	int thread;           /* its index in the picture        */
	struct frames frames; /* owned                           */
	size_t level;         /* the frame, if there is one      */
	bool stands_there;    /* there is one                    */
	bool begins;          /* in the first instructions of the function: its variables have
				 no values yet, and it stands there only if it is selected */
	bool in_task;         /* an explicit one                 */
};

struct members {
	struct look look;  /* owned: its picture has names and numbers of threads */
	char *function;    /* owned; the selected frame's; NULL: unknown          */
	taddr entry, body; /* private: of the last function looked at: where its frame is made */
	VEC(struct member) items; /* by number in the team; or by LWP                   */
};

/*
 * ret: to be given to members_fini() in any case. everyone: all threads; else those of the team of
 * the innermost region that the selected thread is in. USAGE: it is in none, or there is no thread.
 */
MUST_CHECK struct error *members_find(struct control *c, bool everyone, struct members *ret);
void members_fini(struct members *m);
#define AUTO_MEMBERS AUTO(members_fini) struct members

/* Why a member does not stand there: "not in work". */
void members_add_absence(const struct members *m, struct buf *out);

/* The scope of a member that stands there; as frames_scope(). */
MUST_CHECK struct error *member_scope(struct member *m, struct scope *ret);

#endif
