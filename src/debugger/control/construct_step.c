/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/construct_step.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debugger/control/construct_code.h"
#include "debugger/control/course.h"
#include "debugger/control/escape.h"
#include "debugger/control/region_end.h"
#include "debugger/control/task_finish.h"
#include "debugger/control/task_step.h"

bool construct_step_begins_before(const struct plan_context *c, const struct where *w)
{
	struct construct_lines lines;

	if (!w->has_line || w->range.is_start)
		return false;
	construct_lines_find(c->session, w->range.file, w->range.line, &lines);
	return construct_lines_is_directive(&lines, w->range.file, w->range.line);
}

/* ---- ends ------------------------------------------------------------------------------- */

static enum plan_answer end_here(struct plan *p, size_t hidden)
{
	p->hidden = hidden;
	p->same_frame = false;
	p->construct.enters = false;
	return PLAN_DONE;
}

void construct_step_end(struct plan *p, const struct where *w, size_t hidden)
{
	struct plan_construct *k = &p->construct;
	const struct line_range r = where_line(w, hidden);

	/* Of optimised code a part may stand before statements that come before the construct. */
	if (p->kind == PLAN_STEP && k->at_directive && k->asks && !k->told &&
	    (w->function != k->around || !construct_lines_has(&k->lines, r.file, r.line)))
		k->told = TOLD_NO_STATEMENT;
}

/* ---- leaving ---------------------------------------------------------------------------- */

/* Where the primary thread of the region goes on that this one has come to the end of. */
static struct error *leave_for_primary(struct plan *p, const struct plan_context *c,
				       enum point_role role)
{
	struct plan_construct *k = &p->construct;
	struct region_end end;

	if (c->in_team) {
		p->move = MOVE_RUN;
		return NULL;
	}
	struct error *err = plan_stand(c);
	if (!err)
		err = region_end_find(c->session, p->lwp, &end);
	if (!err && !end.lwp)
		err = error_new(ERROR_NOT_FOUND,
				"this thread is in the OpenMP runtime, and in no region whose end "
				"is known: it has no line to go on to");
	if (err)
		return err;
	k->told = k->told ? k->told : TOLD_PART_OVER;
	snprintf(k->by, sizeof(k->by), "%s", end.own);
	snprintf(k->now, sizeof(k->now), "%s", end.primary);
	p->move = MOVE_RUN;
	return region_end_watch(p, c, &end, role);
}

struct error *construct_step_leave(struct plan *p, const struct plan_context *c, size_t from,
				   enum point_role role)
{
	for (size_t k = from + 1;; k++) {
		const struct unwind_frame *raw;
		enum code_kind kind = CODE_SYSTEM;
		struct error *err = frames_raw(c->frames, k, &raw);
		if (!err && !raw)
			return leave_for_primary(p, c, role);
		if (!err)
			err = construct_code_kind(c->session, spans_pc(raw), &kind);
		if (err)
			return err;
		if (kind == CODE_USER)
			return escape_run_to_frame(p, c, k, role);
	}
}

struct error *construct_step_outermost(const struct plan_context *c, size_t *frame)
{
	for (;; ++*frame) {
		const struct frame *inner, *outer;
		struct error *err = frames_get(c->frames, *frame, &inner);
		const char *name = !err && inner ? inner->function : NULL;
		if (!err)
			err = frames_get(c->frames, *frame + 1, &outer);
		if (err || !outer || !construct_code_is_one(name, outer->function))
			return err;
	}
}

struct error *construct_step_finish(struct plan *p, const struct plan_context *c, size_t from,
				    enum point_role role, bool *ret)
{
	const struct unwind_frame *raw;
	enum code_kind kind = CODE_USER;
	struct error *err = frames_raw(c->frames, from + 1, &raw);

	*ret = false;
	if (!err && raw)
		err = construct_code_kind(c->session, spans_pc(raw), &kind);
	if (err || kind != CODE_RUNTIME)
		return err;
	*ret = true;
	return construct_step_leave(p, c, from + 1, role);
}

struct error *construct_step_behind(struct plan *p, const struct plan_context *c,
				    enum plan_answer *ret)
{
	struct line_range call;
	struct where w;
	struct error *err = where_find(c, &w);

