/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/hang.h"

#include <string.h>

#include "base/clock.h"
#include "debugger/why/why_verdict.h"

/* Milliseconds: between looks, which come ever more seldom; from which on one was busy for long;
 * between two looks of which the second one confirms the first one. */
enum { FIRST = 25, BUSY = 200, SELDOM = 2000, SOON = 20 };
enum { SHARE = 40 }; /* one part of so many of the time goes into looks */

void hang_begin(struct control *c)
{
	hang_end(c);
	c->hang.pause = FIRST;
	c->hang.used = 0;
}

void hang_end(struct control *c)
{
	wait_marks_fini(&c->hang.marks);
	c->hang.marks = (struct wait_marks){ 0 };
}

int hang_pause(const struct control *c)
{
	return c->hang.pause;
}

/* ---- verdicts --------------------------------------------------------------------------- */

/* Without what follows its first line, and its full stop. */
static void set_verdict(const struct why *why, struct buf *text)
{
	const size_t len = strcspn(why->summary, "\n");

	buf_clear(text);
	buf_add(text, why->summary, len && why->summary[len - 1] == '.' ? len - 1 : len);
}

static struct error *judge(const struct control *c, struct look *l, struct wait_marks *marks,
			   struct why *ret)
{
	progress_fini(&l->progress);
	struct error *err =
		wait_marks_pace(marks, c->live->target, &l->snapshot->picture, &l->progress);

	return err ? err : why_verdict_find(l->snapshot, &l->progress, ret);
}

struct error *hang_find_deadlock(const struct control *c, struct look *l, struct wait_marks *marks,
				 struct buf *text)
{
	AUTO(why_fini) struct why why = { 0 };
	struct error *err = judge(c, l, marks, &why);

	/* Threads that stand by our will may look as if they could give nothing back. */
	if (!err && why.verdict == WHY_DEADLOCK)
		set_verdict(&why, text);
	return err;
}

/* Of the nodes those of the threads come first. thread: -1: nobody steps: all of them wait, for
 * those that are held. */
static bool is_hung(const struct why *why, const struct picture *p, int thread)
{
	bool all = why->class == WHY_HELD && why->nodes.len >= p->threads.len;

	for (size_t i = 0; all && thread < 0 && i < p->threads.len; i++)
		all = why->nodes.items[i].stuck;
	if (thread < 0)
		return all;
	const bool sure = (why->verdict == WHY_DEADLOCK && why->confidence != WHY_GUESS) ||
			  (why->verdict == WHY_STUCK && why->confidence == WHY_CERTAIN) ||
			  why->class == WHY_HELD;

	return sure && (size_t)thread < why->nodes.len && why->nodes.items[thread].stuck;
}

/* ---- looks ------------------------------------------------------------------------------ */

/* Those that "scheduler-locking" holds. */
static void mark_locked(const struct control *c, struct picture *p)
{
	vec_for_each (th, &p->threads) {
		const struct thread *known = target_find_thread(c->live->target, th->lwp);
		if (known && known->held && !th->held)
			th->held = HELD_BY_LOCKING;
	}
}

/* It has slept, in a system call for the threads of the process, since this was asked last. */
static bool sleeps(struct control *c, pid_t lwp)
{
	const struct target *t = c->live->target;
	const uint64_t before = c->hang.used;
	struct proc_use use = { 0 };

	error_ignore(procfs_use(t->pid, lwp, &use));
	c->hang.used = use.cpu_ns;
	return before && before == use.cpu_ns && wait_sleeps_in_futex(t, lwp);
}

static bool runs(const struct thread *th)
{
	return th && !thread_state_stands(th->state) && !thread_state_is_over(th->state);
}

/* What it does may be a wait for other threads of the process. */
static bool may_wait(struct control *c, const struct thread *th)
{
	const int pause = c->hang.pause;

	if (!runs(th))
		return false;
	return sleeps(c, th->lwp) || pause == SOON ||
	       (pause >= BUSY && wait_is_busy(c->live->target, th->lwp));
}

