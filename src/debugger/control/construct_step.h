/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Construct_step: steps across the borders of OpenMP's regions and tasks.
 *
 * To the user a construct is a block in a function. To the machine it is a function of its own,
 * which the runtime calls: at once or later, in this thread or in others. A step goes by the
 * source, so there are borders where it is carried from one function, or thread, to another:
 *
 *   thread 0                             thread 1, 2, ...              whoever executes the task
 *   --------                             ----------------              -------------------------
 *   work()
 *     #pragma omp parallel
 *        |  GOMP_parallel(f, ...)
 *        |     team is begun ........... gomp_thread_start()
 *   =====|=== region =================== | =====
 *        +-> f()                         +-> f()
 *              #pragma omp task
 *                 GOMP_task(g, data)
 *                    copied, queued ......................................... barrier, taskwait
 *                 |                                                    =====|=== task ====
 *                 v                                                         +-> g(copy)
 *              ...                                                                 ...
 *            return                        return                              return
 *   =====|=== the barrier at its end ==== | =====                      =====|=============
 *        v                                v                                 v
 *     behind the region                 sleeps in the pool            goes on in its barrier
 *
 * Into the code (step):
 *
 *   region    the entry's argument names f: a point there, for this thread alone; where the entry
 *             returns, the thread has got no part
 *   task      a point at g for all threads, which only this task stops at (task_step.h); the plan
 *             goes on as the thread that has come there
 *   directly  compilers call f or g themselves for if(0), or inline them
 *
 * Then comes what the compiler has added: prologue, copies, bounds of loops, the function that only
 * leads on to the user's code (clang: .omp_outlined. to .omp_outlined._debug__, .omp_task_entry. to
 * what is inlined in it). The step ends at the first statement that is neither the directive nor a
 * brace nor a header of its loops (construct_lines.h); if the code returns before, it says so.
 *
 * Out of it (step, next, until at its end; finish at once): the function returns into the runtime,
 * which is run through. The stack tells where the program goes on:
 *
 *   thread 0 of the region, tasks in taskwait and barriers    the next frame of the program's
 *   other threads; tasks that they execute at the region's    none is left: the step goes on as
 *   end                                                       thread 0, behind the region, and says
 *                                                             so (region_end.h)
 *
 * There it is a step from the midst of the directive's line to the next one. Directives are lines
 * for compilers where they are none for the user: at the increment of a loop, at the barrier of
 * "single", at the end of a function. A step that has begun in the construct does not stop there.
 *
 * An untied task of LLVM's returns wherever it may be left, and has handed itself over to the
 * runtime before: its next part is followed as a task is, to any thread. "finish -creator" goes the
 * other way: to the thread of the task that has created this one, behind its wait (task_finish.h).
 *
 * Nothing is planted in code that the team's threads run through: a step over a region has a point
 * at the return from it, which thread 0 alone gets to.
 *
 * Never a runaway: while a task is waited for there is a point behind its region. Who gets there
 * has seen all tasks of it end, so that this one was cancelled.
 */
#ifndef DEBUGGER_CONSTRUCT_STEP_H
#define DEBUGGER_CONSTRUCT_STEP_H

#include "debugger/control/where.h"

/* A step begins at pc, in the plan's line. *ret_leaves: in a runtime, whose code is run through. */
MUST_CHECK struct error *construct_step_begin(struct plan *p, const struct plan_context *c,
					      taddr pc, bool *ret_leaves);

/*
 * The thread has stepped, and stands in a frame that the plan's frame has called ("caller": how far
 * out that is), or in none such (0). *ret_taken: it concerns a construct, and *ret is the answer.
 */
MUST_CHECK struct error *construct_step_answer(struct plan *p, const struct plan_context *c,
					       const struct where *w, size_t caller,
					       bool *ret_taken, enum plan_answer *ret);

/* It has come to a point with one of the roles of constructs. */
MUST_CHECK struct error *construct_step_point(struct plan *p, const struct plan_context *c,
					      enum point_role role, enum plan_answer *ret);

/* Runs on to where the program's code goes on around raw frame "from", which is a runtime's; that
 * has the role. NOT_FOUND: it goes on nowhere. */
MUST_CHECK struct error *construct_step_leave(struct plan *p, const struct plan_context *c,
					      size_t from, enum point_role role);

/* From a frame of a construct's code to the outermost one that is of the same. */
MUST_CHECK struct error *construct_step_outermost(const struct plan_context *c, size_t *frame);

/* Where raw frame "from" returns into a runtime: as above, and *ret; else nothing. */
MUST_CHECK struct error *construct_step_finish(struct plan *p, const struct plan_context *c,
					       size_t from, enum point_role role, bool *ret);

/* It has returned to a caller: from now on the line is that of the call. */
MUST_CHECK struct error *construct_step_return(struct plan *p, const struct plan_context *c,
					       const struct where *w);

/*
 * A statement begins there, by the line table, and it is none of the user's: the line is that of
 * the directive of a construct that the step began in, of whose loops or whose end compilers say
 * so. It is gone on through.
 */
bool construct_step_passes(struct plan *p, const struct plan_context *c, const struct where *w);

/* What stands there is of a directive, and no statement: an inlined call that begins there has none
 * of its own yet. */
bool construct_step_begins_before(const struct plan_context *c, const struct where *w);

/* It begins before so many inlined calls, of which the outermost is a construct's code: it enters
 * that, or is there. */
bool construct_step_begins_code(struct plan *p, const struct plan_context *c, const struct where *w,
				size_t hidden, enum plan_answer *ret);

/* The thread has come to the end of its step, with so many inlined calls hidden: what is to be told
 * of constructs. */
void construct_step_end(struct plan *p, const struct where *w, size_t hidden);

/* Behind a call: the code that it was in was a construct's, called by the program itself. */
bool construct_step_has_left(const struct plan *p, const struct plan_context *c,
			     const struct where *w);
/* The plan goes on from behind a call, as a part of its line. */
MUST_CHECK struct error *construct_step_behind(struct plan *p, const struct plan_context *c,
					       enum plan_answer *ret);
#endif
