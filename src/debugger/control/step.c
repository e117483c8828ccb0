/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/step.h"

#include "base/text.h"
#include "debugger/control/construct_code.h"
#include "debugger/control/construct_step.h"
#include "debugger/control/course.h"
#include "debugger/control/escape.h"
#include "debugger/control/inline_exits.h"
#include "debugger/control/loop_exits.h"
#include "debugger/control/outside.h"
#include "debugger/control/stub.h"
#include "debugger/control/task_finish.h"

/* So many frames further in than the plan's are still looked through for it. */
enum { DEEP = 16 };

/* ---- calls ------------------------------------------------------------------------------ */

static enum plan_answer end_here(struct plan *p, const struct where *w, size_t hidden)
{
	construct_step_end(p, w, hidden);
	p->hidden = hidden;
	p->same_frame = course_is_within(p, w) && w->nblocks - hidden == p->depth &&
			w->function == p->first_function;
	return PLAN_DONE;
}

/* Where the plan's frame is, from the inside. */
struct found_frame {
	size_t index;      /* 0: it is the innermost, or gone                                 */
	size_t trampoline; /* the outermost frame before it to which a signal's handler returns */
	bool handler;      /* there is one                                                     */
};

static struct error *find_frame(const struct plan *p, const struct plan_context *c,
				struct found_frame *ret)
{
	*ret = (struct found_frame){ 0 };
	for (size_t k = 0; k < DEEP; k++) {
		const struct unwind_frame *raw;
		struct error *err = frames_raw(c->frames, k, &raw);
		if (err)
			return err;
		if (!raw || raw->cfa > p->cfa)
			return NULL;
		if (raw->signal) {
			ret->handler = true;
			ret->trampoline = k;
		} else if (raw->cfa == p->cfa) {
			ret->index = k;
			return NULL;
		}
	}
	return NULL;
}

/* A runtime's code, or what the compiler has added to a construct's. */
static bool is_nobodys(const struct plan_context *c, taddr pc)
{
	enum code_kind kind = CODE_USER;

	error_ignore(construct_code_kind(c->session, pc, &kind));
	return kind == CODE_RUNTIME || construct_code_at(c->session, pc) == CODE_HELPER;
}

/* Where to stop in the function that is called at pc; 0: it is not to be entered. */
static taddr body_of(const struct plan_context *c, taddr pc)
{
	struct symbol_table *symbols = c->session->symbols;
	struct line_range range;

	if (is_nobodys(c, pc))
		return 0;
	const struct source_frame *levels;
	size_t len;
	taddr method = places_thunk_target(symbols, pc);

	pc = method ? method : pc;
	if (!places_line_range(symbols, pc, &range) || !range.line) {
		taddr target = stub_leads_to(c->session, pc);
		if (!target || !places_line_range(symbols, target, &range) || !range.line)
			return 0;
		pc = target;
	}
	struct error *err = symbol_locate(symbols, pc, &levels, &len);
	bool skipped = !err && c->skips &&
		       c->skips(c->context, levels[len - 1].function, levels[len - 1].file);
	error_ignore(err);
	return skipped ? 0 : places_skip_prologue(symbols, pc);
}

/*
 * Through the handler of a signal, to the code that it returns to, and step by step through that:
 * who comes back to an instruction that has not been executed has not arrived there anew (hits.h).
 */
static struct error *go_over_handler(struct plan *p, const struct plan_context *c,
				     const struct where *w, const struct found_frame *found,
				     enum plan_answer *ret)
{
	if (p->enters_handler && found->trampoline == 1 && w->has_line) {
		*ret = end_here(p, w, w->calls);
		return NULL;
	}
	if (found->trampoline)
		return escape_run_to_frame(p, c, found->trampoline, ROLE_RETURN);
	p->move = MOVE_STEP;
	return NULL;
}

