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

/* Flags of a kmp_depend_info_t, as they are in memory. */
enum {
	LIBOMP_DEPEND_IN = 1,
	LIBOMP_DEPEND_OUT = 2,
	LIBOMP_DEPEND_MUTEX = 4,
	LIBOMP_DEPEND_SET = 8,
	LIBOMP_DEPEND_MASK = 15,
};
/* What they mean: "in"; NULL: not known. And back, "inout" being "out"; 0: not known. */
const char *libomp_events_depend_kind(uint8_t flags);
uint8_t libomp_events_depend_flag(const char *kind);

#endif
