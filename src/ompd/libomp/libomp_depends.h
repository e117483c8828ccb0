/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Libomp_depends: which tasks one will wait for that is about to be made.
 *
 * A task that has made others with dependences has a table (td_dephash) of the objects that these
 * name, each with the last ones that name it: the last of kind "out", and sets of those of one
 * other kind that have come behind it (kmp_taskdeps.cpp, __kmp_process_deps()).
 */
#ifndef OMPD_LIBOMP_DEPENDS_H
#define OMPD_LIBOMP_DEPENDS_H

#include "ompd/client/walk_state.h"

/* See runtime_ops.h. */
bool libomp_depends_add(struct walk *w, int task, const struct dependence *all, size_t len);

#endif
