/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/call_check.h"

#include <linux/futex.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "debugger/control/call_stuck.h"
#include "target/code/blocked.h"

/* ---- before ----------------------------------------------------------------------------- */

static const char make_anyway[] = "\"set unsafe-calls on\" makes such calls all the same";

/*
 * Filters that ompdb lives under itself, as in a container, are nobody's who wants to be shielded
 * from code of its own. What a filter forbids cannot be read: most kill for it.
 */
static bool is_confined(const struct proc_status *status)
{
	struct proc_status own = { 0 };
	struct error *err = procfs_status(getpid(), 0, &own);

	error_ignore(err);
	return status->seccomp > own.seccomp || status->seccomp_filters > own.seccomp_filters;
}

static struct error *check_status(const struct target *t, const struct thread *th)
{
	struct proc_status status;
	struct error *err = procfs_status(t->pid, th->lwp, &status);

	if (err)
		return err;
	/* Its processor compares each return with what was called. */
	if (strstr(status.features, "shstk"))
		return error_new(ERROR_USAGE,
				 "thread %d has a shadow stack, which a call by ompdb would "
				 "violate: the processor would end the program",
				 th->lwp);
	if (is_confined(&status))
		return error_new(ERROR_USAGE,
				 "thread %d is under seccomp, which may kill the program for a "
				 "system call that the function makes: %s",
				 th->lwp, make_anyway);
	return NULL;
}

/* How far the stack that sp is in reaches down, with what the kernel adds when it is needed. */
static uint64_t room_below(const struct target *t, const struct map_list *maps, taddr sp)
{
	const struct map *m = map_list_find(maps, sp - 1);
	struct rlimit limit;

	if (!m || !(m->flags & MAP_WRITE))
		return 0;
	taddr low = m->start;
	while (m > maps->items && m[-1].end == low && m[-1].flags & MAP_WRITE)
		low = (--m)->start;
	m = map_list_find(maps, sp - 1);
	if (!strcmp(m->path, "[stack]") && !prlimit(t->pid, RLIMIT_STACK, NULL, &limit) &&
	    limit.rlim_cur < m->end)
		low = m->end - limit.rlim_cur < low ? m->end - limit.rlim_cur : low;
	return sp - low;
}

/* All of them: those of target_maps() are the ones with files. */
static struct error *read_maps(const struct target *t, const struct thread *th,
			       struct map_list *ret)
{
	enum { LARGEST = 64 << 20 };
	AUTO_BUF path = { 0 }, text = { 0 };

	buf_addf(&path, "/proc/%d/task/%d/maps", t->pid, th->lwp);
	struct error *err = buf_add_file(&text, buf_text(&path), LARGEST);
	return err ? err : procfs_parse_maps(buf_text(&text), false, ret);
}

static struct error *check_stack(struct target *t, struct thread *th)
{
	enum { ENOUGH = 4096 };
	struct map_list maps = { 0 };
	taddr sp = 0;
	struct error *err = target_get_uint(t, th, t->arch->sp, &sp);

	if (!err)
		err = read_maps(t, th, &maps);
	if (err)
		return err;
	uint64_t room = room_below(t, &maps, sp);
	map_list_fini(&maps);
	return room >= ENOUGH
		       ? NULL
		       : error_new(ERROR_USAGE,
				   "thread %d has %" PRIu64 " bytes of stack left below 0x%" PRIx64
				   ", too little for a function: %s",
				   th->lwp, room, sp, make_anyway);
}

struct error *call_check(struct control *c, struct thread *th)
{
	const struct numbered_thread *known = th ? threads_by_lwp(&c->threads, th->lwp) : NULL;

	if (!th || th->state != THREAD_STOPPED || th->kernel_worker || th->in_group_stop)
		return error_new(ERROR_USAGE, "the selected thread does not stand where it could "
					      "call a function");
	if (known && known->frozen)
		return error_new(ERROR_USAGE,
				 "thread %d is frozen: 'thaw %d' lets it call a "
				 "function",
				 known->number, known->number);
	if (c->settings.calls_nothing)
		return error_new(ERROR_USAGE, "Cannot call functions in the program: "
					      "may-call-functions is off.");
	if (c->settings.calls_anyway)
		return NULL;
	struct error *err = check_status(c->live->target, th);
	return err ? err : check_stack(c->live->target, th);
}

enum { SPINNING_LOOKS = 10 };

/* ---- while it runs ---------------------------------------------------------------------- */

/* Only threads of this process can wake who waits there, or threads that share its memory. */
static bool is_private(struct control *c, const struct blocked *b, taddr word)
{
	/* Memory without a name is not in this list, and of the process alone. */
	const struct map *map = map_list_find(&c->live->modules->maps, word);

	return b->args[1] & FUTEX_PRIVATE_FLAG || !map || !(map->flags & MAP_SHARED_);
}

static struct error *look(struct control *c, struct thread *th)
{
	struct target *t = c->live->target;
	struct blocked b = blocked_get(t, NULL, th);
	taddr word;

	if (!blocked_on_futex(t, &b, &word) || blocked_has_limit(&b) || blocked_is_over(t, &b) ||
	    !is_private(c, &b, word))
		return NULL;
	return call_stuck(c, th, word);
}

/* A leader that has ended while others live on stays as a zombie. exit_group() wakes at once whom
 * we hold (the kernel's zap_other_threads()), long before the last of them has ended. */
static bool has_ended(const struct target *t, const struct thread *th)
{
	struct proc_stat stat = { 0 };

	if (thread_state_is_over(th->state))
		return true;
	struct error *err = procfs_stat(t->pid, th->lwp, &stat);
	bool gone = error_is(err, ERROR_GONE);

	error_ignore(err);
	bool woken = thread_state_stands(th->state) && stat.state != 't';
	return gone || woken || stat.state == 'Z' || stat.state == 'X';
}

static bool has_all_ended(const struct target *t)
{
	vec_for_each (th, &t->threads) {
		if (!has_ended(t, *th))
			return false;
	}
	return true;
}

struct error *call_watch(struct control *c, bool *ret_stands)
{
	struct target *t = c->live->target;
	const pid_t lwp = c->plan.lwp;
	struct thread *th = target_find_thread(t, lwp);

	*ret_stands = false;
	if (!th || has_ended(t, th)) {
		if (has_all_ended(t)) /* which is told next */
			return NULL;
		return error_new(ERROR_ABANDONED,
				 "The thread that called the function has ended in it.");
	}
	if (th->state != THREAD_RUNNING)
		return NULL;
	bool sleeps = wait_sleeps_in_futex(t, lwp);
	if (!sleeps && (++c->plan.looks % SPINNING_LOOKS || !wait_is_busy(t, lwp)))
		return NULL;
	struct error *err = target_stop_all(t);
	c->stands = *ret_stands = !err;
	th = err ? NULL : target_find_thread(t, lwp);
	if (err || !th || th->state != THREAD_STOPPED)
		return err;
	return sleeps ? look(c, th) : call_stuck_spinning(c, th);
}
