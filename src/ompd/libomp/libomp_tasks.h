/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Libomp_tasks: the tasks of LLVM's runtime that no thread executes, which OMPD does not list.
 *
 * Queued tasks are in the deques of the threads of a team. Blocked ones are in the lists of the
 * tasks that they depend on. No symbol tells where those are: each structure is recognised by what
 * must hold in it, and what does not fit in every respect is not used.
 */
#ifndef OMPD_LIBOMP_TASKS_H
#define OMPD_LIBOMP_TASKS_H

#include "ompd/client/walk_state.h"

/*
 * Adds the tasks of a runtime that can be found, sets "unfinished" of those that are known, the
 * generations of regions, and lists_tasks. false: where they are is not known.
 */
bool libomp_tasks_add(struct walk *w, int runtime);

/* Addresses and generations alone, of what is in the picture already. */
void libomp_tasks_add_handles(struct walk *w, int runtime);

#endif
