/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/wait_mark.h"

#include "target/process/procfs.h"

bool wait_is_blocked(const struct picture_thread *th)
{
	const enum wait_whom whom = wait_kind_whom(th->wait.kind);

	return wait_kind_is_wait(th->wait.kind) && whom != FOR_WORLD && whom != FOR_WORK &&
	       !th->wait.limited;
}

bool wait_mark_holds(struct wait_mark *mark, const struct target *t,
		     const struct picture_thread *th)
{
	enum { SPIN_NS = 1000000 }; /* in which one surely sees what it waits for */
	const struct wait_mark before = *mark;
	struct proc_use use = { 0 };

	*mark = (struct wait_mark){ 0 };
	if (!wait_is_blocked(th))
		return false;
	if (!th->wait.spinning)
		return th->wait.settled;
	error_ignore(procfs_use(t->pid, th->lwp, &use));
	*mark = (struct wait_mark){ th->footprint + (uint64_t)th->wait.kind, use.cpu_ns };
	if (!before.footprint || before.footprint != mark->footprint)
		return false;
	mark->cpu_ns = before.cpu_ns;
	return use.cpu_ns - before.cpu_ns >= SPIN_NS;
}

void wait_marks_fini(struct wait_marks *l)
{
	vec_fini(l);
}

struct wait_mark *wait_marks_get(struct wait_marks *l, pid_t lwp)
{
	const struct wait_mark_of made = { .lwp = lwp };

	vec_for_each (known, l) {
		if (known->lwp == lwp)
			return &known->mark;
	}
	return vec_push(l, made) ? &l->items[l->len - 1].mark : NULL;
}
