/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Plt: the stubs by which a program calls functions of libraries: what a breakpoint at such a
 * function means while its library is not there.
 */
#ifndef TARGET_PLT_H
#define TARGET_PLT_H

#include "target/symbols/debuginfo.h"

/*
 * Calls "found" for each stub of a module with the linkage name of its function, until it returns
 * false. The module's memory is read.
 */
void plt_for_each(struct debuginfo *d, struct target *t, struct module *m,
		  bool (*found)(void *context, const char *name, taddr stub), void *context);

#endif
