/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/team_member.h"

#include "debugger/whereabouts.h"

void team_fini(struct team *t)
{
	vec_for_each (m, &t->members)
		vec_fini(&m->calls);
	vec_fini(&t->members);
}

int team_member_of(const struct team *t, pid_t lwp)
{
	for (size_t i = 0; i < t->members.len; i++) {
		if (lwp && t->members.items[i].lwp == lwp)
			return (int)i;
	}
	return -1;
}

/* ---- by the look ------------------------------------------------------------------------ */

/* The run of the runtime's frames that has called the region's function; NULL: it is not in it. */
static const struct span *find_root(const struct picture_thread *th, int region)
{
	for (size_t i = 0; i < th->spans.list.len; i++) {
		const struct span *span = &th->spans.list.items[i];
		if (th->borders && th->borders[i].region == region && span->call == SPAN_PARALLEL)
			return span;
	}
	return NULL;
}

/* The call of another library. */
static struct error *add_outside(const struct picture_thread *th, const struct unwind_stack *raw,
				 struct team_member *ret)
{
	struct member_call call = { .back = th->wait.place.pc, .place = PLACE_WAIT };

	for (size_t i = 1; i < raw->len && call.back && !call.sp; i++) {
		if (raw->items[i].pc == call.back)
			call.sp = raw->items[i - 1].cfa;
	}
	return !call.sp || vec_push(&ret->calls, call) ? NULL : &error_nomem;
}

/* The call of the runtime that it is in, by the user's code around that. */
static struct error *add_wait(const struct picture_thread *th, const struct unwind_stack *raw,
			      struct team_member *ret)
{
	const struct span *span = spans_innermost(&th->spans);

	if (th->wait.kind == WAIT_SYSCALL)
		return add_outside(th, raw, ret);
	if (!span || span->call != SPAN_WAITS || span->root || span->outer >= raw->len ||
	    !wait_kind_is_wait(th->wait.kind))
		return NULL;
	const struct member_call call = {
		.back = raw->items[span->outer].pc,
		.sp = raw->items[span->outer - 1].cfa,
		.place = wait_kind_traits(th->wait.kind)->is_barrier ? PLACE_BARRIER : PLACE_WAIT,
	};
	vec_for_each (known, &ret->calls) {
		if (known->back == call.back && known->sp == call.sp)
			return NULL;
	}
	return vec_push(&ret->calls, call) ? NULL : &error_nomem;
}

static struct error *fill(const struct picture_thread *th, const struct unwind_stack *raw,
			  int region, struct team_member *ret)
{
	const struct span *root = find_root(th, region);

	ret->lwp = th->lwp;
	/* Past it, or not there yet: runtimes have the same barrier for both (team_look.h). */
	if (!root || !root->inner || root->inner >= raw->len)
		return NULL;
	ret->here = true;
	ret->end = raw->items[root->inner].pc;
	ret->end_sp = raw->items[root->inner - 1].cfa;
	return add_wait(th, raw, ret);
}

/* The call that has made the region, also where the primary thread is in no code of that: it has
 * not begun yet, or waits at the end. */
static const struct span *find_fork(const struct picture_thread *th, int region)
{
	const struct span *ret = find_root(th, region);

	for (size_t i = 0; !ret && th->borders && i < th->spans.list.len; i++) {
		if (th->borders[i].region == region)
			ret = &th->spans.list.items[i];
	}
	return ret;
}

/* Behind the frames of the runtime that the primary thread has entered the region by. */
static void find_behind(const struct picture_thread *th, const struct unwind_stack *raw, int region,
			struct team *ret)
{
	const struct span *fork = find_fork(th, region);

	if (!fork || fork->root || !fork->outer || fork->outer >= raw->len)
		return;
	ret->behind = raw->items[fork->outer].pc;
	ret->behind_sp = raw->items[fork->outer - 1].cfa;
}

static struct error *add_members(const struct look *l, const struct picture_region *r, int region,
				 struct team *ret)
{
	const struct picture *p = &l->snapshot->picture;
	const struct unwind_stack *raw = l->snapshot->stacks->raw;
	const size_t size = r->size > 0 && (size_t)r->size < p->threads.len + 1 ? (size_t)r->size
										: r->members.len;

