/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Paths: what is held where a frame stands, by going all ways through its function that may have
 * led there, one by one, turn by turn through its loops. Of those that arrive only the ones count
 * that leave in registers and on the stack what is really there: "i" is 2, so this is the third
 * turn, and the locks of the first two are held, too.
 *
 * That is more exact than dataflow.h and only possible where there are few ways.
 */
#ifndef TARGET_PATHS_H
#define TARGET_PATHS_H

#include "target/flow/actual.h"
#include "target/flow/dataflow.h"

/*
 * From r->begin. Objects are numbers, or lost. false: too many ways, or none that fits: nothing is
 * known.
 */
bool paths_find(struct dataflow *r, const struct actual *a, struct held *ret);

#endif
