/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Team: parallel regions. Each one has a gomp_team, also one of a single thread.
 *
 * A team remembers in prev_ts what its thread 0 was before: the team, number and level of the
 * thread that met the construct. So regions form a chain outwards, and only thread 0 of a team is
 * also a member of the team outside it. A gomp_team says itself whether it is one: ordered_release
 * points to just behind its implicit tasks.
 *
 * An idle worker keeps the pointer to its last team, which may be dead or in use again.
 */
#ifndef OMPD_GOMP_TEAM_H
#define OMPD_GOMP_TEAM_H

#include "ompd/gomp/thread.h"

struct ompd_parallel_handle {
	struct gomp_handle head;
	struct gomp_team team;
	uint64_t via; /* gomp_thread from which it was reached: in it, or in a region within it */
};

enum { GOMP_MAX_LEVELS = 1 << 16 };

/* UNAVAILABLE: there is no gomp_team at that address. */
ompd_rc_t gomp_team_read(const ompd_address_space_handle_t *space, uint64_t address,
			 struct gomp_team *ret);
/* The team around it. UNAVAILABLE: it is an outermost one. */
ompd_rc_t gomp_team_read_outer(const ompd_address_space_handle_t *space,
			       const struct gomp_team *team, struct gomp_team *ret);

/* The address of the implicit task of thread "num" of a team. */
uint64_t gomp_team_implicit_task(const ompd_address_space_handle_t *space, uint64_t team,
				 uint32_t num);

/*
 * The team that a thread works in, looked for once for each handle, which owns it. NULL: it is in
 * none, or idle in the pool.
 */
const struct gomp_team *gomp_team_of_handle(ompd_thread_handle_t *thread);
/* Whether it was in a team and waits in the pool for the next one. */
bool gomp_team_is_idle(ompd_thread_handle_t *thread);

ompd_rc_t gomp_team_new_handle(ompd_address_space_handle_t *space, const struct gomp_team *team,
			       uint64_t via, ompd_parallel_handle_t **ret);

/* The address of the gomp_thread that is number "num" of a team. UNAVAILABLE: it is not known. */
ompd_rc_t gomp_team_member(const ompd_parallel_handle_t *parallel, uint32_t num, uint64_t *ret);

#endif
