/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Libomp_events: where libomp, and code that clang makes, shows what happens.
 *
 * From kmp.h, kmp_csupport.cpp, kmp_tasking.cpp of LLVM 13 to 19, and CGOpenMPRuntime.cpp.
 */
#ifndef OMPD_LIBOMP_EVENTS_H
#define OMPD_LIBOMP_EVENTS_H

#include "ompd/picture/runtime_event.h"

extern const struct event_row libomp_events[]; /* ends with a row without function and note */

#endif
