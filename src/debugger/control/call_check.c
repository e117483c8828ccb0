/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/call_check.h"

#include <linux/futex.h>
#include <string.h>

#include "ompd/picture/pthreads.h"
#include "target/code/blocked.h"

/* ---- before ----------------------------------------------------------------------------- */

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
	return NULL;
}

/* ---- while it runs ---------------------------------------------------------------------- */

/* Only threads of this process can wake who waits there, or threads that share its memory. */
static bool is_private(struct control *c, const struct blocked *b, taddr word)
{
	const struct map *map = map_list_find(&c->live->modules->maps, word);

	if (b->args[1] & FUTEX_PRIVATE_FLAG)
		return true;
	return map && !(map->flags & MAP_SHARED_);
}

/* "which thread 2 holds", where it is a mutex of the C library's that says so. */
static void add_holder(struct control *c, struct buf *out, taddr word)
{
	pid_t lwp = pthreads_mutex_owner(c->live->target, word);
	const struct numbered_thread *th = lwp ? threads_by_lwp(&c->threads, lwp) : NULL;

	if (th)
		buf_addf(out, ", which thread %d (LWP %d) holds", th->number, lwp);
}

static void add_function(struct control *c, struct buf *out, struct thread *th)
{
	const struct frame *frame = NULL;

	frames_select(&c->frames, c->live, th, 0);
	struct error *err = frames_get(&c->frames, 0, &frame);
	if (!err && frame && frame->function)
		buf_addf(out, " in %s()", symbol_shown_name(c->live->symbols, frame->function));
	error_ignore(err);
}

static struct error *is_stuck(struct control *c, struct thread *th, taddr word)
{
	AUTO_BUF text = { 0 };

	buf_addf(&text, "The function waits for something at 0x%" PRIx64, word);
	add_function(c, &text, th);
	add_holder(c, &text, word);
	buf_adds(&text,
		 ": only another thread can wake it, and those are held while a function "
		 "is called.\nThe call is given up, and the thread stands where it did before; "
		 "what the function has done by then stays done.");
	return buf_ok(&text) ? error_new(ERROR_ABANDONED, "%s", buf_text(&text)) : &error_nomem;
}

static struct error *look(struct control *c, struct thread *th)
{
	struct target *t = c->live->target;
	struct blocked b = blocked_get(t, NULL, th);
	taddr word;

	if (!blocked_on_futex(t, &b, &word) || blocked_has_limit(&b) || blocked_is_over(t, &b) ||
	    !is_private(c, &b, word))
		return NULL;
	return is_stuck(c, th, word);
}

static bool sleeps_in_futex(const struct target *t, pid_t lwp)
{
	long number = procfs_call(t->pid, lwp);
	const char *name = number >= 0 && (size_t)number < t->arch->ncall_names
				   ? t->arch->call_names[number]
				   : NULL;

	return name && !strncmp(name, "futex", strlen("futex"));
}

/* A leader that has ended while others live on stays as a zombie. */
static bool has_ended(const struct target *t, pid_t lwp)
{
	struct proc_stat stat = { 0 };
	struct error *err = procfs_stat(t->pid, lwp, &stat);
	bool gone = error_is(err, ERROR_GONE);

	error_ignore(err);
	return gone || stat.state == 'Z' || stat.state == 'X';
}

struct error *call_watch(struct control *c, bool *ret_stands)
{
	struct target *t = c->live->target;
	const pid_t lwp = c->plan.lwp;
	struct thread *th = target_find_thread(t, lwp);

	*ret_stands = false;
	if (!th || thread_state_is_over(th->state) || has_ended(t, lwp))
		return error_new(ERROR_ABANDONED,
				 "The thread that called the function has ended in it.");
	if (th->state != THREAD_RUNNING || !sleeps_in_futex(t, lwp))
		return NULL;
	struct error *err = target_stop_all(t);
	c->stands = *ret_stands = !err;
	th = err ? NULL : target_find_thread(t, lwp);
	return err || !th || th->state != THREAD_STOPPED ? err : look(c, th);
}
