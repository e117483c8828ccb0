/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/wait_mark.h"

#include <string.h>

#include "target/process/procfs.h"

bool wait_is_blocked(const struct picture_thread *th)
{
	const enum wait_whom whom = wait_kind_whom(th->wait.kind);

	return wait_kind_is_wait(th->wait.kind) && whom != FOR_WORLD && whom != FOR_WORK &&
	       !th->wait.limited;
}

enum { SPIN_NS = 1000000 }; /* in which one surely sees what it waits for */

bool wait_mark_holds(struct wait_mark *mark, const struct target *t,
		     const struct picture_thread *th)
{
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

static struct wait_mark *get(struct wait_marks *l, pid_t lwp)
{
	const struct wait_mark_of made = { .lwp = lwp };

	vec_for_each (known, l) {
		if (known->lwp == lwp)
			return &known->mark;
	}
	return vec_push(l, made) ? &l->items[l->len - 1].mark : NULL;
}

bool wait_marks_hold(struct wait_marks *l, const struct target *t, const struct picture_thread *th)
{
	struct wait_mark *mark = get(l, th->lwp);

	return mark && wait_mark_holds(mark, t, th);
}

struct error *wait_marks_pace(struct wait_marks *l, const struct target *t, const struct picture *p,
			      struct progress *ret)
{
	*ret = (struct progress){
		.stands = true, .looks = 2, .seconds = SPIN_NS / 1e9, .barriers = -1
	};
	vec_for_each (th, &p->threads) {
		const bool holds = wait_marks_hold(l, t, th);
		const struct progress_thread made = {
			.lwp = th->lwp,
			.moved = !holds && !th->wait.settled,
			.load = holds && th->wait.spinning,
		};
		if (!vec_push(&ret->threads, made))
			return &error_nomem;
	}
	return NULL;
}

bool wait_is_busy(const struct target *t, pid_t lwp)
{
	struct proc_stat stat = { 0 };
	struct error *err = procfs_stat(t->pid, lwp, &stat);

	error_ignore(err);
	return stat.state == 'R';
}

bool wait_sleeps_in_futex(const struct target *t, pid_t lwp)
{
	long number = procfs_call(t->pid, lwp);
	const char *name = number >= 0 && (size_t)number < t->arch->ncall_names
				   ? t->arch->call_names[number]
				   : NULL;

	return name && !strncmp(name, "futex", strlen("futex"));
}