static struct error *go_over_call(struct plan *p, const struct plan_context *c,
				  const struct where *w, size_t k, enum plan_answer *ret)
{
	taddr body = p->kind == PLAN_STEP ? body_of(c, w->pc) : 0;

	if (body && body == w->pc) {
		*ret = end_here(p, w, w->calls);
		return NULL;
	}
	struct error *err = body ? plan_add_point(p, c, ROLE_BODY, body, 0) : NULL;
	return err ? err : escape_run_to_frame(p, c, k, ROLE_RETURN);
}

/* ---- lines ------------------------------------------------------------------------------ */

/* Of the inlined calls that so many blocks are around, from the inside out, one is to be passed by.
 */
static bool is_skipped(const struct plan *p, const struct plan_context *c, const struct where *w,
		       size_t depth)
{
	bool ret = false;

	for (; c->skips && !ret && depth > p->depth; depth--)
		ret = c->skips(c->context, where_block(w, depth)->function,
			       w->has_line ? w->range.file : NULL);
	return ret;
}

/* In the plan's frame, before inlined calls: the line is the one that calls them. */
static enum plan_answer answer_call(struct plan *p, const struct plan_context *c,
				    const struct where *w)
{
	const struct code_block *call = where_block(w, p->depth + 1);

	if (construct_code_of(call->function) == CODE_HELPER) {
		course_through_inlined(p, w, p->depth + 1);
		return PLAN_GOES_ON;
	}
	if (!course_is_line(p, call->call_file, call->call_line))
		return end_here(p, w, w->calls);
	if (p->kind == PLAN_STEP && !is_skipped(p, c, w, p->depth + 1))
		return end_here(p, w, w->calls - 1);
	course_through_inlined(p, w, p->depth + 1);
	return PLAN_GOES_ON;
}

/* In the midst of a call that was inlined into the plan's frame. */
static enum plan_answer answer_inlined(struct plan *p, const struct plan_context *c,
				       const struct where *w)
{
	const struct code_block *call = where_block(w, p->depth + 1);

	if (p->kind == PLAN_STEP && !is_skipped(p, c, w, where_depth(w)) &&
	    construct_code_of(call->function) != CODE_HELPER)
		return end_here(p, w, w->calls);
	course_through_inlined(p, w, p->depth + 1);
	return PLAN_GOES_ON;
}

/* Before inlined code that is of the same construct as what is around it: in that. */
static bool enter_same(struct plan *p, struct where *w)
{
	const struct code_block *around = where_block(w, p->depth);

	if (!w->calls || !around ||
	    !construct_code_is_one(where_block(w, p->depth + 1)->function, around->function))
		return false;
	w->calls--;
	course_by_frame(p, w, p->depth + 1);
	return true;
}

/*
 * Behind the range, and not in a call: another line, the midst of one, or another frame. A row that
 * is no statement is not stopped at, nor is its line the plan's: the next one may go on with that.
 */
static enum plan_answer answer_line(struct plan *p, const struct plan_context *c, struct where *w)
{
	bool within = course_is_within(p, w);

	if (course_keeps(p, c, w)) {
		course_through_row(p, w);
		return PLAN_GOES_ON;
	}
	if (!within) /* out of memory, it knows of no construct */
		error_ignore(construct_step_return(p, c, w));

	if (!w->has_line)
		return end_here(p, w, w->calls);
	if (within && where_depth(w) > p->depth)
		return answer_inlined(p, c, w);
	if (within && !enter_same(p, w) && w->calls)
		return answer_call(p, c, w);
	if (!w->range.begins || course_is_line(p, w->range.file, w->range.line)) {
		course_by(p, w);
		return PLAN_GOES_ON;
	}
	if (construct_step_passes(p, c, w))
		return PLAN_GOES_ON;
	if (w->range.is_start)
		return end_here(p, w, w->calls);
	if (!within) {
		course_by_frame(p, w, where_depth(w));
		p->line = 0;
	}
	course_through_row(p, w);
	return PLAN_GOES_ON;
}

