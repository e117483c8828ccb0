/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "target/process/halt.h"
#include "target/process/live.h"
#include "target/process/live_parts.h"
#include "target/process/live_root.h"
#include "target/process/ptrace.h"
#include "target/process/refusal.h"
#include "target/process/seize.h"
#include "target/process/stranded.h"

/*
 * Kernel workers (io_uring) stand in the list of threads, without registers of user code. GONE: a
 * thread has been killed where it stood.
 */
static struct error *find_kernel_workers(struct live *l)
{
	vec_for_each (th, &l->base.threads) {
		struct proc_stat stat = { 0 };
		uint64_t pc = 1;
		if (!thread_state_stands((*th)->state))
			continue;
		struct error *err = target_get_uint(&l->base, *th, l->base.arch->pc, &pc);
		if (error_is(err, ERROR_GONE))
			return err;
		error_ignore(err);
		if (pc != 0)
			continue;
		error_ignore(procfs_stat(l->base.pid, (*th)->lwp, &stat));
		(*th)->kernel_worker = procfs_is_kernel_worker(&stat);
	}
	return NULL;
}

static bool is_about_the_dead(const struct error *err)
{
	return error_is(err, ERROR_NOT_FOUND) || error_is(err, ERROR_GONE);
}

/* A thread that stood still may have been killed since, by an exec of one that was not ours yet. */
static struct error *attach_all(struct live *l)
{
	enum { ATTEMPTS = 10, A_MOMENT = 10 * 1000 };
	struct error *err = NULL;

	for (int i = 0; i < ATTEMPTS; i++) {
		error_ignore(err);
		err = seize_all(&l->tracees);
		if (!err)
			err = live_open_files(l);
		if (!err)
			err = find_kernel_workers(l);
		if (!is_about_the_dead(err))
			break;
		ptrace_sleep(A_MOMENT);              /* or until there is a report */
		error_ignore(halt_all(&l->tracees)); /* buries them */
		target_drop_gone(&l->base);
	}
	return err;
}

/*
 * What can be read while the process runs is opened before it stops, through a thread that lives.
 * What is refused now will be refused, with the reason, when it is attached to.
 */
static struct error *open_early(struct live *l)
{
	live_root_set(l->base.pid, l->base.root);
	struct error *err =
		live_files_open(&l->files, l->base.pid, procfs_living_thread(l->base.pid));
	if (!err) /* else it is not ours to read, or has ended */
		err = live_files_exe(&l->files, &l->base.exe);
	if (err == &error_nomem)
		return err;
	error_ignore(err);
	return NULL;
}

struct error *live_open(pid_t pid, struct target **ret)
{
	struct proc_status status = { 0 };
	const struct arch *arch = NULL;
	struct live *l = NULL;
	struct error *err = refusal_check(pid, &status, &arch);

	/* Threads of ours are no discovery, as they would be below. */
	if (!err && ptrace_is_thread(getpid(), status.tracer))
		err = refusal_explain(status.tgid);
	if (!err)
		err = live_new(status.tgid, arch, &l);
	if (err)
		return err;
	memcpy(l->uids, status.uids, sizeof(l->uids));
	l->attached = false;
	l->fresh = true;
	err = open_early(l);
	if (err) {
		target_free(&l->base);
		return err;
	}
	*ret = &l->base;
	return NULL;
}

struct error *live_attach(pid_t pid, struct target **ret)
{
	struct target *t;
	struct error *err = live_open(pid, &t);

	if (err)
		return err;
	err = target_attach(t);
	if (err) {
		target_free(t);
		return err;
	}
	*ret = t;
	return NULL;
}

/* Whether the number is another process's by now, or nobody's. */
static bool has_ended(const struct live *l)
{
	struct proc_stat stat = { 0 };

	if (identity_holds(&l->identity))
		return false;
	error_ignore(procfs_stat(l->base.pid, 0, &stat));
	return !l->fresh || stat.start_ticks; /* at first, attaching tells what has become of it */
}

struct error *live_attach_to(struct target *t)
{
	struct live *l = live_of(t);

	if (l->attached)
		return NULL;
	if (has_ended(l))
		return error_new(ERROR_NOT_FOUND, "process %d has ended", t->pid);
	vec_for_each (th, &t->threads) /* of the time before */
		(*th)->state = THREAD_GONE;
	target_drop_gone(t);
	tracees_fini(&l->tracees);
	live_init_tracees(l);
	l->attached = true;
	if (!l->fresh) /* it may have another root or owner by now */
		live_root_set(t->pid, t->root);
	l->fresh = false;
	AUTO_FREE char *before = TAKE(t->exe);
	struct error *err = attach_all(l);
	if (!err && !identity_holds(&l->identity)) /* a tracee keeps its number */
		err = error_new(ERROR_NOT_FOUND, "process %d has ended", t->pid);
	if (err || (before && !strcmp(before, t->exe)))
		return err;
	/* It executes another program now, which may be one that ompdb cannot look at. */
	struct proc_status status;
	err = refusal_check(t->pid, &status, &t->arch);
	if (err) {
		free(t->exe); /* so that the next time asks again */
		t->exe = NULL;
	}
	return err;
}

struct look {
	struct live *live;
	visit_function *look;
	void *context;
};

static struct error *save_stranded(struct live *l)
{
	struct error *err = NULL;

	vec_for_each (th, &l->base.threads) {
		if (!err && thread_state_stands((*th)->state))
			err = tracees_unless_gone(stranded_save(&l->tracees, *th));
	}
	return err;
}

/* The kernel lets go of what is attached: visit.h. */
static struct error *attach_and_look(void *context)
{
	const struct look *l = context;
	struct error *err = live_attach_to(&l->live->base);

	if (!err)
		err = l->look(l->context);
	struct error *lost = save_stranded(l->live);
	if (!err)
		err = lost;
	else
		error_ignore(lost);
	l->live->attached = false;
	return err;
}

struct error *live_visit(struct target *t, visit_function *look, void *context)
{
	struct look l = { live_of(t), look, context };

	if (!l.live->attached)
		return visit(attach_and_look, &l);
	struct error *err = target_stop_all(t);
	return err ? err : look(context);
}

struct error *live_mend(pid_t pid)
{
	struct target *opened;
	struct error *err = live_open(pid, &opened);

	if (err)
		return err;
	AUTO_TARGET *t = opened;
	live_of(t)->mends = true;
	err = target_attach(t);
	if (err)
		return err;
	vec_for_each (th, &t->threads)
		(*th)->debug = 1; /* whoever has any is rid of them when it is detached */
	return target_detach(t);
}
