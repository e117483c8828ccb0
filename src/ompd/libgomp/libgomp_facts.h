/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Libgomp_facts: brings into a picture what the built-in library for libgomp knows beyond OMPD.
 *
 * The handles are those of a session whose runtime is libgomp.
 */
#ifndef OMPD_LIBGOMP_FACTS_H
#define OMPD_LIBGOMP_FACTS_H

#include "ompd/client/walk_state.h"
#include "ompd/gomp/gomp_extra.h"

/* See runtime_ops.h. A thread is known that has a team, a task or a pool. */
bool libgomp_facts_is_known(void *thread_handle);
bool libgomp_facts_is_idle(struct walk *w, int thread);
void libgomp_facts_read_region(void *handle, struct picture_region *ret);
void libgomp_facts_read_task(void *handle, struct picture_task *ret);
void libgomp_facts_add_tasks(struct walk *w, int runtime);
bool libgomp_facts_add_predecessors(struct walk *w, int task, const struct dependence *all,
				    size_t len);
int libgomp_facts_suspended(struct walk *w, int thread, int task, const struct span *span);
void libgomp_facts_refine_wait(struct walk *w, int thread, const struct span *span);
int libgomp_facts_holder(struct walk *w, int thread, const struct span *span);

#endif
