/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Spans: the runs of frames on a raw stack that belong to an OpenMP runtime. The frames between
 * them are the user's.
 *
 *     hang()                     user's: index 0 up to the first span
 *     work._omp_fn.0()
 *   --GOMP_parallel()            span 0: calls user code, entered through GOMP_parallel
 *     main()                     user's
 *
 *   --futex wait, barrier code   span 0: begins at index 0, calls nobody: the thread waits in it
 *     (work._omp_fn.0)           gone by a tail call: span 1 is "elided"
 *   --thread start               span 1: calls user code, nobody called it: root
 *
 * Everything comes from unwinding, from what the runtime exports and from the code at
 * return addresses; nothing depends on structures of the runtime.
 */
#ifndef OMPD_SPANS_H
#define OMPD_SPANS_H

#include "ompd/picture/runtime.h"
#include "target/code/call_site.h"

struct span {
	size_t inner, outer; /* its frames: [inner, outer)                                   */
	const struct runtime *runtime; /* borrowed                                            */
	enum span_call call;
	const char *api; /* exported function that the user called, "GOMP_parallel"; borrowed;
			    NULL: unknown, or a root                                      */
	const struct runtime_entry *entry; /* what that does; NULL: api is unknown         */
	taddr callee; /* first instruction of the user function that it calls, as far as
			 unwind tables or the call's arguments tell; 0: unknown       */
	taddr code;   /* that of the construct, by the call's arguments: where it has jumped on,
			 the callee is another one; 0: unknown                         */
	bool elided;  /* the user function it called has gone by a tail call            */
	bool root;    /* no user frame further out: the thread began in the runtime    */
	/*
	 * User functions that have no frame, as jumps have left them, from the outside in: those
	 * behind the next frame out that led into the span, and those between it and the next frame
	 * in (elided: they led into the next span, and are told there; see left.h).
	 */
	struct call_left left[CALL_LEFT_MAX], passed[CALL_LEFT_MAX];
	size_t nleft, npassed;
};

struct spans {
	VEC(struct span) list; /* innermost first                                         */
	enum code_kind *kinds; /* owned; one for each raw frame                            */
	bool *hidden;          /* owned; runtime's inside, or start-up of thread or process */
	size_t len;            /* of kinds and hidden                                      */
};

/* unwinder: the one that made the stack, of that thread. */
MUST_CHECK struct error *spans_find(const struct runtime_list *runtimes, struct unwinder *unwinder,
				    struct call_sites *calls, struct thread *th,
				    const struct unwind_stack *raw, struct spans *ret);
void spans_fini(struct spans *s);

/* The first frame from "i" on that is not the C library's: who called its functions; len: none. */
size_t spans_behind_system(const struct spans *s, size_t i);

/* The span in which the thread is now; NULL: it is in user code. */
static inline const struct span *spans_innermost(const struct spans *s)
{
	return s->list.len && !s->list.items[0].inner ? s->list.items : NULL;
}

/* An address inside the instruction that a frame executes. */
static inline taddr spans_pc(const struct unwind_frame *f)
{
	return f->exact ? f->pc : f->pc - 1;
}

#endif
