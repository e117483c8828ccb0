/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Libgomp_facts: what the built-in provider for libgomp knows beyond OMPD, brought into a picture.
 *
 * The handles are those of a session whose runtime is libgomp.
 */
#ifndef OMPD_LIBGOMP_FACTS_H
#define OMPD_LIBGOMP_FACTS_H

#include "ompd/gomp/gomp_extra.h"
#include "ompd/walk_state.h"

/* The thread has a team, a task or a pool. */
bool libgomp_facts_is_known(ompd_thread_handle_t *thread);

/* It waits in its pool for the next region. */
bool libgomp_facts_is_idle(ompd_thread_handle_t *thread, const struct parked *parked);

/* Addresses in the target; 0: not known. */
taddr libgomp_facts_region_address(ompd_parallel_handle_t *region);

/* Sets kind, state, function, handle and waits. */
void libgomp_facts_read_task(ompd_task_handle_t *task, struct picture_task *ret);

/* Adds the tasks that no thread executes: queued, suspended, blocked, detached. */
MUST_CHECK struct error *libgomp_facts_add_tasks(struct walk *w);

/*
 * The task that a thread left to execute the given one, at a scheduling point that is known by the
 * entry it was in ("GOMP_taskwait", NULL: a barrier). Index; -1: not known.
 */
int libgomp_facts_suspended(struct walk *w, int thread, int task, const char *api);

/* What the thread waits at, and the barrier of its region. false: not known. */
bool libgomp_facts_locate(struct walk *w, int thread, struct gomp_location *ret);
bool libgomp_facts_barrier(struct walk *w, int region, struct gomp_barrier *ret);

/* The thread that holds a nest lock, or whose turn it is; -1: not known. */
int libgomp_facts_nest_lock_holder(struct walk *w, int thread, taddr lock);
int libgomp_facts_ordered_turn(struct walk *w, int thread);

#endif
