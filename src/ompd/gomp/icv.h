/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Icv: internal control variables, under the standard's names.
 *
 * libgomp keeps those of a data environment in each task; a thread's are those of its current task,
 * and the address space's are those that new initial threads start with. Others belong to a thread,
 * a region or the process. Lists are known from the environment that the process was started with
 * (environment.h). What a release of libgomp does not have, or keeps where nothing exported
 * leads to, is not in the enumeration.
 */
#ifndef OMPD_GOMP_ICV_H
#define OMPD_GOMP_ICV_H

#include "ompd/gomp/task.h"

/* The ICV after "current" (0 begins), in that space. 0: there is none. */
ompd_icv_id_t gomp_icv_next(const ompd_address_space_handle_t *space, ompd_icv_id_t current);
/* Of such an ICV: its name, and the scope that is enumerated. */
const char *gomp_icv_name(ompd_icv_id_t id);
ompd_scope_t gomp_icv_scope(ompd_icv_id_t id);

/*
 * handle: of the kind that scope says. INCOMPLETE: that is the first item of a list. BAD_INPUT: no
 * such ICV, or not in that scope. UNAVAILABLE: the thread is in no region, or idle.
 */
ompd_rc_t gomp_icv_get(const void *handle, ompd_scope_t scope, ompd_icv_id_t id, ompd_word_t *ret);

/* The value as a user would write it in the environment: "dynamic,4", "true", "8", "4,3,2". */
enum { GOMP_ICV_TEXT = 256 };
ompd_rc_t gomp_icv_get_text(const void *handle, ompd_scope_t scope, ompd_icv_id_t id,
			    char ret[GOMP_ICV_TEXT]);

/*
 * "OMP_NUM_THREADS=4" and so on, as the process has them: a vector of strings, NULL ends, in one
 * piece of the client's memory. What is not known is left out.
 */
ompd_rc_t gomp_icv_display(const ompd_address_space_handle_t *space, const char *const **ret);

#endif
