/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Task_layout: where clang puts the copies that a task has of variables: task_values.h says how
 * that is found out. Seen in clang 14, 15, 16 and 19 (CGOpenMPRuntime.cpp: emitTaskInit()). From 17
 * on optimised code has no order of variables from which it could be told in all cases.
 */
#ifndef DEBUGGER_TASK_LAYOUT_H
#define DEBUGGER_TASK_LAYOUT_H

#include "debugger/control/creators.h"

struct task_layout_item {
	const char *name;        /* borrowed from the program's files */
	const struct type *type; /* without references                */
	uint64_t offset;         /* in kmp_task_t                     */
	uint64_t align, key;     /* of it, and of the variable, by which clang sorts        */
	bool shared;             /* it is no copy                     */
	bool known;              /* offset is                         */
};

struct task_layout {
	struct task_layout_item *items; /* owned */
	size_t len;
	size_t counters;      /* behind those: of its loops, of which it has no copies        */
	uint64_t shared_size; /* of all addresses of what it shares, in bytes */
	uint64_t own_size;    /* of kmp_task_t with the copies, rounded up to 8 bytes */
};

/* Of code that is no task of clang's it is empty. Errors only for lack of memory. */
MUST_CHECK struct error *task_layout_read(struct session *s, const struct task_data *task,
					  struct task_layout *ret);
void task_layout_fini(struct task_layout *l);

#endif
