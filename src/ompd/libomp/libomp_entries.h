/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Libomp_entries: what the functions do that LLVM's runtime offers to programs which clang has
 * compiled.
 */
#ifndef OMPD_LIBOMP_ENTRIES_H
#define OMPD_LIBOMP_ENTRIES_H

#include "ompd/picture/runtime_ops.h"

extern const struct runtime_entry libomp_entries[];
extern const struct user_call libomp_user_calls[];

/*
 * The kind of a barrier, by the description of the place in the source that its call passes on.
 * api: the entry that is called; BARRIER: it gets none, or it does not tell.
 */
enum wait_kind libomp_entries_barrier(struct target *t, struct call_sites *calls, const char *api,
				      taddr return_address);

#endif
