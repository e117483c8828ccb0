/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Libgomp_events: where libgomp, and code that GCC makes, shows what happens.
 *
 * From what libgomp.map exports, libgomp_g.h of GCC 4.4 to 16, and omp-low.c, omp-expand.c.
 */
#ifndef OMPD_LIBGOMP_EVENTS_H
#define OMPD_LIBGOMP_EVENTS_H

#include "ompd/picture/runtime_event.h"

extern const struct event_row libgomp_events[]; /* ends with a row without function and note */

#endif
