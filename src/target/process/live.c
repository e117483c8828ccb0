/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/live.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "target/process/hits.h"
#include "target/process/identity.h"
#include "target/process/launch.h"
#include "target/process/let_go.h"
#include "target/process/live_files.h"
#include "target/process/live_root.h"
#include "target/process/owner.h"
#include "target/process/passing.h"
#include "target/process/ptrace.h"
#include "target/process/refusal.h"
#include "target/process/run.h"
#include "target/process/seize.h"

struct live {
	struct target base;
	struct tracees tracees;
	struct live_files files;
	struct identity identity; /* another process may get its number */
	uid_t uids[4];            /* when it was opened: set-user-ID programs change them */
	bool attached, launched;
	bool fresh; /* opened, and not attached to yet */
};

static struct live *live_of(struct target *t)
{
	return (struct live *)t;
}

/* ---- attaching -------------------------------------------------------------------------- */

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

/* A thread whose files in /proc tell about the process: not a leader that has exited. */
static pid_t living_thread(const struct live *l)
{
	vec_for_each (th, &l->base.threads) {
		if (thread_state_stands((*th)->state) || (*th)->state == THREAD_STUCK)
			return (*th)->lwp;
	}
	return 0;
}

/* Opens what /proc shows of the process, asked of a thread that lives. */
static struct error *open_files(struct live *l)
{
	pid_t lwp = living_thread(l);

	if (!lwp)
		return refusal_explain(l->base.pid);
	free(l->base.exe); /* of an earlier attempt */
	l->base.exe = NULL;
	struct error *err = live_files_open(&l->files, l->base.pid, lwp);
	if (!err)
		err = live_files_exe(&l->files, &l->base.exe);
	return error_add(err, "process %d", l->base.pid);
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
			err = open_files(l);
		if (!err)
			err = find_kernel_workers(l);
		if (!is_about_the_dead(err))
			break;
		ptrace_sleep(A_MOMENT);                  /* or until there is a report */
		error_ignore(run_stop_all(&l->tracees)); /* buries them */
		target_drop_gone(&l->base);
	}
	return err;
}

/* The thread through which they are seen may have exited. */
static struct live_files *files_of(struct target *t)
{
	struct live *l = live_of(t);
	pid_t lwp = living_thread(l);

	if (lwp)
		l->files.lwp = lwp;
	return &l->files;
}

/*
 * Memory as it is, with what is planted in it. A thread that has not been reaped has its number,
 * which is all that reading needs.
 */
static size_t read_bytes(void *context, taddr from, void *ret, size_t len)
{
	struct live *l = live_of(context);
	const struct thread *known = target_find_thread(&l->base, l->files.lwp);
	bool has_number = known && !thread_state_is_over(known->state);
	struct live_files *files = has_number ? &l->files : files_of(context);

	files->held = live_of(context)->attached;
	return live_files_read(files, from, ret, len);
}

static struct error *write_bytes(void *context, taddr to, const void *bytes, size_t len)
{
	struct live *l = live_of(context);
	pid_t lwp = living_thread(l);

	if (pwrite(l->files.mem, bytes, len, (off_t)to) == (ssize_t)len)
		return NULL;
	/* Kernels may forbid writing through read-only mappings that way (proc_mem.force_override).
	 */
	if (lwp)
		return error_add(ptrace_poke(lwp, to, bytes, len), "writing to 0x%" PRIxTADDR, to);
	return error_new(ERROR_NO_ADDRESS, "cannot write to 0x%" PRIxTADDR, to);
}

static void init_tracees(struct live *l)
{
	l->tracees = (struct tracees){
		.target = &l->base,
		.sites = { .read = read_bytes, .write = write_bytes, .context = l },
	};
}

static const struct target_ops live_ops;

static struct error *live_new(pid_t pid, const struct arch *arch, struct live **ret)
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
	init_tracees(l);
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

static struct error *live_attach_to(struct target *t)
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
	init_tracees(l);
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

/* The kernel lets go of what is attached: visit.h. */
static struct error *attach_and_look(void *context)
{
	const struct look *l = context;
	struct error *err = live_attach_to(&l->live->base);

