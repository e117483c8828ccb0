/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/tracees.h"

#include <stdlib.h>

#include "target/process/ptrace.h"

struct error *tracees_unless_gone(struct error *err)
{
	if (!error_is(err, ERROR_GONE))
		return err;
	error_ignore(err);
	return NULL;
}

/* ---- who there is ----------------------------------------------------------------------- */

void tracees_fini(struct tracees *ts)
{
	vec_for_each (child, &ts->children)
		free(*child);
	vec_fini(&ts->children);
	events_fini(&ts->events);
	kept_signals_fini(&ts->kept);
	kept_registers_fini(&ts->before);
	sites_fini(&ts->sites);
	points_fini(&ts->points);
	debug_registers_fini(&ts->debug);
	absences_fini(&ts->absences);
	notes_fini(&ts->notes);
	copies_fini(&ts->copies);
	vec_fini(&ts->refused);
}

size_t tracees_len(const struct tracees *ts)
{
	return ts->target->threads.len + ts->children.len;
}

struct thread *tracees_at(const struct tracees *ts, size_t i)
{
	size_t n = ts->target->threads.len;

	return i < n ? ts->target->threads.items[i] : ts->children.items[i - n];
}

size_t tracees_count(const struct tracees *ts, enum thread_state state)
{
	size_t n = 0;

	vec_for_each (th, &ts->target->threads)
		n += (*th)->state == state;
	return n;
}

struct thread *tracees_find(const struct tracees *ts, pid_t lwp)
{
	struct thread *th = target_find_thread(ts->target, lwp);

	if (th)
		return th;
	vec_for_each (child, &ts->children) {
		if ((*child)->lwp == lwp && (*child)->state != THREAD_GONE)
			return *child;
	}
	return NULL;
}

void tracees_drop_gone(struct tracees *ts)
{
	size_t kept = 0;

	target_drop_gone(ts->target);
	vec_for_each (child, &ts->children) {
		if (thread_state_is_over((*child)->state))
			free(*child);
		else
			ts->children.items[kept++] = *child;
	}
	ts->children.len = kept;
}

struct error *tracees_give(struct thread *child, struct tracees *to)
{
	struct thread *th = target_add_thread(to->target, child->lwp);

	if (!th)
		return &error_nomem;
	th->process = child->process;
	th->stop = child->stop;
	th->signal = child->signal;
	th->state = THREAD_STOPPED;
	child->state = THREAD_GONE; /* for its maker's target */
	return NULL;
}

/* ---- registers -------------------------------------------------------------------------- */

struct error *tracees_general(struct tracees *ts, struct thread *th, const uint8_t **ret)
{
	const struct arch *arch = ts->target->arch;
	size_t len = sizeof(th->general);

	*ret = th->general;
	if (th->general_valid)
		return NULL;
	struct error *err =
		ptrace_get_regset(th->lwp, arch->regset_note[REGSET_GENERAL], th->general, &len);
	if (!err && len < arch->general_size)
		err = error_new(ERROR_BAD_DATA, "thread %d has too few registers", th->lwp);
	th->general_valid = !err;
	return err;
}

struct error *tracees_flush(struct tracees *ts, struct thread *th)
{
	const struct arch *arch = ts->target->arch;

	if (!th->general_changed)
		return NULL;
	th->general_changed = false;
	return ptrace_set_regset(th->lwp, arch->regset_note[REGSET_GENERAL], th->general,
				 arch->general_size);
}

struct error *tracees_leave_site(struct tracees *ts, struct thread *th, const uint8_t *to)
{
	const struct arch *arch = ts->target->arch;
	uint8_t general[ARCH_GENERAL_MAX];
	size_t len = sizeof(general);

	if (!th->passage.arrived)
		return NULL;
	th->passage.arrived = false;
	if (!th->passage.settled)
		return NULL;
	/* Its own copy may be what it is about to become. */
	struct error *err =
		ptrace_get_regset(th->lwp, arch->regset_note[REGSET_GENERAL], general, &len);
	if (err || arch_get(arch->sp, to) > arch_get(arch->sp, general))
		return err;
	return absences_add(&ts->absences, arch, th->lwp, general);
}

bool tracees_sleeps(const struct thread *th, long waited_us)
{
	struct proc_stat stat = { 0 };

	error_ignore(procfs_stat(th->process, th->lwp, &stat));
	bool rests = stat.state == 'S' || stat.state == 'Z';

	return rests || (stat.state == 'D' && waited_us > PATIENCE_D);
}