	if (err)
		return err;
	course_by(p, &w);
	p->move = p->move == MOVE_STEP ? MOVE_STEP : MOVE_RANGE;
	if (!places_line_range(c->session->symbols, w.pc - 1, &call))
		return NULL;
	course_set_line(p, call.file, call.line);
	construct_step_end(p, &w, w.calls);
	/* What is left there is a construct's around the one that is over. */
	if (w.function != p->construct.around && p->construct.told != TOLD_NO_STATEMENT)
		err = construct_step_return(p, c, &w);
	if (w.has_line && w.range.is_start && !course_is_line(p, w.range.file, w.range.line) &&
	    !construct_step_passes(p, c, &w))
		*ret = end_here(p, w.calls);
	return err;
}

bool construct_step_has_left(const struct plan *p, const struct plan_context *c,
			     const struct where *w)
{
	return p->function && p->function != w->function && w->cfa > p->cfa &&
	       construct_code_at(c->session, p->function) == CODE_BODY;
}

/* ---- beginning -------------------------------------------------------------------------- */

static bool goes_by_lines(const struct plan *p)
{
	return p->kind == PLAN_STEP || p->kind == PLAN_NEXT || p->kind == PLAN_UNTIL;
}

/* The construct is that of a line of the source; its file is kept, as modules may go. */
static struct error *note_line(struct plan *p, const struct plan_context *c, const char *file,
			       int line, taddr function)
{
	struct plan_construct *k = &p->construct;
	char *kept = file ? strdup(file) : NULL;

	free(k->file);
	k->file = kept;
	k->line = line;
	k->around = function;
	construct_lines_find(c->session, k->file, k->line, &k->lines);
	k->at_directive = construct_lines_is_directive(&k->lines, k->file, k->line);
	return file && !kept ? &error_nomem : NULL;
}

static bool is_passed(const struct plan *p, const struct plan_context *c, const struct where *w)
{
	const struct plan_construct *k = &p->construct;
	const struct line_range *r = &w->range;
	struct construct_lines lines;

	if (!goes_by_lines(p) || !k->lines.first || w->function != k->around)
		return false;
	if (construct_lines_is_declaration(c->session, r->file, r->line))
		return true;
	/* What it hands over to the construct's code may have the line that mentions it first. */
	if (k->at_directive && (!k->lines.shares || p->kind != PLAN_STEP) &&
	    construct_lines_has(&k->lines, r->file, r->line))
		return true;
	/* Who does not execute it comes from its line to that of the barrier at its end. */
	if (k->at_directive && construct_lines_is_directive(&k->lines, r->file, r->line))
		return true;
	/* Its code has returned to other code of it, as of "target teams": both have its brace. */
	if (construct_lines_is_directive(&k->lines, k->file, k->line) && r->line == k->lines.end &&
	    construct_lines_passes(&k->lines, c->session, r->file, r->line))
		return true;
	construct_lines_find(c->session, r->file, r->line, &lines);
	if (lines.section && construct_lines_is_directive(&lines, r->file, r->line))
		return true;
	return construct_lines_opens(&lines, c->session, r->file, r->line) &&
	       construct_lines_has(&lines, k->file, k->line) &&
	       !construct_lines_opens(&lines, c->session, k->file, k->line);
}

bool construct_step_passes(struct plan *p, const struct plan_context *c, const struct where *w)
{
	if (!is_passed(p, c, w))
		return false;
	/* From the header of a loop to the directive's line and back it has got nowhere. */
	if (!w->range.is_start ||
	    construct_lines_passes(&p->construct.lines, c->session, p->file, p->line))
		course_through_row(p, w);
	else
		course_by(p, w);
	return true;
}

struct error *construct_step_return(struct plan *p, const struct plan_context *c,
				    const struct where *w)
{
	struct line_range call;

	if (!goes_by_lines(p) || !places_line_range(c->session->symbols, w->pc - 1, &call))
		return NULL;
	struct error *err = note_line(p, c, call.file, call.line, w->function);
	p->construct.at_directive = false;
	return err;
}

/* ---- entering --------------------------------------------------------------------------- */

/* Inlined calls that begin here are hidden, but for those of the construct's own code. */
static size_t hidden_at(const struct where *w)
{
	size_t ret = w->calls;

	while (ret && construct_code_of(w->blocks[ret - 1].function) != CODE_PLAIN)
		ret--;
	return ret;
}

/* Code of a region or task has not been left, though optimised lines of it may be others'. */
static bool is_in_code(const struct plan *p, const struct plan_context *c, const struct where *w)
{
	return !p->construct.lines.shares && w->function != p->construct.around &&
	       construct_code_at(c->session, w->function) == CODE_BODY;
}