/* A single step of the range, or back in it; maybe from a recursion, to a frame further out. */
static bool is_in_range(struct plan *p, const struct where *w)
{
	if (p->move != MOVE_RANGE || w->function != p->function || w->pc < p->range.start ||
	    w->pc >= p->range.end)
		return false;
	if (w->cfa != p->cfa) {
		course_by_frame(p, w, where_depth(w));
		p->first_function = 0;
	}
	course_through(p, p->range);
	return true;
}

static struct error *answer_step(struct plan *p, const struct plan_context *c,
				 enum plan_answer *ret)
{
	bool single = p->kind == PLAN_STEPI || p->kind == PLAN_NEXTI;
	struct where w;
	struct found_frame found;
	struct error *err = where_find(c, &w);

	*ret = PLAN_GOES_ON;
	if (!err)
		err = find_frame(p, c, &found);
	if (err)
		return err;
	course_stay_within(p, &w);
	if (p->kind == PLAN_STEPI) {
		*ret = end_here(p, &w, 0);
		return NULL;
	}
	if (found.index && found.handler)
		return go_over_handler(p, c, &w, &found, ret);
	bool taken;
	err = construct_step_answer(p, c, &w, found.index, &taken, ret);
	if (err || taken)
		return err;
	if (found.index)
		return go_over_call(p, c, &w, found.index, ret);
	if (!w.has_line && !w.nblocks) {
		bool called;
		err = outside_pass(p, c, &called);
		if (err || called)
			return err;
		/* A function may end by a jump to a stub. */
		if (p->kind == PLAN_STEP || (!single && stub_leads_to(c->session, w.pc)))
			return outside_leave(p, c, w.pc, ret);
	}
	if (single)
		*ret = end_here(p, &w, 0);
	else if (!is_in_range(p, &w))
		*ret = answer_line(p, c, &w);
	return *ret == PLAN_GOES_ON && p->kind != PLAN_STEP ? inline_exits_run(p, c, &w) : NULL;
}

/* ---- what happens ----------------------------------------------------------------------- */

/* Behind a call, as of setjmp(), in the same line: other rows than its first begin none. */
static bool is_within_line(const struct plan_context *c, const struct where *w)
{
	struct line_range call;

	return places_line_range(c->session->symbols, w->pc - 1, &call) &&
	       call.line == w->range.line && text_same(call.file, w->range.file);
}

/* What was waited for has been left by an exception or a jump. */
static struct error *answer_landing(struct plan *p, const struct plan_context *c, bool handler,
				    enum plan_answer *ret)
{
	bool steps = p->kind == PLAN_STEP || p->kind == PLAN_NEXT || p->kind == PLAN_UNTIL;
	struct where w;
	struct error *err = where_find(c, &w);

	if (err)
		return err;
	if (p->kind != PLAN_STEP && course_is_within(p, &w) && where_depth(&w) > p->depth) {
		*ret = answer_inlined(p, c, &w);
		return NULL;
	}
	bool same_line = w.has_line && course_is_line(p, w.range.file, w.range.line);
	if (steps && w.has_line && course_is_within(p, &w) && (same_line || !handler)) {
		if (same_line || is_within_line(c, &w))
			course_by(p, &w);
		else
			*ret = answer_line(p, c, &w);
		return NULL;
	}
	p->escaped = true;
	*ret = end_here(p, &w, w.calls);
	return NULL;
}

static struct error *answer_point(struct plan *p, const struct plan_context *c,
				  enum point_role role, enum plan_answer *ret)
{
	struct error *err;

