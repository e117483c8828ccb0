/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Event_values: short words for the tables of events (runtime_event.h).
 */
#ifndef OMPD_EVENT_VALUES_H
#define OMPD_EVENT_VALUES_H

#include "ompd/picture/runtime_event.h"

/* Argument n as it is; its lower 4 bytes; what stands where it points to. */
#define ARGUMENT(n)                                                                                \
	{                                                                                          \
		VALUE_ARGUMENT, n, false, 8, false, 0, 0                                           \
	}
#define ARGUMENT_UINT(n)                                                                           \
	{                                                                                          \
		VALUE_ARGUMENT, n, false, 4, false, 0, 0                                           \
	}
#define ARGUMENT_BOOL(n)                                                                           \
	{                                                                                          \
		VALUE_ARGUMENT, n, false, 1, false, 0, 0                                           \
	}
#define POINTED(n, bytes, sign, at, add)                                                           \
	{                                                                                          \
		VALUE_ARGUMENT, n, true, bytes, sign, at, add                                      \
	}
#define RESULT(bytes)                                                                              \
	{                                                                                          \
		VALUE_RESULT, 0, false, bytes, false, 0, 0                                         \
	}
#define RESULT_IS_ZERO(bytes)                                                                      \
	{                                                                                          \
		.what = VALUE_RESULT, .size = bytes, .is_zero = true                               \
	}
/* Of a runtime's threads, which begin with code of its own. */
#define THREADS(which)                                                                             \
	{ .event = EVENT_THREAD_BEGIN,                                                             \
	  .function = "pthread_create",                                                            \
	  .imported = true,                                                                        \
	  .when = WHEN_CODE,                                                                       \
	  .facts = { [EVENT_FACT_FUNCTION] = ARGUMENT(3) },                                        \
	  .note = which },                                                                         \
	{                                                                                          \
		.event = EVENT_THREAD_END, .function = "pthread_create", .imported = true,         \
		.when = WHEN_CODE_END, .facts = {                                                  \
			[EVENT_FACT_FUNCTION] = ARGUMENT(3)                                        \
		}                                                                                  \
	}
#define NEVER(what, why)                                                                           \
	{                                                                                          \
		.event = what, .when = WHEN_NEVER, .note = why                                     \
	}

#endif
