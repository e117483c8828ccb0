/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Region_end: where the program goes on behind the parallel region that a thread is in: on the
 * stack of the region's primary thread, in the code that has met the construct.
 */
#ifndef DEBUGGER_REGION_END_H
#define DEBUGGER_REGION_END_H

#include "debugger/control/plan.h"
#include "ompd/picture/picture.h"

struct region_end {
	pid_t lwp; /* of the primary thread; 0: the thread is in no region, or it was not found */
	taddr pc, sp_above;
	char own[THREAD_NAME_MAX], primary[THREAD_NAME_MAX]; /* "0.3"; "": no name is known */
};

/* The index of a thread; -1: it is not in the picture. */
int region_end_thread(const struct picture *p, pid_t lwp);
/* Its name: "0.3". */
void region_end_name(const struct picture *p, int thread, char ret[THREAD_NAME_MAX]);

/* All threads must stand; looks at all of them. Errors as of look_once(). */
MUST_CHECK struct error *region_end_find(struct session *s, pid_t lwp, struct region_end *ret);

/* A point of the plan's where the primary thread goes on behind it; nothing, if that is not known.
 */
MUST_CHECK struct error *region_end_watch(struct plan *p, const struct plan_context *c,
					  const struct region_end *end, enum point_role role);

#endif
