/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/adopt.h"

#include <unistd.h>

#include "target/process/ptrace.h"

struct error *adopt_ours(struct tracees *ts, pid_t lwp)
{
	struct error *err = tracee_adopt(ts, lwp);

	return err ? err : tracees_unless_gone(ptrace_interrupt(lwp));
}

struct error *adopt_unknown(struct tracees *ts)
{
	struct lwp_list lwps = { 0 };
	struct error *err = procfs_tasks(ts->target->pid, &lwps);
	pid_t self = gettid();

	if (err) { /* the process is gone: nothing to adopt */
		error_ignore(err);
		return NULL;
	}
	for (size_t i = 0; i < lwps.len && !err; i++) {
		struct proc_status status = { 0 };
		if (target_find_thread(ts->target, lwps.items[i]))
			continue;
		error_ignore(procfs_status(ts->target->pid, lwps.items[i], &status));
		if (status.tracer == self)
			err = adopt_ours(ts, lwps.items[i]);
	}
	vec_fini(&lwps);
	return err;
}

struct error *adopt_forgotten(struct tracees *ts)
{
	vec_for_each (th, &ts->target->threads) {
		if ((*th)->state != THREAD_GONE && (*th)->lwp != ts->target->pid)
			return NULL;
	}
	if (!ts->some_gone)
		return NULL;
	ts->some_gone = false;
	return adopt_unknown(ts);
}
