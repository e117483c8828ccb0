/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Types: what the provider itself and gomp_extra.h have in common.
 */
#ifndef OMPD_GOMP_TYPES_H
#define OMPD_GOMP_TYPES_H

#include <stdbool.h>

/* Which libgomp it is. */
struct gomp_release {
	int least, most; /* GCC's major version is one of these: 9 and 10 cannot be told apart; 0:
			    unknown */
	bool exact;      /* version nodes and decoded constants agree: everything may be read   */
	char note[128];  /* a clause for people: "layout of GCC 12", "unknown libgomp: ..."     */
};

enum gomp_task_kind {
	GOMP_TASK_IMPLICIT,
	GOMP_TASK_UNDEFERRED, /* runs within its creator: if(0), final, serial                   */
	GOMP_TASK_WAITING,    /* queued, or blocked by dependences when unmet > 0                */
	GOMP_TASK_RUNNING,    /* begun: running, or suspended in favour of another               */
	GOMP_TASK_ASYNC,      /* on a device                                                     */
	GOMP_TASK_DETACHED,   /* its code has ended, its event is not fulfilled yet              */
	GOMP_TASK_UNKNOWN,
};

#endif
