/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/gomp/state.h"

struct state {
	ompt_state_t state;
	const char *name;
};

#define STATE(name)                                                                                \
	{                                                                                          \
		name, #name                                                                        \
	}
static const struct state states[] = {
	STATE(ompt_state_work_serial),
	STATE(ompt_state_work_parallel),
	STATE(ompt_state_work_reduction),
	STATE(ompt_state_wait_barrier),
	STATE(ompt_state_wait_barrier_implicit_parallel),
	STATE(ompt_state_wait_barrier_implicit_workshare),
	STATE(ompt_state_wait_barrier_implicit),
	STATE(ompt_state_wait_barrier_explicit),
	STATE(ompt_state_wait_barrier_implementation),
	STATE(ompt_state_wait_barrier_teams),
	STATE(ompt_state_wait_taskwait),
	STATE(ompt_state_wait_taskgroup),
	STATE(ompt_state_wait_mutex),
	STATE(ompt_state_wait_lock),
	STATE(ompt_state_wait_critical),
	STATE(ompt_state_wait_atomic),
	STATE(ompt_state_wait_ordered),
	STATE(ompt_state_wait_target),
	STATE(ompt_state_wait_target_map),
	STATE(ompt_state_wait_target_update),
	STATE(ompt_state_idle),
	STATE(ompt_state_overhead),
};
#undef STATE

enum { NUM_STATES = sizeof(states) / sizeof(states[0]) };

const char *gomp_state_next(ompd_word_t current, ompd_word_t *ret_next, bool *ret_more)
{
	int next = 0;

	if (current != ompt_state_undefined) {
		while (next < NUM_STATES && (ompd_word_t)states[next].state != current)
			next++;
		next++;
	}
	if (next >= NUM_STATES)
		return NULL;
	*ret_next = states[next].state;
	*ret_more = next + 1 < NUM_STATES;
	return states[next].name;
}

void gomp_state_get(ompd_thread_handle_t *thread, ompd_word_t *ret_state,
		    ompd_wait_id_t *ret_wait_id)
{
	struct gomp_task_waits waits;
	struct gomp_task task;

	*ret_wait_id = 0;
	if (gomp_task_of_handle(thread, &task) != ompd_rc_ok) {
		*ret_state = gomp_team_is_idle(thread) ? ompt_state_idle : ompt_state_undefined;
		return;
	}
	waits = gomp_task_read_waits(thread->head.space, &task);
	if (waits.in_taskwait || waits.in_depend_wait) {
		*ret_state = ompt_state_wait_taskwait;
		*ret_wait_id = task.taskwait;
	} else if (waits.in_taskgroup) {
		*ret_state = ompt_state_wait_taskgroup;
		*ret_wait_id = task.taskgroup;
	} else {
		*ret_state = task.team ? ompt_state_work_parallel : ompt_state_work_serial;
	}
}