	if (!err)
		err = l->look(l->context);
	l->live->attached = false;
	return err;
}

static struct error *live_visit(struct target *t, visit_function *look, void *context)
{
	struct look l = { live_of(t), look, context };

	if (!l.live->attached)
		return visit(attach_and_look, &l);
	struct error *err = target_stop_all(t);
	return err ? err : look(context);
}

/* ---- launching -------------------------------------------------------------------------- */

/* What a shell says of it stands on stderr. */
static struct error *explain_end(const struct launch_command *c, const struct stop *end)
{
	if (!c->shell || end->kind != STOP_EXITED)
		return error_new(ERROR_GONE, "it ended before it ran");
	if (end->value == 127) /* POSIX, "Exit Status for Commands" */
		return error_new(ERROR_NOT_FOUND, "the shell %s does not find it", c->shell);
	if (end->value == 126)
		return error_new(ERROR_NOT_PERMITTED, "the shell %s cannot execute it", c->shell);
	return error_new(ERROR_USAGE,
			 "the shell %s did not execute it but ended with status %ld: look at its "
			 "arguments, %s",
			 c->shell, end->value, c->arguments ? c->arguments : "");
}

static struct error *follow_execs(struct live *l, const struct launch_command *c)
{
	struct event event = { 0 };

	for (unsigned int left = launch_execs(c); left;) {
		struct error *err = target_wait(&l->base, -1, &event);
		if (err)
			return err;
		if (stop_is_end(&event.stop))
			return explain_end(c, &event.stop);
		left -= event.stop.kind == STOP_EXEC;
		if (left) {
			err = target_resume(&l->base, event.thread, RESUME_CONTINUE);
			if (err)
				return err;
		}
	}
	target_drop_gone(&l->base);
	struct proc_status status;
	return refusal_check(l->base.pid, &status, &l->base.arch);
}

/* Takes err. */
static struct error *explain_seize(pid_t pid, struct error *err)
{
	if (!error_is(err, ERROR_NOT_PERMITTED))
		return err;
	error_ignore(err);
	return refusal_explain(pid);
}

struct error *live_launch(const struct launch_command *command, struct target **ret)
{
	struct launch launch = { 0 };
	struct live *l = NULL;
	struct error *err = ptrace_init();

	if (!err)
		err = launch_fork(command, &launch);
	if (err)
		return err;
	err = live_new(launch.pid, &arch_x86_64, &l);
	if (err) {
		launch_abandon(&launch);
		return err;
	}
	l->launched = l->tracees.exit_kill = true;
	err = seize_running(&l->tracees, launch.pid);
	if (err) {
		err = explain_seize(launch.pid, err);
		launch_abandon(&launch);
	} else {
		launch_go(&launch);
		err = launch_finish(&launch, follow_execs(l, command));
	}
	if (err) {
		target_free(&l->base);
		return error_add(err, "running %s", command->argv[0]);
	}
	*ret = &l->base;
	return NULL;
}

/* ---- children that become targets of their own ------------------------------------------- */

static struct error *enter_child(struct live *l, struct live *maker, struct thread *child)
{
	struct error *err = passing_give(&maker->tracees, &l->tracees, child->shares);

	if (!err)
		err = points_copy(&maker->tracees.points, &l->tracees.points);
	if (!err)
		err = tracees_give(child, &l->tracees);
	if (err)
		return err;
	l->launched = maker->launched;
	l->tracees.exit_kill = maker->tracees.exit_kill;
	memcpy(l->uids, maker->uids, sizeof(l->uids));
	live_root_set(l->base.pid, l->base.root);
	return open_files(l);
}

static struct error *live_take_child(struct target *t, pid_t pid, struct target **ret)
{
	struct live *maker = live_of(t), *l;
	struct thread *child = tracees_find(&maker->tracees, pid);

	if (!child || !child->maker || child->process != pid || !thread_state_stands(child->state))
		return error_new(ERROR_NOT_FOUND,
				 "process %d is no child of process %d that stands still", pid,
				 t->pid);
	struct error *err = live_new(pid, t->arch, &l);
	if (err)
		return err;
	err = enter_child(l, maker, child);
	if (err) {
		target_free(&l->base);
		return err;
	}
	*ret = &l->base;
	return NULL;
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

