/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Task_block: the memory in which a runtime keeps what a task has been given, and the frames whose
 * variables it refers to.
 */
#ifndef DEBUGGER_TASK_BLOCK_H
#define DEBUGGER_TASK_BLOCK_H

#include "debugger/control/task_layout.h"
#include "debugger/values/scope.h"

enum { TASK_SLOTS_MAX = 256 };

/* Of clang's: the addresses of what a task shares, which have no names. */
struct task_slots {
	taddr items[TASK_SLOTS_MAX];
	size_t len;
};

void task_slots_read(struct session *s, const struct task_data *task, const struct task_layout *l,
		     struct task_slots *ret);
bool task_slots_have(const struct task_slots *slots, taddr addr);

/* The structure that gcc passes to a construct's function. NULL: it is no such function. */
const struct type *task_block_type(struct session *s, taddr function);

/*
 * Whether the task shares a variable of that very frame, which is one of the function that the
 * task was written in: shared variables last as long as the task does.
 */
bool task_block_is_of(const struct scope *frame, const struct task_data *task);

#endif
