/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/picture/loop.h"

#include <inttypes.h>

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

void schedule_add(struct buf *out, const struct schedule *s)
{
	const char *name = schedule_name(s->kind);

	buf_adds(out, name ? name : "not known");
	if (s->chunk)
		buf_addf(out, ", %" PRIu64, s->chunk);
	if (s->monotonic || s->nonmonotonic)
		buf_adds(out, s->monotonic ? ", monotonic" : ", nonmonotonic");
	if (s->ordered)
		buf_adds(out, ", ordered");
}