	return err ? err : follow_exec(l, run_stop_all(&l->tracees));
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

static struct error *live_step_range(struct target *t, struct thread *th, taddr start, taddr end)
{
	struct live *l = live_of(t);
	struct error *err = check_attached(l);

	return err ? err : run_step_range(&l->tracees, th, start, end);
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

static size_t live_read(void *context, taddr from, void *ret, size_t len)
{
	return passing_read(&live_of(context)->tracees, from, ret, len);
}

size_t live_gather(void *process, const taddr *lines, size_t n, void *ret)
{
	return live_files_gather(files_of(process), lines, n, ret);
}

struct error *live_maps_text(struct target *process, struct buf *ret)
{
	return live_files_maps_text(files_of(process), ret);
}

struct error *live_parse_maps(struct target *process, const struct buf *text, struct map_list *ret)
{
	return live_files_parse_maps(files_of(process), text, false, ret);
}

bool live_patches(const struct target *process, struct patch_list *ret)
{
	const struct tracees *ts = &((const struct live *)process)->tracees;

	vec_for_each (site, &ts->sites) {
		if (!patch_list_add(ret, site->addr, site->original, ts->sites.arch->trap,
				    ts->sites.arch->trap_size))
			return false;
	}
	for (size_t i = 0; ts->copies.used && i < ts->copies.len; i++) {
		const struct copy *copy = &ts->copies.items[i];
		if (copy->insn && !patch_list_add(ret, copy->at, copy->before, NULL, copy->size))
			return false;
	}
	patch_list_sort(ret);
	return true;
}

int live_memory_file(const struct target *process, unsigned int *ret_times)
{
	const struct live_files *files = &((const struct live *)process)->files;

	*ret_times = files->opened;
	return files->mem;
}

static struct error *live_write(struct target *t, taddr to, const void *bytes, size_t len)
{
	return passing_write(&live_of(t)->tracees, to, bytes, len);
}

static struct error *check_stopped(const struct thread *th)
{
	if (thread_state_stands(th->state))
		return NULL;
	return error_new(thread_state_is_over(th->state) ? ERROR_GONE : ERROR_UNSUPPORTED,
			 "thread %d is not stopped: its registers cannot be read", th->lwp);
}

static struct error *live_get_regset(struct target *t, struct thread *th, enum regset set,
				     void *ret, size_t *len)
{
	struct error *err = check_stopped(th);

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
	if (set == REGSET_GENERAL && arch_get(t->arch->pc, bytes) != th->passage.at)
		th->passage.arrived = false; /* it is sent elsewhere */
	if (set == REGSET_GENERAL)
		th->general_changed = false;
	return ptrace_set_regset(th->lwp, t->arch->regset_note[set], bytes, len);
}

static struct error *live_maps(struct target *t, struct map_list *ret)
{
	return live_files_maps(files_of(t), ret);
}

static struct error *live_auxv(struct target *t, struct buf *ret)
{
	return live_files_auxv(files_of(t), ret);
}

static struct error *live_open_file(struct target *t, const struct map *map, struct file *ret)
{
	return live_files_open_map(files_of(t), t->root, map, ret);
}

static struct error *live_check_own(struct target *t)
{
	struct error *err = owner_check_users(t->pid, live_of(t)->uids);

	return err ? err : owner_check(t->pid, files_of(t)->lwp);
}

static void live_thread_name(struct target *t, struct thread *th, char ret[64])
{
	procfs_thread_name(t->pid, th->lwp, ret);
	if (!identity_holds(&live_of(t)->identity))
		*ret = '\0';
}

static const struct target_ops live_ops = {
	.name = "process",
	.free = live_free,
	.read = live_read,
	.line = MEMORY_LINE,
	.write = live_write,
	.get_regset = live_get_regset,
	.set_regset = live_set_regset,
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
	.lend = live_lend,
	.step_range = live_step_range,
	.pass_signals = live_pass_signals,
	.thread_name = live_thread_name,
	.take_child = live_take_child,
	.visit = live_visit,
	.attach = live_attach_to,
	.detach = live_detach,
	.kill = live_kill,
};