/*
 * In the construct's code: another statement of it, or none yet. Optimised code may have lines,
 * none of which the line table calls a statement: those count, too.
 */
static enum plan_answer look_for_statement(struct plan *p, const struct plan_context *c,
					   const struct where *w)
{
	struct plan_construct *k = &p->construct;
	const size_t hidden = hidden_at(w);
	const struct line_range r = where_line(w, hidden);

	/* The next part of an untied task, in the line where the step began. */
	if (k->resumed && w->has_line && course_is_line(p, r.file, r.line)) {
		error_ignore(note_line(p, c, r.file, r.line, w->function));
		k->enters = k->at_directive = false;
		course_through_row(p, w);
		return PLAN_GOES_ON;
	}
	if (!w->has_line || !w->range.begins ||
	    construct_lines_passes(&k->lines, c->session, r.file, r.line) ||
	    (!k->lines.first && course_is_line(p, r.file, r.line))) {
		course_through_row(p, w);
		return PLAN_GOES_ON;
	}
	if (k->lines.first && !k->told && w->nblocks - hidden <= p->depth &&
	    !construct_lines_has(&k->lines, r.file, r.line) && !is_in_code(p, c, w))
		k->told = TOLD_NO_STATEMENT;
	return end_here(p, hidden);
}

/* The first instruction of what the compiler has made of a construct. */
static bool is_code_begin(const struct where *w)
{
	return w->nblocks && w->pc == w->function &&
	       construct_code_of(w->blocks[w->nblocks - 1].function) == CODE_BODY;
}

/* The same, inlined into the plan's frame, in the line that the step is in. */
static bool is_inlined_code(const struct plan *p, const struct where *w)
{
	const struct code_block *block = where_block(w, p->depth + 1);

	return block && course_is_within(p, w) && construct_code_of(block->function) == CODE_BODY &&
	       (!w->calls || course_is_line(p, block->call_file, block->call_line));
}

/*
 * Which construct it is: calls that begin one may have the line of a statement before it, or of
 * what they hand over; its code begins with a line of its own.
 */
static void note_code(struct plan *p, const struct plan_context *c, const struct where *w)
{
	struct plan_construct *k = &p->construct;
	struct construct_lines lines;

	construct_lines_find(c->session, w->has_line ? w->range.file : NULL, w->range.line, &lines);
	if (lines.first && !lines.shares)
		error_ignore(note_line(p, c, lines.file, lines.first, k->around));
	else if (k->lines.first && !k->lines.shares)
		k->line = k->lines.first;
	k->at_directive = false;
}

/* At the first instruction of its code: through the prologue. */
static enum plan_answer begin_code(struct plan *p, const struct plan_context *c,
				   const struct where *w)
{
	const taddr body = places_skip_prologue(c->session->symbols, w->pc);

	note_code(p, c, w);
	p->construct.enters = true;
	course_by_frame(p, w, where_depth(w));
	if (body <= w->pc)
		return look_for_statement(p, c, w);
	p->range = (struct code_range){ w->pc, body };
	course_through(p, p->range);
	return PLAN_GOES_ON;
}

bool construct_step_begins_code(struct plan *p, const struct plan_context *c, const struct where *w,
				size_t hidden, enum plan_answer *ret)
{
	if (construct_code_of(w->blocks[hidden - 1].function) != CODE_BODY)
		return false;
	p->construct.enters = true;
	*ret = look_for_statement(p, c, w);
	return true;
}

/* The line of the call, or jump, that has led to an entry: steps may begin before that. */
static struct error *note_call(struct plan *p, const struct plan_context *c, size_t caller,
			       bool jumped)
{
	const struct unwind_frame *raw = NULL;
	struct line_range call;
	struct error *err = jumped ? NULL : frames_raw(c->frames, caller, &raw);

	if (err)
		return err;
	/* What is told is the construct that it has entered last. */
	if (p->construct.told == TOLD_NO_STATEMENT)
		p->construct.told = TOLD_NOTHING;
	if (raw && places_line_range(c->session->symbols, spans_pc(raw), &call) && call.line)
		return note_line(p, c, call.file, call.line, p->function);
	return note_line(p, c, p->file, p->line, p->function);
}

static bool may_enter(const struct plan *p, const struct plan_context *c,
		      const struct user_call *call)
{
	return p->kind == PLAN_STEP && !(call->calls == SPAN_TASK && c->passes_tasks);
}

