/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Omp_ids: what regions and tasks are called from stop to stop: "region 12", "task 40", thread
 * "12.3".
 *
 * An id is given when a look first finds a region or task, stays the same as long as that lives,
 * and is never given to another one of the process. Runtimes use their structures again, so that
 * an address alone says nothing:
 *
 * - Of a region it is known where it returns to: whom it was begun by goes on there, with that
 * stack pointer, when it is over and not before. As long as a process runs on, a point that stops
 *   nobody counts who comes by there (omp_ids_arm()).
 * - Where that is not known (it was seen by a look at one thread alone, or the compiler calls its
 *   function directly), its address, function, level, primary thread and frame have to be the same,
 *   and its count of barriers, too; else it is another one. Whether it is may be doubtful.
 * - An implicit task is the same if its address and region are.
 * - An explicit one is, if its address, function, arguments, region and creator are, the frame of
 *   its creator, its own, if it has begun, and the values that it was given; its team has passed no
 *   barrier since, and it has not gone back to where it was before it began. If those values alone
 *   differ of one that has begun, or who executes it, it may have changed them, or be untied: it is
 *   another one, and that is marked as doubtful. What the user has written there is no difference.
 *   What cannot be told: a task that the same creator has made between two looks with the same
 *   values in the same memory. Its end would have to be seen, and what executes it is code that all
 *   tasks run through.
 */
#ifndef DEBUGGER_OMP_IDS_H
#define DEBUGGER_OMP_IDS_H

#include "ompd/picture/picture.h"
#include "target/code/unwind.h"

struct omp_ids;

/* NULL: out of memory. */
struct omp_ids *omp_ids_new(void);
void omp_ids_free(struct omp_ids *ids);

/*
 * Fills in the ids of a picture of the target, which stands still. raw: the stacks of its threads;
 * NULL: it is a picture of one thread alone. Errors only for lack of memory.
 */
MUST_CHECK struct error *omp_ids_assign(struct omp_ids *ids, struct target *t, struct picture *p,
					const struct unwind_stack *raw);

/* It is known where the region of that id returns to, or that it cannot be. */
bool omp_ids_lasts(const struct omp_ids *ids, long region);
/* Before a live target goes on. next_point counts: numbers of points. */
void omp_ids_arm(struct omp_ids *ids, struct target *t, unsigned int *next_point);
/* Its code is gone, and all that ran in it. */
void omp_ids_forget(struct omp_ids *ids);

#endif