	*ret = PLAN_GOES_ON;
	switch (role) {
	case ROLE_CATCH:
	case ROLE_JUMP:
		return escape_follow(p, c, role);
	case ROLE_GOAL:
		if (p->stays && c->frames->raw.items[0].cfa != p->cfa)
			return NULL;
		if (p->kind == PLAN_REACH) /* what there would be to tell is behind the frame */
			p->construct.told = TOLD_NOTHING;
		/* fall through */
	case ROLE_LEFT:
	case ROLE_BODY:
		p->lwp = c->frames->thread->lwp;
		p->hidden = frames_calls_at(c->session, c->frames->raw.items[0].pc);
		p->same_frame = p->kind == PLAN_UNTIL; /* of loop_exits.h */
		*ret = PLAN_DONE;
		return NULL;
	case ROLE_TERMINATE:
		return NULL;
	case ROLE_ENTRY:
	case ROLE_BEHIND:
	case ROLE_COPY:
	case ROLE_COPIER:
	case ROLE_MADE:
	case ROLE_REGION_END:
	case ROLE_WAITS:
		return construct_step_point(p, c, role, ret);
	case ROLE_LANDING:
	case ROLE_JUMPED:
	case ROLE_RETURN:
	case ROLE_OUT:
		break;
	}
	err = plan_drop_way(p, c);
	if (err)
		return err;
	p->move = MOVE_RANGE;
	return role == ROLE_RETURN || role == ROLE_OUT
		       ? answer_step(p, c, ret)
		       : answer_landing(p, c, role == ROLE_LANDING, ret);
}

/* Once more, for those that are to be done several times. */
static struct error *count(struct plan *p, const struct plan_context *c, enum plan_answer *ret)
{
	bool counts = p->kind != PLAN_FINISH && p->kind != PLAN_FINISH_INLINE &&
		      p->kind != PLAN_REACH && !p->escaped;
	struct error *err = NULL;

	while (!err && *ret == PLAN_DONE && counts && p->count > 1) {
		p->count--;
		frames_select(c->frames, c->session, c->frames->thread, p->hidden);
		err = step_begin(p, c, ret);
	}
	return err;
}

struct error *step_answer(struct plan *p, const struct plan_context *c,
			  const struct plan_point *point, enum plan_answer *ret)
{
	const struct unwind_frame *raw;
	struct error *err = frames_raw(c->frames, 0, &raw);

	if (!err)
		err = point ? answer_point(p, c, point->role, ret) : answer_step(p, c, ret);
	return err ? err : count(p, c, ret);
}

/* ---- beginning -------------------------------------------------------------------------- */

/* Where a call has not begun, the line is the one that calls it. */
static void begin_at(struct plan *p, const struct where *w, size_t hidden)
{
	course_by_frame(p, w, w->nblocks - hidden);
	course_by_line(p, w);
	course_through_row(p, w);
	if (hidden)
		course_set_line(p, w->blocks[hidden - 1].call_file,
				w->blocks[hidden - 1].call_line);
	p->first_function = w->function;
}

/* until: all that lies before the end of the line, with rows that are no statements. */
static struct error *go_not_back(struct plan *p, const struct plan_context *c,
				 const struct where *w)
{
	struct code_range row = p->range;
	struct line_range next;

	if (w->function && w->function < p->range.start)
		p->range.start = w->function;
	while (places_line_range(c->session->symbols, p->range.end, &next) && next.begins &&
	       !next.is_start && course_is_line(p, next.file, next.line))
		p->range.end = next.end;
	row.end = p->range.end;
	course_through(p, p->range);
	struct error *err = plan_drop_points(p, c, ROLE_GOAL);
	return err ? err : loop_exits_add(p, c, row);
}

struct error *step_begin(struct plan *p, const struct plan_context *c, enum plan_answer *ret)
{
	struct where w;
	struct error *err = where_find(c, &w);

	if (err)
		return err;
	size_t hidden = c->frames->hidden <= w.nblocks ? c->frames->hidden : 0;
	*ret = PLAN_GOES_ON;
	begin_at(p, &w, hidden);
	bool leaves = false;
	err = construct_step_begin(p, c, w.pc, &leaves);
	if (err || leaves)
		return err;
	if (p->kind == PLAN_STEP && hidden && !is_skipped(p, c, &w, p->depth + 1) &&
	    !construct_step_begins_before(c, &w)) {
		if (!construct_step_begins_code(p, c, &w, hidden, ret))
			*ret = end_here(p, &w, hidden - 1);
		return NULL;
	}
	if (p->kind == PLAN_STEPI || p->kind == PLAN_NEXTI) {
		p->move = MOVE_STEP;
	} else if (!w.has_line && w.nblocks) {
		/* No lines: up to the end of the function, as if that were one line. */
		p->range = (struct code_range){ w.blocks[0].start, w.blocks[0].end };
		course_through(p, p->range);
		if (p->kind == PLAN_STEP)
			p->kind = PLAN_NEXT;
	} else if (!w.has_line) {
		return error_new(ERROR_NOT_FOUND, "Cannot find bounds of current function");
	} else if (p->kind == PLAN_UNTIL) {
		return go_not_back(p, c, &w);
	}
	return NULL;
}