/* At an entry that calls the program's code: a point there, and one where the entry returns. */
static struct error *enter_call(struct plan *p, const struct plan_context *c, size_t caller,
				const struct module *runtime)
{
	const struct user_call *call = p->construct.call;
	struct target *t = c->session->target;
	uint64_t function = 0;
	bool follows;

	if (call->calls == SPAN_TASK) {
		struct error *err = task_step_begin(p, c, caller, runtime, &follows);
		return err || follows ? err : escape_run_to_frame(p, c, caller, ROLE_RETURN);
	}
	struct error *err = target_get_uint(
		t, c->frames->thread,
		t->arch->code_regs[t->arch->code_arguments[call->function - 1]], &function);
	if (!err && module_at(c->session->modules, function))
		err = plan_add_point(p, c, ROLE_ENTRY, function, 0);
	return err ? err : escape_run_to_frame(p, c, caller, ROLE_RETURN);
}

/* A stop at an event of OpenMP's may be where such an entry begins: the step is that of the line
 * which calls it. */
static struct error *begin_at_entry(struct plan *p, const struct plan_context *c, taddr pc,
				    bool *ret_taken)
{
	const struct module *runtime;
	const struct user_call *call;
	struct where caller;
	struct error *err = construct_code_call(c->session, pc, &call, &runtime);

	*ret_taken = !err && call;
	if (!*ret_taken)
		return err;
	err = where_find_caller(c, 0, &caller);
	if (err)
		return err;
	course_by_frame(p, &caller, caller.nblocks);
	course_by_line(p, &caller);
	p->first_function = caller.function;
	err = note_call(p, c, 1, false);
	p->construct.call = call;
	if (err)
		return err;
	return may_enter(p, c, call) ? enter_call(p, c, 1, runtime)
				     : escape_run_to_frame(p, c, 1, ROLE_RETURN);
}

struct error *construct_step_begin(struct plan *p, const struct plan_context *c, taddr pc,
				   bool *ret_leaves)
{
	struct plan_construct *k = &p->construct;
	enum code_kind kind = CODE_USER;
	bool enters = false;

	free(k->file);
	*k = (struct plan_construct){ 0 };
	if (!goes_by_lines(p))
		return NULL;
	struct error *err = note_line(p, c, p->file, p->line, p->function);
	if (!err)
		err = construct_code_kind(c->session, pc, &kind);
	*ret_leaves = !err && kind == CODE_RUNTIME;
	if (*ret_leaves)
		err = begin_at_entry(p, c, pc, &enters);
	return err || !*ret_leaves || enters ? err : construct_step_leave(p, c, 0, ROLE_BEHIND);
}

/* The program calls the code of a construct itself, as compilers do for if(0). */
static struct error *enter_directly(struct plan *p, const struct plan_context *c,
				    const struct where *w, size_t caller, enum plan_answer *ret)
{
	struct error *err = note_call(p, c, caller, false);

	if (!err && construct_code_is_task(w->blocks[w->nblocks - 1].function))
		err = task_step_entered(p, c, true);
	if (!err)
		*ret = begin_code(p, c, w);
	return err;
}

/* Code that the construct's code calls before its first statement. */
static struct error *pass_call(struct plan *p, const struct plan_context *c, const struct where *w,
			       size_t caller, enum plan_answer *ret)
{
	if (is_code_begin(w)) {
		*ret = begin_code(p, c, w);
		return NULL;
	}
	return escape_run_to_frame(p, c, caller, ROLE_RETURN);
}

/* ---- answers ---------------------------------------------------------------------------- */

static struct error *leave(struct plan *p, const struct plan_context *c)
{
	if (p->construct.enters && !p->construct.resumed)
		p->construct.told = TOLD_NO_STATEMENT;
	p->construct.enters = false;
	return construct_step_leave(p, c, 0, ROLE_BEHIND);
}

static struct error *answer_call(struct plan *p, const struct plan_context *c,
				 const struct where *w, size_t caller, bool jumped, bool *ret_taken,
				 enum plan_answer *ret)
{
	const struct module *runtime;
	const struct user_call *call;
	struct error *err = construct_code_call(c->session, w->pc, &call, &runtime);

