/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/live.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "target/process/halt.h"
#include "target/process/hits.h"
#include "target/process/let_go.h"
#include "target/process/live_parts.h"
#include "target/process/live_root.h"
#include "target/process/passing.h"
#include "target/process/ptrace.h"
#include "target/process/run.h"

void live_init_tracees(struct live *l)
{
	l->tracees = (struct tracees){
		.target = &l->base,
		.sites = { .read = live_read_bytes,
			   .write = live_write_bytes,
			   .context = l,
			   .arch = l->mends ? l->base.arch : NULL },
	};
}

static const struct target_ops live_ops;

struct error *live_new(pid_t pid, const struct arch *arch, struct live **ret)
{
	struct live *l = calloc(1, sizeof(*l));

	if (!l)
		return &error_nomem;
	l->files.mem = -1;
	l->base.pid = pid;
	l->base.arch = arch;
	l->attached = true;
	l->identity = IDENTITY_NONE;
	for (size_t i = 0; i < 4; i++)
		l->uids[i] = geteuid();
	identity_note(pid, &l->identity);
	live_init_tracees(l);
	struct error *err = ptrace_init();
	if (!err)
		err = target_init(&l->base, &live_ops);
	if (err) {
		identity_fini(&l->identity);
		free(l);
	} else {
		*ret = l;
	}
	return err;
}

/* ---- running and stopping --------------------------------------------------------------- */

/* After an exec, memory and program are others. Takes err, the outcome of what saw it. */
static struct error *follow_exec(struct live *l, struct error *err)
{
	if (err || !l->tracees.new_program)
		return err;
	l->tracees.new_program = false;
	free(l->base.exe);
	l->base.exe = NULL;
	memory_flush(l->base.memory);
	live_root_set(l->base.pid, l->base.root);
	err = run_follow_exec(&l->tracees);
	if (!err)
		err = live_files_open(&l->files, l->base.pid, l->base.pid);
	if (!err)
		err = live_files_exe(&l->files, &l->base.exe);
	return error_add(err, "following process %d into a new program", l->base.pid);
}

static struct error *check_attached(const struct live *l)
{
	if (l->attached)
		return NULL;
	return error_new(ERROR_USAGE, "process %d is not attached", l->base.pid);
}

static struct error *live_resume(struct target *t, struct thread *th, enum resume_how how)
{
	struct live *l = live_of(t);
	struct error *err = check_attached(l);

	return err ? err : run_resume(&l->tracees, th, how);
}

static struct error *live_stop_all(struct target *t)
{
	struct live *l = live_of(t);
	struct error *err = check_attached(l);

	return err ? err : follow_exec(l, halt_all(&l->tracees));
}

static struct error *live_wait(struct target *t, long timeout_us, struct event *ret)
{
	struct live *l = live_of(t);
	struct error *err = check_attached(l);

	return err ? err : follow_exec(l, run_wait(&l->tracees, timeout_us, ret));
}

static int live_wait_fd(struct target *t)
{
	(void)t;
	return ptrace_fd();
}

/* A thread that runs may come to the site just then: its trap would be nobody's. */
static struct error *check_all_stand(struct live *l)
{
	for (size_t i = 0; i < tracees_len(&l->tracees); i++) {
		const struct thread *th = tracees_at(&l->tracees, i);
		bool stuck = th->state == THREAD_STUCK || th->state == THREAD_ZOMBIE;
		if (!stuck && !thread_state_stands(th->state) && !thread_state_is_over(th->state))
			return error_new(ERROR_USAGE, "thread %d is not stopped", th->lwp);
	}
	return check_attached(l);
}

static struct error *live_plant(struct target *t, taddr at)
{
	struct live *l = live_of(t);
	struct error *err = check_all_stand(l);

	if (!err)
		err = sites_plant(&l->tracees.sites, t->arch, at);
	return error_add(err, "planting a trap at 0x%" PRIxTADDR, at);
}

static struct error *live_unplant(struct target *t, taddr at)
{
	struct live *l = live_of(t);
	struct error *err = check_all_stand(l);

	return err ? err : passing_unplant(&l->tracees, at);
}

static struct error *live_trace_calls(struct target *t, const struct call_set *calls)
{
	live_of(t)->tracees.calls = *calls;
	return check_attached(live_of(t));
}

static struct error *live_set_point(struct target *t, const struct point *p)
{
	struct live *l = live_of(t);
	struct error *err = check_all_stand(l);

	return err ? err : hits_set_point(&l->tracees, p);
}

static struct error *live_clear_point(struct target *t, unsigned int id)
{
	struct live *l = live_of(t);
	struct error *err = check_all_stand(l);

	return err ? err : hits_clear_point(&l->tracees, id);
}

static struct error *live_point_state(struct target *t, unsigned int id, struct point_state *ret)
{
	return hits_point_state(&live_of(t)->tracees, id, ret);
}

static struct error *live_count_hit(struct target *t, unsigned int id, bool *ret_stops)
{
	return hits_count(&live_of(t)->tracees, id, ret_stops);
}

static struct error *live_point_tally(struct target *t, unsigned int id, struct tally *ret)
{
	const struct tally *tally;
	struct error *err = hits_tally(&live_of(t)->tracees, id, &tally);

