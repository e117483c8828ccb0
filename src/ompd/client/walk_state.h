/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Walk_state: what all parts of a walk share while they fill a picture.
 */
#ifndef OMPD_WALK_STATE_H
#define OMPD_WALK_STATE_H

#include "ompd/client/known.h"
#include "ompd/picture/parked.h"
#include "ompd/picture/picture.h"

/* The queue of a lock in which threads wait. Read by the runtime to which it belongs. */
struct lock_queue {
	taddr lock;
	uint8_t *numbers; /* owned; what is known of each of the runtime's; NULL: nothing */
};

struct walk {
	struct picture *picture;        /* borrowed                                             */
	struct target *target;          /* borrowed                                             */
	struct unwinder *unwinder;      /* borrowed                                             */
	const struct unwind_stack *raw; /* borrowed; one for each thread                        */
	const struct thread *only;      /* borrowed; NULL: all threads are looked at            */
	bool judged;              /* looks are: what spins, and whether it can go on              */
	struct call_sites *calls; /* owned                                                */
	struct runtime_list runtimes;
	struct pthreads pthreads;
	struct known *known; /* owned; sessions and what they know; one for each runtime */
	size_t nknown;
	ompd_thread_handle_t *
		*handles;      /* owned array; one for each thread, of its runtime; or NULL */
	int *innermost;        /* owned; see walk_innermost()                                  */
	struct parked *parked; /* owned; one for each thread                           */
	VEC(struct lock_queue) queues; /* owned; of those that were asked for            */
	VEC(ompd_parallel_handle_t *)
	region_handles; /* of the session; one for each region; NULL: inferred */
	bool holds;     /* are asked for, be it that nobody waits                          */
	bool failed;    /* memory is out: the picture will not be used                       */
};

/* The innermost region of a runtime that a thread is in; -1: none. */
static inline int *walk_innermost(const struct walk *w, int runtime, int thread)
{
	return &w->innermost[(size_t)runtime * w->target->threads.len + (size_t)thread];
}

/*
 * Adds a region. members: how many it has, as far as is known; each is "member". handle: the
 * session's; NULL: inferred. Returns its index; -1: memory is out.
 */
int walk_add_region(struct walk *w, const struct picture_region *region,
		    ompd_parallel_handle_t *handle, long members, int member);

/* One task of those that a new one will wait for; each is added once. */
void walk_add_predecessor(struct walk *w, int task);

/* Of the runtime of a span of a thread's stack; NULL: it is another one that knows the thread. */
static inline struct openmp *walk_session(const struct walk *w, int thread, const struct span *span)
{
	int runtime = picture_thread(w->picture, thread)->runtime;
	struct openmp *o = runtime >= 0 ? w->known[runtime].openmp : NULL;

	return o && o->runtime == span->runtime ? o : NULL;
}

#endif
