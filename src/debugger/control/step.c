/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/step.h"

#include "base/text.h"
#include "debugger/control/escape.h"
#include "debugger/control/outside.h"
#include "debugger/control/stub.h"
#include "debugger/control/where.h"

/* So many frames further in than the plan's are still looked through for it. */
enum { DEEP = 16 };

/* ---- moves ------------------------------------------------------------------------------ */

static void go_through(struct plan *p, const struct line_range *range)
{
	p->start = range->start;
	p->end = range->end;
	p->move = MOVE_RANGE;
}

/* The plan goes by the frame and the line where the thread stands now. */
static void go_by(struct plan *p, const struct where *w, size_t hidden)
{
	const struct code_block *shown;

	p->cfa = w->cfa;
	p->function = w->function;
	p->depth = w->nblocks - hidden;
	shown = where_block(w, p->depth);
	p->block = shown ? shown->entry : 0;
	p->file = w->has_line ? w->range.file : NULL;
	p->line = w->has_line ? w->range.line : 0;
	/* A call that has not begun is where the line is that calls it. */
	if (hidden && hidden <= w->nblocks) {
		p->file = w->blocks[hidden - 1].call_file;
		p->line = w->blocks[hidden - 1].call_line;
	}
	if (w->has_line)
		go_through(p, &w->range);
	else
		p->move = MOVE_STEP;
}

static bool is_line_of(const struct plan *p, const char *file, int line)
{
	return p->line == line && text_same(p->file, file);
}

static enum plan_answer end_here(struct plan *p, size_t hidden)
{
	p->hidden = hidden;
	return PLAN_DONE;
}

/* ---- calls ------------------------------------------------------------------------------ */

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

/* Where to stop in the function that is called at pc; 0: it is not to be entered. */
static taddr body_of(const struct plan_context *c, taddr pc)
{
	struct symbol_table *symbols = c->session->symbols;
	struct line_range range;
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
		*ret = end_here(p, w->calls);
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
		p->hidden = w->calls;
		*ret = PLAN_DONE;
		return NULL;
	}
	struct error *err = body ? plan_add_point(p, c, ROLE_BODY, body, 0) : NULL;
	return err ? err : escape_run_to_frame(p, c, k, ROLE_RETURN);
}

/* ---- lines ------------------------------------------------------------------------------ */

/* In the plan's own function: at or in a call that was inlined into its frame. */
static bool answer_inlined(struct plan *p, const struct where *w, enum plan_answer *ret)
{
	const struct code_block *shown = where_block(w, p->depth);
	size_t now = w->nblocks - w->calls;

	if (!shown || shown->entry != p->block || w->nblocks <= p->depth)
		return false;
	if (now > p->depth) {
		*ret = p->kind == PLAN_STEP ? end_here(p, w->calls) : PLAN_GOES_ON;
	} else {
		const struct code_block *call = where_block(w, p->depth + 1);
		bool same_line = is_line_of(p, call->call_file, call->call_line);
		size_t hidden = w->nblocks - p->depth;
		if (!same_line)
			*ret = end_here(p, hidden);
		else if (p->kind == PLAN_STEP)
			*ret = end_here(p, hidden - 1);
		else
			*ret = PLAN_GOES_ON;
	}
	if (*ret == PLAN_GOES_ON && w->has_line)
		go_through(p, &w->range);
	else
		p->move = MOVE_STEP;
	return true;
}

static bool is_same_frame(const struct plan *p, const struct where *w)
{
	const struct code_block *shown = where_block(w, p->depth);

	if (w->cfa != p->cfa || w->function != p->function)
		return false;
	return !p->depth || (shown && shown->entry == p->block);
}

/* Behind the range, and not in a call: another line, the middle of one, or another frame. */
static enum plan_answer answer_line(struct plan *p, const struct where *w)
{
	bool same_frame = is_same_frame(p, w);
	enum plan_answer ret;

	if (same_frame && answer_inlined(p, w, &ret))
		return ret;
	if (!w->has_line)
		return end_here(p, w->calls);
	bool begins = w->range.begins && !is_line_of(p, w->range.file, w->range.line);
	if (begins && w->range.is_start)
		return end_here(p, w->calls);
	if (begins && same_frame)
		go_through(p, &w->range);
	else
		go_by(p, w, w->calls);
	return PLAN_GOES_ON;
}

/* Out of an inlined call: its block is not around the thread any more. */
static bool has_left_block(const struct plan *p, const struct where *w)
{
	const struct code_block *shown = where_block(w, p->depth);

	return w->cfa != p->cfa || w->function != p->function || !shown || shown->entry != p->block;
}

static struct error *answer_step(struct plan *p, const struct plan_context *c,
				 enum plan_answer *ret)
{
	struct where w;
	struct found_frame found;
	struct error *err = where_find(c, &w);

