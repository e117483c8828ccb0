/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Task_values: the variables that an explicit task has been given, out of the memory in which the
 * runtime keeps them, whether it has begun or not.
 *
 * gcc: the structure that the task's code is passed has a member for each of them, which is its
 * copy, or the address of what it shares.
 *
 * clang: DWARF names the copies, in the order in which clang makes them, and in C tells how large
 * the structure is that they lie in, but not where each lies. clang sorts them by alignment: where
 * a structure that is made so has just that size (in C++, the size that the runtime was asked for),
 * and the members of it that DWARF tells of are where they should be, that is where they lie. What
 * a task shares it finds by addresses that nothing names: a variable of the function that the task
 * was written in, in a frame of the thread that has made it, is what it shares if its address is
 * one of those.
 */
#ifndef DEBUGGER_TASK_VALUES_H
#define DEBUGGER_TASK_VALUES_H

#include "debugger/control/creators.h"
#include "debugger/values/value.h"

struct task_variable {
	const char *name;        /* borrowed from the program's files                       */
	const struct type *type; /* borrowed from the store                                 */
	int line; /* of its declaration, where that is known; else 0                        */
	taddr addr;
	const char *missing; /* a constant: why it has no address; NULL: it has             */
	bool shared;         /* else it is the task's own copy                             */
};

struct task_values {
	VEC(struct task_variable) items; /* by name once each                            */
};

/* Errors only for lack of memory. */
MUST_CHECK struct error *task_values_find(struct session *s, const struct task_data *task,
					  struct task_values *ret);
void task_values_fini(struct task_values *v);
#define AUTO_TASK_VALUES AUTO(task_values_fini) struct task_values

/* A scope whose names are those of the task, and then what its code sees without any frame. */
struct scope task_values_scope(struct session *s, const struct task_data *task,
			       const struct task_values *values);

/* A scope of frames learns what the task shares whose code it is; each, where it is clang's. */
void task_values_know(struct scope *ret);

/* Of the task that stacks of a snapshot have come to: it lasts over many of its frames. */
struct task_values_last {
	struct session *session; /* borrowed */
	bool known;
	int task;
	struct task_values values; /* owned */
};

/*
 * A scope of a raw stack (frame_values.h) learns what the task was given whose code it may be;
 * "last" keeps that, until it is asked for another one.
 */
MUST_CHECK struct error *task_values_know_raw(void *last, const struct snapshot *from, int thread,
					      struct scope *ret);

MUST_CHECK struct error *task_values_get(const struct scope *s, const struct task_variable *v,
					 struct value *ret);

#endif
