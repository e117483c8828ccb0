/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Region_block: in a frame that has begun a region: the variables that gcc has copied into the
 * structure which it passes to the region, and copies back behind it. As long as the region lasts,
 * they are there, and what the frame itself has is what they were before.
 */
#ifndef DEBUGGER_REGION_BLOCK_H
#define DEBUGGER_REGION_BLOCK_H

#include "debugger/values/scope.h"

/*
 * variable: of the scope's function. false: it is in no such structure, or there is a copy that
 * the region begins with (firstprivate).
 */
bool region_block_find(const struct scope *s, const struct variable *variable, taddr *ret);

#endif