	*ret_taken = false;
	if (!err && call)
		err = task_step_hands_over(p, c, call, ret_taken);
	if (err || *ret_taken)
		return err;
	*ret_taken = true;
	/* A region directly within the construct is all of its statements. */
	if (call && may_enter(p, c, call) && (!p->construct.enters || call->calls != SPAN_TASK)) {
		err = note_call(p, c, caller, jumped);
		p->construct.call = call;
		return err ? err : enter_call(p, c, caller, runtime);
	}
	if (p->construct.enters && !jumped)
		return pass_call(p, c, w, caller, ret);
	if (p->kind == PLAN_STEP && is_code_begin(w))
		return enter_directly(p, c, w, caller, ret);
	*ret_taken = false;
	return NULL;
}

struct error *construct_step_answer(struct plan *p, const struct plan_context *c,
				    const struct where *w, size_t caller, bool *ret_taken,
				    enum plan_answer *ret)
{
	enum code_kind kind = CODE_USER;
	struct error *err = NULL;

	*ret_taken = false;
	if (!goes_by_lines(p) && p->kind != PLAN_FINISH_INLINE)
		return NULL;
	if (caller ? p->construct.at_directive : !w->has_line || !p->construct.enters)
		err = construct_code_kind(c->session, w->pc, &kind);
	if (err)
		return err;
	p->construct.asks |= kind == CODE_RUNTIME;
	if (caller)
		return answer_call(p, c, w, caller, false, ret_taken, ret);
	*ret_taken = true;
	if (kind == CODE_RUNTIME) {
		/* Its frame has returned there, or has jumped to an entry instead of calling it. */
		err = answer_call(p, c, w, 1, true, ret_taken, ret);
		if (!err && !*ret_taken)
			err = leave(p, c);
		*ret_taken = true;
		return err;
	}
	if (p->kind == PLAN_STEP && is_inlined_code(p, w))
		p->construct.enters = true;
	if (p->construct.enters && course_is_within(p, w)) {
		*ret = look_for_statement(p, c, w);
		return NULL;
	}
	if (!construct_step_has_left(p, c, w)) {
		*ret_taken = false;
		return NULL;
	}
	return construct_step_behind(p, c, ret);
}

/* ---- points ----------------------------------------------------------------------------- */

/* The construct's code begins; of a task: in the thread that executes it. */
static struct error *at_entry(struct plan *p, const struct plan_context *c, enum point_role role,
			      enum plan_answer *ret)
{
	struct where w;
	struct error *err =
		p->construct.seeks_task ? task_step_entered(p, c, false) : plan_drop_way(p, c);

	(void)role;
	if (!err)
		err = where_find(c, &w);
	if (!err)
		*ret = begin_code(p, c, &w);
	return err;
}

static struct error *at_copy(struct plan *p, const struct plan_context *c, enum point_role role,
			     enum plan_answer *ret)
{
	(void)ret;
	return task_step_copied(p, c, role);
}

static struct error *at_wait(struct plan *p, const struct plan_context *c, enum point_role role,
			     enum plan_answer *ret)
{
	(void)role, (void)ret;
	return task_finish_waits(p, c);
}

static struct error *at_behind(struct plan *p, const struct plan_context *c, enum point_role role,
			       enum plan_answer *ret)
{
	struct error *err = plan_drop_way(p, c);

	if (role != ROLE_BEHIND)
		p->construct.told = TOLD_NOT_EXECUTED;
	p->construct.seeks_task = false;
	if (!err)
		err = plan_switch(p, c, c->frames->thread->lwp);
	return err ? err : construct_step_behind(p, c, ret);
}

/* The task may be executed later; or it never will be: the thread goes on behind the construct. */
static struct error *at_made(struct plan *p, const struct plan_context *c, enum point_role role,
			     enum plan_answer *ret)
{
	bool waits;
	struct error *err = task_step_made(p, c, &waits);

	return err || waits ? err : at_behind(p, c, role, ret);
}

struct error *construct_step_point(struct plan *p, const struct plan_context *c,
				   enum point_role role, enum plan_answer *ret)
{
	static struct error *(*const answers[])(struct plan * p, const struct plan_context *c,
						enum point_role role, enum plan_answer *ret) = {
		[ROLE_ENTRY] = at_entry,   [ROLE_COPY] = at_copy, [ROLE_COPIER] = at_copy,
		[ROLE_BEHIND] = at_behind, [ROLE_MADE] = at_made, [ROLE_REGION_END] = at_behind,
		[ROLE_WAITS] = at_wait,
	};

	return answers[role](p, c, role, ret);
}