	for (size_t i = 0; i < size; i++) {
		const int thread = i < r->members.len ? r->members.items[i] : -1;
		struct team_member made = { 0 };
		struct error *err =
			thread < 0 ? NULL
				   : fill(&p->threads.items[thread], &raw[thread], region, &made);
		if (err || !vec_push(&ret->members, made)) {
			vec_fini(&made.calls);
			return err ? err : &error_nomem;
		}
		if (thread >= 0 && i == 0) {
			ret->primary = made.lwp;
			find_behind(&p->threads.items[thread], &raw[thread], region, ret);
		}
	}
	return NULL;
}

/* A thread that is being made, and may become one of the team. */
static bool has_newcomer(const struct picture *p)
{
	bool ret = false;

	vec_for_each (th, &p->threads)
		ret |= th->role == ROLE_NONE && !th->wait.settled;
	return ret;
}

/* The primary thread executes the region, and waits at its end, when all have been made. */
static void find_gone(const struct picture *p, struct team *t)
{
	const struct team_member *primary = t->members.items;
	const struct picture_thread *th =
		t->members.len ? picture_thread(p, team_thread(p, primary->lwp)) : NULL;
	const bool begun = !th || primary->here || th->wait.kind == WAIT_REGION_END;
	const bool made = begun && !has_newcomer(p);

	vec_for_each (m, &t->members)
		m->gone = made && !m->lwp;
}

struct error *team_find(struct control *c, const struct look *l, struct team *ret)
{
	const struct picture *p = &l->snapshot->picture;
	int region;
	struct error *err = team_need_current(c, p, &region);

	if (err)
		return err;
	const struct picture_region *r = picture_region(p, region);
	ret->number = (int)picture_region_id(p, region);
	ret->function = r->function;
	err = add_members(l, r, region, ret);
	find_gone(p, ret);
	if (!err && !ret->members.len)
		err = error_new(ERROR_USAGE, "which threads team %d has is not known", ret->number);
	return err;
}

static bool is_past(const struct picture *p, const struct picture_thread *th, int region)
{
	bool ret = false;

	for (size_t i = 0; th->borders && i < th->spans.list.len; i++) {
		const struct picture_task *task = picture_task(p, th->borders[i].task);
		ret |= task && task->kind == TASK_EXPLICIT && task->region == region;
	}
	return ret && !find_root(th, region);
}

bool team_find_past(const struct look *l, struct team *t)
{
	bool ret = false;
	const struct picture *p = &l->snapshot->picture;
	const int region = picture_region_by_id(p, t->number);

	vec_for_each (m, &t->members) {
		const struct picture_thread *th = picture_thread(p, team_thread(p, m->lwp));
		if (region >= 0 && th && !m->here && is_past(p, th, region))
			ret = m->here = m->ended = true;
	}
	return ret;
}

/* ---- later ------------------------------------------------------------------------------ */

/* Regions may have other numbers by then. */
void team_find_behind(const struct look *l, struct team *t)
{
	const struct picture *p = &l->snapshot->picture;
	const pid_t lwp = t->members.items[0].lwp;
	const int thread = team_thread(p, lwp);

	t->primary = lwp;
	if (thread >= 0)
		find_behind(&p->threads.items[thread], &l->snapshot->stacks->raw[thread],
			    p->threads.items[thread].region, t);
}

struct error *team_member_waits(const struct look *l, int thread, struct team_member *m)
{
	return add_wait(&l->snapshot->picture.threads.items[thread],
			&l->snapshot->stacks->raw[thread], m);
}

struct error *team_member_enters(struct control *c, struct team *t, struct thread *th)
{
	const struct unwind_frame *raw = NULL;
	struct whereabouts w;
	uint64_t sp = 0, back = 0;

	frames_select(&c->frames, c->live, th, 0);
	struct error *err = frames_raw(&c->frames, UNWIND_FRAMES_DEFAULT - 1, &raw);
	if (!err)
		err = whereabouts_find(c->live, th, &c->frames.raw, &w);
	if (!err)
		err = target_get_uint(c->live->target, th, c->live->target->arch->sp, &sp);
	if (!err)
		err = target_read_uint(c->live->target, sp, sizeof(back), &back);
	if (err || w.number < 0 || (size_t)w.number >= t->members.len ||
	    (size_t)w.size != t->members.len)
		return err;
	struct team_member *m = &t->members.items[w.number];
	if (m->here && m->lwp != th->lwp)
		return NULL; /* of another team that executes the same */
	m->lwp = th->lwp;
	m->here = true;
	m->end = back;
	m->end_sp = sp + sizeof(back);
	return NULL;
}