	*ret = PLAN_GOES_ON;
	if (!err)
		err = find_frame(p, c, &found);
	if (err)
		return err;
	if (p->kind == PLAN_STEPI) {
		*ret = end_here(p, w.calls);
		return NULL;
	}
	if (found.index && found.handler)
		return go_over_handler(p, c, &w, &found, ret);
	if (found.index)
		return go_over_call(p, c, &w, found.index, ret);
	if (!w.has_line && !w.nblocks) {
		bool called;
		err = outside_pass(p, c, &called);
		if (err || called)
			return err;
		if (p->kind == PLAN_STEP)
			return outside_leave(p, c, w.pc, ret);
	}
	if (p->kind == PLAN_NEXTI) {
		*ret = end_here(p, w.calls);
	} else if (p->kind == PLAN_FINISH_INLINE) {
		if (has_left_block(p, &w))
			*ret = end_here(p, w.calls);
		else
			p->move = MOVE_STEP;
	} else if (p->move == MOVE_RANGE && is_same_frame(p, &w) && w.pc >= p->start &&
		   w.pc < p->end && !w.calls) {
		*ret = PLAN_GOES_ON; /* a single step of the range */
	} else {
		*ret = answer_line(p, &w);
	}
	return NULL;
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
	bool same_line = w.has_line && is_line_of(p, w.range.file, w.range.line);
	if (steps && w.has_line && is_same_frame(p, &w) && (same_line || !handler)) {
		if (same_line || is_within_line(c, &w))
			go_by(p, &w, w.calls);
		else
			*ret = answer_line(p, &w);
		return NULL;
	}
	p->escaped = true;
	*ret = end_here(p, w.calls);
	return NULL;
}

/* Those that a call was run through with. */
static struct error *drop_way(struct plan *p, const struct plan_context *c)
{
	static const enum point_role roles[] = { ROLE_RETURN, ROLE_BODY, ROLE_LANDING,
						 ROLE_JUMPED };
	struct error *err = NULL;

	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles) && !err; i++)
		err = plan_drop_points(p, c, roles[i]);
	return err;
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
		/* fall through */
	case ROLE_LEFT:
	case ROLE_BODY:
		*ret = end_here(p, frames_calls_at(c->session, c->frames->raw.items[0].pc));
		return NULL;
	case ROLE_LANDING:
	case ROLE_JUMPED:
	case ROLE_RETURN:
		break;
	}
	err = drop_way(p, c);
	if (err)
		return err;
	p->move = MOVE_RANGE;
	return role == ROLE_RETURN ? answer_step(p, c, ret)
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

struct error *step_begin(struct plan *p, const struct plan_context *c, enum plan_answer *ret)
{
	struct where w;
	struct error *err = where_find(c, &w);

	if (err)
		return err;
	size_t hidden = c->frames->hidden <= w.nblocks ? c->frames->hidden : 0;
	*ret = PLAN_GOES_ON;
	go_by(p, &w, hidden);
	p->first_function = p->block;
	p->first_cfa = p->cfa;
	if (p->kind == PLAN_STEP && hidden) {
		*ret = end_here(p, hidden - 1);
		return NULL;
	}
	if (p->kind == PLAN_STEPI || p->kind == PLAN_NEXTI) {
		p->move = MOVE_STEP;
	} else if (!w.has_line && w.nblocks) {
		/* No lines: up to the end of the function, as if that were one line. */
		p->start = w.blocks[0].start;
		p->end = w.blocks[0].end;
		p->move = MOVE_RANGE;
		if (p->kind == PLAN_STEP)
			p->kind = PLAN_NEXT;
	} else if (!w.has_line) {
		return error_new(ERROR_NOT_FOUND, "Cannot find bounds of current function");
	} else if (p->kind == PLAN_UNTIL && p->depth) {
		p->start = where_block(&w, p->depth)->start;
	}
	return NULL;
}

struct error *step_may_finish(const struct plan_context *c, size_t frame)
{
	const struct frame *leaves, *caller;
	struct error *err = frames_get(c->frames, frame + 1, &caller);

	if (err)
		return err;
	if (!caller)
		return error_new(ERROR_USAGE, "\"finish\" not meaningful in the outermost frame.");
	err = frames_get(c->frames, frame, &leaves);
	if (!err && leaves->inlined && leaves->raw)
		err = error_new(ERROR_UNSUPPORTED,
				"an inlined call can only be finished in the innermost frame: "
				"finish the frames further in first");
	return err;
}

struct error *step_begin_finish(struct plan *p, const struct plan_context *c, size_t frame)
{
	const struct frame *leaves;
	struct where w;
	struct error *err = step_may_finish(c, frame);

	if (!err)
		err = frames_get(c->frames, frame, &leaves);
	if (!err)
		err = where_find(c, &w);
	if (err)
		return err;
	const size_t raw = leaves->raw;
	p->first_cfa = leaves->cfa;
	p->first_function = leaves->entry;
	p->finished = leaves->function;
	p->finished_pc = leaves->exact || !leaves->pc ? leaves->pc : leaves->pc - 1;
	if (!leaves->inlined) {
		p->kind = PLAN_FINISH;
		return escape_run_to_frame(p, c, raw + 1, ROLE_GOAL);
	}
	go_by(p, &w, leaves->level);
	p->kind = PLAN_FINISH_INLINE;
	p->move = MOVE_STEP;
	return NULL;
}

struct error *step_begin_reach(struct plan *p, const struct plan_context *c,
			       const struct code_places *goals, size_t frame, bool anywhere)
{
	const struct frame *leaves;
	const struct unwind_frame *caller = NULL;
	struct error *err = frames_get(c->frames, frame, &leaves);
	const size_t raw = !err && leaves ? leaves->raw : 0;

	p->kind = PLAN_REACH;
	p->move = MOVE_RUN;
	p->stays = !err && leaves && !anywhere;
	if (p->stays)
		p->cfa = leaves->cfa;
	for (size_t i = 0; i < goals->len && !err; i++)
		err = plan_add_point(p, c, ROLE_GOAL, goals->items[i].addr, 0);
	if (!err)
		err = frames_raw(c->frames, raw + 1, &caller);
	return err || !caller ? err : escape_run_to_frame(p, c, raw + 1, ROLE_LEFT);
}
