/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Flow: what a function has done on its way to where it stands: which of certain calls it has
 * made and not undone.
 *
 *     f:  ...                    at pc, f holds L: every way to it leads through the first
 *         omp_set_lock(&L)       call, and none from there through the second
 *         work()      <- pc
 *         omp_unset_lock(&L)
 *
 * The function's instructions are decoded into a control flow graph, and what it holds and what
 * is in its registers is carried along all its edges until nothing changes any more. What its
 * stack slots hold is read from the target: a frame that still exists. What is not understood
 * makes values unknown, never wrong; jumps that cannot be followed make the answer incomplete.
 *
 * Which calls take and which give back is the caller's business.
 */
#ifndef TARGET_FLOW_H
#define TARGET_FLOW_H

#include "target/code/unwind.h"
#include "target/flow/flow_call.h"

/* Taken and not given back. */
struct flow_hold {
	taddr call; /* return address of the call that took it, in this function or one that it
		       called: the outermost one, in this function                             */
	int kind;
	taddr object; /* 0: not known                                                     */
	bool always;  /* on every way to pc; false: on some                               */
	taddr taken;  /* return address of the innermost call that may have left it behind; what
			 always does so is made to take it, as a function around omp_set_lock() is */
};

enum { FLOW_HOLDS_MAX = 16 };
struct flow_state {
	struct flow_hold holds[FLOW_HOLDS_MAX]; /* in the order of "call"                 */
	size_t nholds;
	struct flow_hold gives[FLOW_HOLDS_MAX]; /* given back, without having been taken here:
						   that callers hold no more                */
	size_t ngives;
	bool never;    /* no frame at this pc holds anything, or has given it back     */
	bool complete; /* all code on the way to pc was understood: what is not here is not held */
};

struct flow;

/*
 * NULL: out of memory. Borrows all. classify: NULL: no call matters. Remembers the functions that
 * it has decoded; valid for one stop of the target.
 */
struct flow *flow_new(struct target *t, struct unwinder *u, flow_classify *classify, void *context);
void flow_free(struct flow *f);

/* What a frame of a thread's stack holds: frame "index" of what unwind_thread() has made. */
void flow_at(struct flow *f, struct thread *th, const struct unwind_stack *stack, size_t index,
	     struct flow_state *ret);

/* The arguments of a call that are passed in registers: 0, where they are not known. */
struct flow_arguments {
	uint64_t items[ARCH_ARGUMENTS];
	uint32_t known;  /* those whose bits are set                                      */
	uint32_t halves; /* those of which the lower 32 bits are known, at least          */
};

/* Of the call that a frame is in. */
void flow_arguments(struct flow *f, struct thread *th, const struct unwind_stack *stack,
		    size_t index, struct flow_arguments *ret);

/* Of the jump at pc by which a function has left; its frame is gone, so constants alone. */
void flow_jump_arguments(struct flow *f, taddr pc, struct flow_arguments *ret);

/*
 * What the register of argument n, from 0 on, held when the function of a frame was entered. false:
 * it is in no register any longer, nor on the stack, or not all ways to pc are understood.
 */
bool flow_entered_with(struct flow *f, struct thread *th, const struct unwind_stack *stack,
		       size_t index, unsigned int n, uint64_t *ret);

/*
 * The calls after which the function around pc can return without having given back what they
 * took. Objects only where they are constants.
 */
void flow_leaks(struct flow *f, taddr pc, struct flow_state *ret);

/*
 * The same for the case that an exception leaves it: what is held at calls that may throw one.
 */
void flow_thrown(struct flow *f, taddr pc, struct flow_state *ret);

/*
 * The calls that matter in the function of a frame, and which of them come next: "the next such
 * call is the one that asks for another chunk", so the frame stands in that loop. What functions
 * of the program call does not count.
 */
void flow_sites(struct flow *f, const struct unwind_stack *stack, size_t index,
		struct flow_sites *ret);

#endif