/* The same of each that runs. */
static bool may_all_wait(const struct control *c)
{
	const struct target *t = c->live->target;
	bool ret = true;

	vec_for_each (th, &t->threads) {
		if (runs(*th))
			ret = ret && (wait_sleeps_in_futex(t, (*th)->lwp) ||
				      (c->hang.pause >= BUSY && wait_is_busy(t, (*th)->lwp)));
	}
	return ret || c->hang.pause == SOON;
}

/* Of the threads that may run the selected one, or the first. */
static pid_t first_that_runs(const struct control *c, const struct picture *p)
{
	const int selected = team_thread(p, c->selected);

	if (selected >= 0 && !p->threads.items[selected].held)
		return c->selected;
	vec_for_each (th, &p->threads) {
		if (!th->held)
			return th->lwp;
	}
	return c->selected;
}

static bool spins(const struct picture *p, int thread)
{
	bool any = false;

	if (thread >= 0)
		return p->threads.items[thread].wait.spinning;
	vec_for_each (th, &p->threads)
		any |= th->wait.spinning;
	return any;
}

/* again: at once behind another look, where *ret_again wanted that: one may come between two steps
 * of a runtime. */
static struct error *look(struct control *c, struct stop_report *r, bool again, pid_t *lwp,
			  bool *ret_again, bool *ret_stops)
{
	AUTO_LOOK l = { 0 };
	AUTO(why_fini) struct why why = { 0 };
	AUTO_BUF text = { 0 };
	struct error *err = team_look(c, false, &l);

	if (err)
		return err;
	struct picture *p = &l.snapshot->picture;
	const bool steps = c->plan.kind != PLAN_NONE;
	const int thread = steps ? team_thread(p, c->plan.lwp) : -1;
	if (steps && (thread < 0 || !wait_is_blocked(&p->threads.items[thread])))
		return NULL;
	mark_locked(c, p);
	err = judge(c, &l, &c->hang.marks, &why);
	const bool hung = !err && is_hung(&why, p, thread);
	*ret_again = !again && (hung || spins(p, thread));
	if (!hung || !again)
		return err;
	*lwp = steps ? c->plan.lwp : first_that_runs(c, p);
	set_verdict(&why, &text);
	free(r->text);
	r->kind = STOPPED_STUCK;
	r->text = buf_ok(&text) ? strdup(buf_text(&text)) : NULL;
	*ret_stops = true;
	return r->text ? NULL : &error_nomem;
}

bool hang_is_due(const struct control *c)
{
	bool any = c->plan.kind != PLAN_NONE;

	vec_for_each (th, &c->live->target->threads)
		any |= (*th)->held;
	return any;
}

struct error *hang_look(struct control *c, struct stop_report *r, pid_t *lwp, bool *ret_stops)
{
	struct target *t = c->live->target;
	const bool again = c->hang.pause == SOON;
	const bool waits = c->plan.kind == PLAN_NONE
				   ? may_all_wait(c)
				   : may_wait(c, target_find_thread(t, c->plan.lwp));
	const int64_t began = clock_us();
	bool soon = false;

	if (!again)
		c->hang.kept = c->hang.pause * 2 < SELDOM ? c->hang.pause * 2 : SELDOM;
	c->hang.pause = c->hang.kept;
	if (!waits)
		return NULL;
	struct error *err = target_stop_all(t);
	c->stands = !err;
	if (!err)
		err = look(c, r, again, lwp, &soon, ret_stops);
	const int pause = (int)((clock_us() - began) * SHARE / 1000);
	c->hang.pause = soon ? SOON : pause > c->hang.kept ? pause : c->hang.kept;
	return err;
}

/* ---- what is shown ---------------------------------------------------------------------- */

struct error *hang_show_caller(struct control *c, struct stop_report *r)
{
	enum { DEEPEST = 32 };
	const struct frame *frame = NULL;

	for (size_t level = 0; c->frames.thread && level < DEEPEST; level++) {
		struct error *err = frames_get(&c->frames, level, &frame);
		if (err || !frame)
			return err;
		if (!frame->file)
			continue;
		err = level ? control_select_frame(c, level) : NULL;
		if (err || !level)
			return err;
		report_place_fini(&r->place);
		return frames_place(&c->frames, frame, &r->place);
	}
	return NULL;
}
