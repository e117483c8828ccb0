/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Paths: what is held where a frame stands, found by going each way through its function that may
 * have led there, turn by turn through its loops. Only those ways count that leave in registers and
 * on the stack what is really there: "i" is 2, so this is the third turn, and the locks of the
 * first two are held, too.
 *
 * This is more exact than dataflow.h, and possible only where there are few ways.
 */
#ifndef TARGET_PATHS_H
#define TARGET_PATHS_H

#include "target/flow/actual.h"
#include "target/flow/dataflow.h"

/*
 * Begins with r->begin. Objects are numbers, or lost. false: nothing is known, because there are
 * too many ways, or none fits.
 */
bool paths_find(struct dataflow *r, const struct actual *a, struct held *ret);

#endif
