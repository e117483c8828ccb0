/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Thread: a thread of the target and its gomp_thread, which is in its thread-local storage.
 *
 * Each thread of a process has a gomp_thread, also one that never came near OpenMP: that has
 * nothing but zeros there and is no OpenMP thread. A handle keeps what was read: it is meant for
 * one stop.
 *
 * On x86-64 the thread pointer is the pthread_t (glibc), and the word that it points to is itself
 * (the psABI's supplement on thread-local storage, 3.4.6): that is checked for each id a client
 * gives.
 */
#ifndef OMPD_GOMP_THREAD_H
#define OMPD_GOMP_THREAD_H

#include "ompd/gomp/space.h"

/* What is of interest in a gomp_thread. */
struct gomp_thread {
	uint64_t address;
	uint64_t fn, data;
	uint64_t team, work_share,
		last_work_share; /* as they stand there: those of an idle thread are stale */
	uint32_t team_id, level, active_level;
	uint64_t task, pool;
	uint64_t num_teams; /* 1, and team_num 0, where the layout has none */
	uint32_t team_num;
	uint64_t allocator;
};

/* A parallel region, see team.h. It stands here as a thread's handle keeps the one it is in. */
struct gomp_team {
	uint64_t address;
	uint32_t nthreads;
	uint32_t level, active_level; /* inside it */
	uint64_t prev_team;           /* 0: it is an outermost one */
	uint32_t prev_id, prev_level, prev_active_level;
	uint64_t ordered_release;
	uint32_t total, generation, awaited, awaited_final; /* its barrier */
	uint32_t task_lock, task_count, queued, running;
	bool cancelled;
	uint8_t queue[GOMP_QUEUE_SIZE]; /* its task_queue, see queue.h */
};

struct ompd_thread_handle {
	struct gomp_handle head;
	struct gomp_thread thread;
	uint64_t lwp;                /* 0: the client did not name it by that */
	bool has_looked, is_in_team; /* for its team, which then is: */
	struct gomp_team team;
};

ompd_rc_t gomp_thread_read(const ompd_address_space_handle_t *space, uint64_t address,
			   struct gomp_thread *ret);

/* Whether OpenMP has ever seen this thread. */
bool gomp_thread_is_used(const struct gomp_thread *t);

/*
 * By an id of the client's. UNAVAILABLE: it is no OpenMP thread. BAD_INPUT: it is no thread.
 * UNSUPPORTED: ids of that kind or size, or the client cannot say where a thread-local symbol is.
 */
ompd_rc_t gomp_thread_new(ompd_address_space_handle_t *space, ompd_thread_id_t kind,
			  uint64_t sizeof_id, const void *id, ompd_thread_handle_t **ret);
/* By the address of its gomp_thread. */
ompd_rc_t gomp_thread_new_at(ompd_address_space_handle_t *space, uint64_t address,
			     ompd_thread_handle_t **ret);
ompd_rc_t gomp_thread_id(const ompd_thread_handle_t *thread, ompd_thread_id_t kind,
			 uint64_t sizeof_id, void *ret);

#endif
