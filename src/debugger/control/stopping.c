/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/stopping.h"

#include <stdio.h>
#include <string.h>

#include "debugger/control/forks.h"
#include "debugger/control/left_place.h"
#include "debugger/control/placing.h"
#include "debugger/control/result.h"
#include "debugger/control/watch_hits.h"
#include "debugger/values/lookup.h"
#include "debugger/whereabouts.h"

static void set_exit_code(struct control *c, const struct stop_report *r)
{
	const bool killed = r->kind == STOPPED_KILLED;
	convenience_unset(c->values, "_exitcode");
	convenience_unset(c->values, "_exitsignal");
	convenience_set_int(c->values, killed ? "_exitsignal" : "_exitcode",
			    killed ? r->signal : r->value);
}

static struct error *end(struct control *c, struct stop_report *r)
{
	const bool left = r->kind == STOPPED_LEFT;
	struct error *err = left ? target_detach(c->live->target) : forks_release(c, "exit");

	c->stopped_by = 0;
	r->pid = c->pid;
	r->inferior = c->inferior;
	if (!left)
		set_exit_code(c, r);
	struct error *ended = placing_end(c);
	if (err)
		error_ignore(ended);
	return err ? err : ended;
}

/* What the step was for that the stop has put an end to. */
static struct error *give_up(struct control *c, struct stop_report *r, bool own)
{
	const struct numbered_thread *th = threads_by_lwp(&c->threads, c->plan.lwp);

	if (c->driver && c->driver->name && r->kind != STOPPED_TEAM) {
		r->given_up = strdup(c->driver->name);
		return r->given_up ? NULL : &error_nomem;
	}
	if (c->plan.kind == PLAN_NONE || own || !th)
		return NULL;
	if (asprintf(&r->given_up, "%s of thread %d", plan_name(&c->plan), th->number) >= 0)
		return NULL;
	r->given_up = NULL;
	return &error_nomem;
}

/* Breakpoints that are gone with this stop. */
static struct error *drop_temporary(struct control *c, const struct stop_report *r)
{
	struct error *err = NULL;

	for (size_t i = 0; i < r->hits.len && !err; i++) {
		struct breakpoint *b = breakpoint_find(&c->breakpoints, r->hits.items[i]);
		if (b && b->fate == FATE_DELETE)
			err = placing_remove(c, b);
	}
	return err;
}

struct error *stopping_find_team(struct control *c, struct stop_report *r)
{
	const struct unwind_frame *raw;
	struct whereabouts w;

	r->region = -1;
	if (!r->many || !c->frames.thread)
		return NULL;
	struct error *err = frames_raw(&c->frames, UNWIND_FRAMES_DEFAULT - 1, &raw);
	if (!err)
		err = whereabouts_find(c->live, c->frames.thread, &c->frames.raw, &w);
	if (err || !w.level)
		return err;
	r->region = w.region;
	r->team_number = w.number;
	r->team_size = w.size;
	return NULL;
}

/* Inlined calls at pc have not begun, but for those that breakpoints which were hit are in. */
static size_t hidden_calls(struct control *c, const struct stop_report *r, taddr pc)
{
	size_t ret = frames_calls_at(c->live, pc);
	struct code_block call;

	vec_for_each (number, &r->hits) {
		const struct breakpoint *b = breakpoint_find(&c->breakpoints, *number);
		for (size_t i = 0; b && i < b->locations.len; i++) {
			const struct breakpoint_location *l = &b->locations.items[i];
			size_t hidden =
				l->addr == pc ? breakpoint_hidden_calls(l, c->live, &call) : ret;
			ret = hidden < ret ? hidden : ret;
		}
	}
	return ret;
}

static struct error *find_hidden(struct control *c, pid_t lwp, const struct stop_report *r,
				 size_t *ret)
{
	const struct unwind_frame *raw;

	control_select_lwp(c, lwp, 0);
	struct error *err = frames_raw(&c->frames, 0, &raw);
	if (!err)
		*ret = hidden_calls(c, r, raw->pc);
	return err;
}

/* known: its frames have been looked at since it stands. */
static void select_stopped(struct control *c, pid_t lwp, size_t hidden, bool known)
{
	const struct frames *f = &c->frames;

	if (!known || !f->thread || f->thread->lwp != lwp || f->hidden != hidden)
		return control_select_lwp(c, lwp, hidden);
	c->selected = lwp;
	c->level = 0;
	c->stitched.lwp = 0;
}

