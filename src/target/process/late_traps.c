/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/late_traps.h"

#include "base/clock.h"
#include "target/process/ptrace.h"
#include "target/process/tracee.h"

static bool has_late_trap(const struct thread *th, bool in_group_stops)
{
	bool first = th->stop.kind == STOP_INTERRUPTED ||
		     (th->stop.kind == STOP_GROUP && in_group_stops);

	return th->state == THREAD_STOPPED && first && ptrace_has_trap(th->lwp);
}

/* It does not get to execute anything: what is due comes first, and stops it. */
static struct error *collect(struct tracees *ts, struct thread *th)
{
	long limit = clock_us() + PATIENCE;
	struct error *err = tracee_move(ts, th, WANT_PASS);

	while (!err && thread_state_is_step(th->state) && clock_us() < limit) {
		err = tracee_collect(ts, th);
		if (!err && thread_state_is_step(th->state))
			ptrace_sleep(LOOK_INTERVAL);
	}
	return err;
}

struct error *late_traps_collect(struct tracees *ts, bool in_group_stops)
{
	struct error *err = NULL;

	for (size_t i = 0; i < tracees_len(ts) && !err; i++) {
		struct thread *th = tracees_at(ts, i);
		if (has_late_trap(th, in_group_stops))
			err = collect(ts, th);
	}
	return err;
}
