/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Why_tasks: the part of the graph that tasks are.
 */
#ifndef DEBUGGER_WHY_TASKS_H
#define DEBUGGER_WHY_TASKS_H

#include "debugger/why/why_nodes.h"

/* Prepares g->tasks and g->first_task. */
void why_tasks_prepare(struct why_graph *g);

/* From a thread to the children that it waits for. */
void why_tasks_add_children(struct why_graph *g, int thread);

/* From a lock to the task that will give it back. */
void why_tasks_add_giver(struct why_graph *g, int node, int task);

/* From a barrier at which all have arrived to the tasks that it still waits for. */
void why_tasks_add_all(struct why_graph *g, int node, int region);

/* From a task to whatever it waits for, or who executes it. */
void why_tasks_connect(struct why_graph *g, int node);

/* Queued tasks of a region. */
size_t why_tasks_queued(const struct picture *p, int region);

#endif