	if (err)
		return err;
	vec_for_each (row, tally)
		tally_add(ret, row->lwp, row->key, row->count, row->last);
	ret->rest += tally->rest;
	return NULL;
}

static struct error *live_note(struct target *t, const struct note *note)
{
	return notes_put(&live_of(t)->tracees.notes, note);
}

static struct error *live_step_ranges(struct target *t, const struct range_step *steps, size_t n)
{
	struct live *l = live_of(t);
	struct error *err = check_attached(l);

	return err ? err : run_step_ranges(&l->tracees, steps, n);
}

static struct error *live_pass_signals(struct target *t, uint64_t signals)
{
	live_of(t)->tracees.passed = signals;
	return check_attached(live_of(t));
}

static struct error *live_lend(struct target *t, taddr start, taddr end)
{
	struct live *l = live_of(t);
	struct error *err = check_attached(l);

	return err ? err : passing_lend(&l->tracees, start, end);
}

static struct error *live_detach(struct target *t)
{
	struct live *l = live_of(t);

	if (!l->attached)
		return NULL;
	l->attached = false;
	return let_go_detach(&l->tracees);
}

static struct error *live_kill(struct target *t)
{
	struct live *l = live_of(t);
	struct error *err = check_attached(l);

	l->attached = false;
	return err ? err : let_go_kill(&l->tracees);
}

static void live_free(struct target *t)
{
	struct live *l = live_of(t);

	if (l->attached)
		error_ignore(l->launched ? live_kill(t) : live_detach(t));
	tracees_fini(&l->tracees);
	live_files_close(&l->files);
	identity_fini(&l->identity);
	target_fini(t);
	free(l);
}

/* ---- memory, registers, files ----------------------------------------------------------- */

static struct error *check_stopped(const struct thread *th)
{
	if (thread_state_stands(th->state))
		return NULL;
	return error_new(thread_state_is_over(th->state) ? ERROR_GONE : ERROR_UNSUPPORTED,
			 "thread %d is not stopped: its registers cannot be read", th->lwp);
}

static struct error *get_siginfo(pid_t lwp, void *ret, size_t *len)
{
	siginfo_t info = { 0 };
	struct error *err = ptrace_siginfo(lwp, &info);

	if (err)
		return err;
	*len = *len < sizeof(info) ? *len : sizeof(info);
	memcpy(ret, &info, *len);
	return NULL;
}

static struct error *set_siginfo(pid_t lwp, const void *bytes, size_t len)
{
	siginfo_t info = { 0 };

	memcpy(&info, bytes, len < sizeof(info) ? len : sizeof(info));
	return ptrace_set_siginfo(lwp, &info);
}

static struct error *live_get_regset(struct target *t, struct thread *th, enum regset set,
				     void *ret, size_t *len)
{
	struct error *err = check_stopped(th);

	if (!err && set == REGSET_SIGINFO)
		return get_siginfo(th->lwp, ret, len);
	if (!err)
		err = tracees_flush(&live_of(t)->tracees, th);
	return err ? err : ptrace_get_regset(th->lwp, t->arch->regset_note[set], ret, len);
}

static struct error *live_set_regset(struct target *t, struct thread *th, enum regset set,
				     const void *bytes, size_t len)
{
	struct error *err = check_stopped(th);

	if (err)
		return err;
	if (set == REGSET_SIGINFO)
		return set_siginfo(th->lwp, bytes, len);
	if (set == REGSET_GENERAL && arch_get(t->arch->pc, bytes) != th->passage.at)
		err = tracees_leave_site(&live_of(t)->tracees, th,
					 bytes); /* it is sent elsewhere */
	if (err)
		return err;
	if (set == REGSET_GENERAL)
		th->general_changed = false;
	return ptrace_set_regset(th->lwp, t->arch->regset_note[set], bytes, len);
}

static struct error *live_keep_regset(struct target *t, pid_t lwp, enum regset set,
				      const void *bytes, size_t len)
{
	struct kept_registers *before = &live_of(t)->tracees.before;

	if (bytes)
		return kept_registers_add(before, lwp, set, bytes, len);
	kept_registers_drop(before, lwp);
	return NULL;
}

static const struct target_ops live_ops = {
	.name = "process",
	.free = live_free,
	.read = live_read,
	.line = MEMORY_LINE,
	.write = live_write,
	.get_regset = live_get_regset,
	.set_regset = live_set_regset,
	.keep_regset = live_keep_regset,
	.maps = live_maps,
	.auxv = live_auxv,
	.open_file = live_open_file,
	.check_own = live_check_own,
	.check_paths = live_check_own,
	.resume = live_resume,
	.stop_all = live_stop_all,
	.wait = live_wait,
	.wait_fd = live_wait_fd,
	.plant = live_plant,
	.unplant = live_unplant,
	.trace_calls = live_trace_calls,
	.set_point = live_set_point,
	.clear_point = live_clear_point,
	.point_state = live_point_state,
	.count_hit = live_count_hit,
	.point_tally = live_point_tally,
	.note = live_note,
	.lend = live_lend,
	.step_ranges = live_step_ranges,
	.pass_signals = live_pass_signals,
	.thread_name = live_thread_name,
	.take_child = live_take_child,
	.visit = live_visit,
	.attach = live_attach_to,
	.detach = live_detach,
	.kill = live_kill,
};