/* What the step has met of constructs, if it was one that has ended here. */
static struct error *tell_construct(struct control *c, struct stop_report *r)
{
	const struct plan_construct *k = &c->plan.construct;

	if (!k->told)
		return NULL;
	r->construct = (struct report_construct){ .told = k->told, .line = k->line };
	memcpy(r->construct.by, k->by, sizeof(k->by));
	memcpy(r->construct.now, k->now, sizeof(k->now));
	r->construct.file = k->file ? strdup(k->file) : NULL;
	r->new_frame = true;
	return k->file && !r->construct.file ? &error_nomem : NULL;
}

static struct error *place(struct control *c, pid_t lwp, struct stop_report *r)
{
	const pid_t before = c->selected;
	const enum report_kind kind = r->kind;
	bool own = c->plan.kind != PLAN_NONE && lwp == c->plan.lwp;
	bool ends_plan = own && (kind == STOPPED_STEPPED || kind == STOPPED_FINISHED ||
				 kind == STOPPED_REACHED);
	size_t hidden = 0;
	struct error *err = threads_update(&c->threads, c->live->target);

	if (err)
		return err;
	err = ends_plan ? NULL : find_hidden(c, lwp, r, &hidden);
	select_stopped(c, lwp, ends_plan ? c->plan.hidden : hidden, ends_plan);
	if (!err && r->event.name)
		c->level = r->level;
	if (!err)
		err = control_report(c, r);
	if (!err && r->event.left.pc)
		err = left_place_report(c->live, &r->event.left, &r->place);
	r->place.mid_line &= !r->event.name;
	r->kind = kind;
	if (err)
		return err;
	r->switched = before && before != lwp;
	/* A step that ends in the frame that it goes by is told by its source line alone. */
	r->new_frame = kind != STOPPED_STEPPED || !c->plan.same_frame;
	err = stopping_find_team(c, r);
	if (!err && ends_plan)
		err = tell_construct(c, r);
	if (!err)
		err = watch_hits_find_team(c, r);
	if (err)
		return err;
	if (ends_plan && c->plan.escaped)
		r->place.mid_line = false;
	return give_up(c, r, own);
}

static struct error *tell_result(struct control *c, struct stop_report *r)
{
	struct scope scope;
	struct value value;

	if (r->kind != STOPPED_FINISHED || r->result || c->plan.escaped ||
	    c->plan.kind != PLAN_FINISH)
		return NULL;
	struct error *err = control_scope(c, &scope);
	if (err || !result_find(&scope, c->plan.finished_pc, &value))
		return err;
	err = value_keep(&scope, &value);
	return err ? err : convenience_record(c->values, &value, lookup_types(&scope), &r->result);
}

struct error *stopping_stop(struct control *c, pid_t lwp, struct stop_report *r)
{
	struct target *t = c->live->target;
	const struct plan_context context = control_plans(c);

	if (stop_report_is_end(r))
		return end(c, r);
	struct error *err = c->stands ? NULL : target_stop_all(t);
	c->stands = !err;
	if (error_is(err, ERROR_GONE)) { /* the end is told next */
		error_ignore(err);
		return NULL;
	}
	if (!err)
		err = place(c, lwp, r);
	if (!err)
		err = tell_result(c, r);
	plan_end(&c->plan, &context);
	c->stopped_by = r->hits.len ? r->hits.items[0] : 0;
	c->stopped_for = r->kind;
	c->stop_signal = r->signal;
	/* As gdb: "will silently stop". */
	r->place.known &= r->kind != STOPPED_CALL_ENDED;
	return err ? err : drop_temporary(c, r);
}

/* Whom an interrupt is told of: the one that was selected, or any that lives. */
static pid_t interrupted_thread(const struct control *c)
{
	const struct target *t = c->live->target;
	const struct thread *selected = control_selected_thread(c);

	if (selected && thread_state_stands(selected->state))
		return selected->lwp;
	vec_for_each (th, &t->threads) {
		if (thread_state_stands((*th)->state))
			return (*th)->lwp;
	}
	return t->threads.len ? t->threads.items[0]->lwp : 0;
}

struct error *stopping_interrupt(struct control *c, struct stop_report *r)
{
	struct error *err = target_stop_all(c->live->target);

	if (err)
		return err;
	r->kind = STOPPED_INTERRUPTED;
	r->signal = SIGINT;
	return stopping_stop(c, interrupted_thread(c), r);
}
