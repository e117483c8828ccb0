/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Icv: OpenMP's internal control variables, as the OMPD libraries name and read them.
 */
#ifndef OMPD_ICV_H
#define OMPD_ICV_H

#include "ompd/client/walk_state.h"

/*
 * Adds those of each process, of the first thread of each runtime, of each region and of the task
 * that its primary thread executes.
 */
void icv_read(struct walk *w);

#endif