struct error *step_may_finish(const struct plan_context *c, size_t frame)
{
	const struct frame *caller;
	struct error *err = frames_get(c->frames, frame + 1, &caller);

	if (!err && !caller)
		err = error_new(ERROR_USAGE, "\"finish\" not meaningful in the outermost frame.");
	return err;
}

/* There is nothing to return from: as next in the caller, at no line of it. */
static struct error *finish_inlined(struct plan *p, const struct plan_context *c,
				    const struct frame *leaves)
{
	struct where w;
	const size_t raw = leaves->raw, level = leaves->level;
	struct error *err = where_find_caller(c, raw, &w);

	if (err)
		return err;
	p->kind = PLAN_FINISH_INLINE;
	course_by_frame(p, &w, w.nblocks > level ? w.nblocks - level - 1 : 0);
	course_through_inlined(p, &w, p->depth + 1);
	return raw ? escape_run_to_frame(p, c, raw, ROLE_RETURN) : inline_exits_run(p, c, &w);
}

struct error *step_begin_finish(struct plan *p, const struct plan_context *c, size_t frame)
{
	const struct frame *leaves;
	struct error *err = step_may_finish(c, frame);

	if (!err)
		err = construct_step_outermost(c, &frame);
	if (!err)
		err = frames_get(c->frames, frame, &leaves);
	if (err)
		return err;
	if (leaves->inlined)
		return finish_inlined(p, c, leaves);
	const size_t raw = leaves->raw;
	p->finished_pc = leaves->exact || !leaves->pc ? leaves->pc : leaves->pc - 1;
	p->kind = PLAN_FINISH;
	bool is_construct;
	err = construct_step_finish(p, c, raw, ROLE_GOAL, &is_construct);
	if (err || is_construct)
		return err;
	return escape_run_to_frame(p, c, raw + 1, ROLE_GOAL);
}

struct error *step_begin_finish_task(struct plan *p, const struct plan_context *c)
{
	p->kind = PLAN_FINISH;
	p->finished_pc = 0;
	return task_finish_begin(p, c);
}

struct error *step_begin_reach(struct plan *p, const struct plan_context *c,
			       const struct code_places *goals, size_t frame, bool anywhere)
{
	const struct frame *leaves, *outermost = NULL;
	const struct unwind_frame *caller = NULL;
	size_t outer = frame;
	struct error *err = construct_step_outermost(c, &outer);

	if (!err)
		err = frames_get(c->frames, outer, &outermost);
	const size_t raw = !err && outermost ? outermost->raw : 0;
	if (!err)
		err = frames_get(c->frames, frame, &leaves);

	p->kind = PLAN_REACH;
	p->move = MOVE_RUN;
	p->stays = !err && leaves && !anywhere;
	if (p->stays)
		p->cfa = leaves->cfa;
	for (size_t i = 0; i < goals->len && !err; i++)
		err = plan_add_point(p, c, ROLE_GOAL, goals->items[i].addr, 0);
	if (!err)
		err = frames_raw(c->frames, raw + 1, &caller);
	bool is_construct = false;
	if (!err && caller)
		err = construct_step_finish(p, c, raw, ROLE_LEFT, &is_construct);
	return err || !caller || is_construct ? err : escape_run_to_frame(p, c, raw + 1, ROLE_LEFT);
}
