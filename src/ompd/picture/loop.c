/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/picture/loop.h"

const char *schedule_name(enum schedule_kind kind)
{
	static const char *const names[NUM_SCHEDULES] = {
		[SCHEDULE_STATIC] = "static",
		[SCHEDULE_DYNAMIC] = "dynamic",
		[SCHEDULE_GUIDED] = "guided",
		[SCHEDULE_AUTO] = "auto",
		[SCHEDULE_RUNTIME] = "runtime",
		[SCHEDULE_STEALING] = "static with stealing",
		[SCHEDULE_TRAPEZOIDAL] = "trapezoidal",
	};

	return names[kind];
}
