/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/task_creator.h"

#include <string.h>

#include "debugger/values/source_around.h"
#include "ompd/awaited.h"
#include "ompd/enclosing.h"
#include "ompd/outlined.h"

struct search {
	struct session *session;
	const struct snapshot *snapshot;
	const struct stitched_frame *code; /* of the task */
	const struct picture_task *task;   /* NULL: not known */
	const char *function;              /* that it was written in; borrowed */
	struct task_creator *ret;
};

static bool is_shown(const struct stitched_frame *f)
{
	return !f->hidden && f->kind == CODE_USER;
}

/* By its linkage name: the function that the programmer wrote the frame's code in. NULL: not known.
 */
static const char *written_in(struct session *s, const struct stitched_frame *f)
{
	return f->frame && f->frame->file
		       ? symbol_function_around(s->symbols, f->frame->pc - 1, f->frame->file,
						f->frame->line, NULL)
		       : NULL;
}

static bool is_of_function(const struct search *a, const struct stitched_frame *f)
{
	const char *function = written_in(a->session, f);

	return function && !strcmp(function, a->function) &&
	       !strcmp(f->frame->file, a->code->frame->file);
}

static void add(struct search *a, const struct stitched_frame *f)
{
	if (a->ret->len < TASK_CREATOR_MAX && is_of_function(a, f))
		a->ret->frames[a->ret->len++] = f;
}

/* The call of the runtime's that the frame is in; NULL: none. */
static const struct span *find_call(const struct snapshot *s, const struct stitched_frame *f)
{
	for (size_t i = 0; i < s->picture.threads.len; i++) {
		const struct picture_thread *th = picture_thread(&s->picture, (int)i);
		const struct unwind_stack *raw = &s->stacks->raw[i];
		for (size_t n = 0; th->lwp == f->lwp && n < th->spans.list.len; n++) {
			const struct span *span = &th->spans.list.items[n];
			if (span->outer < raw->len && raw->items[span->outer].pc == f->frame->pc &&
			    raw->items[span->outer].cfa == f->frame->cfa)
				return span;
		}
	}
	return NULL;
}

/* ---- executed at once --------------------------------------------------------------------- */

/* The call executes the task that it makes, and no other. */
static bool is_at_once(const struct search *a, const struct span *call)
{
	return !call || (a->task && a->task->kind == TASK_UNDEFERRED) ||
	       (call->entry && call->entry->point == POINT_CREATION &&
		runtime_entry_wait(call->entry) == WAIT_RUNTIME);
}

static void find_behind(struct search *a, const struct stitched_stack *stack, size_t border)
{
	size_t i = border + 1;

	while (i < stack->frames.len && !is_shown(&stack->frames.items[i]))
		i++;
	if (i == stack->frames.len || !stack->frames.items[i].frame)
		return;
	const struct stitched_frame *f = &stack->frames.items[i];
	if (!is_at_once(a, i == border + 1 ? NULL : find_call(a->snapshot, f)))
		return;
	/* Its call may be said to be of a function that was inlined before it. */
	for (add(a, f); !a->ret->len && f->frame->inlined; f++)
		add(a, f + 1);
	a->ret->known = a->ret->len;
}

/* ---- of the task that has made it --------------------------------------------------------- */

/* Its frames, [first, end) of a stack; others may be among them. */
struct segment {
	const struct stitched_frame *first, *end;
	pid_t lwp; /* whose frames are its */
};

static bool is_end(const struct stitched_frame *f, const struct picture_task *task, int number)
{
	const bool implicit = task->kind == TASK_IMPLICIT;

	return f->border.kind != BORDER_NONE &&
	       (implicit ? f->border.kind != BORDER_TASK && f->border.region == task->region
			 : f->border.kind == BORDER_TASK && f->border.task == number);
}

/* false: it has no frames, or which these are is not known. */
static bool find_segment(const struct search *a, struct segment *ret)
{
	const struct picture *p = &a->snapshot->picture;
	const int number = a->task ? a->task->creator : -1;
	const struct picture_task *by = picture_task(p, number);
	const struct picture_thread *th = by ? picture_thread(p, by->thread) : NULL;

	if (!th || (size_t)by->thread >= a->snapshot->stitched.stacks.len)
		return false;
	const struct stitched_stack *stack = &a->snapshot->stitched.stacks.items[by->thread];
	const struct stitched_frame *f = stack->frames.items;
	*ret = (struct segment){ f, f, th->lwp };
	for (size_t i = 0; i < stack->frames.len && f[i].lwp == th->lwp; i++) {
		ret->end = &f[i] + 1;
		if (is_end(&f[i], by, number))
			return true;
		if (f[i].border.kind != BORDER_NONE && f[i].border.kind != BORDER_CALLBACK)
			ret->first = ret->end;
	}
	return false;
}

static bool makes_region(const struct construct *c)
{
	return c->directive.parts & (DIRECTIVE_PARALLEL | DIRECTIVE_TEAMS | DIRECTIVE_TARGET);
}

static bool makes_task(const struct construct *c)
{
	return c->directive.parts & DIRECTIVE_TASK;
}

/* The lines of the task's directive, and of the one whose code has that; 0: there is none. */
static void find_lines(const struct constructs *c, int *ret_task, int *ret_around)
{
	*ret_task = *ret_around = 0;
	vec_for_each (one, &c->items) {
		const bool within = *ret_task;
		if (!within && makes_task(one))
			*ret_task = one->line;
		/* "parallel master taskloop" is both. */
		if (makes_region(one) || (within && makes_task(one))) {
			*ret_around = one->line;
			return;
		}
	}
}

static bool has_line(const struct constructs *c, int line)
{
	vec_for_each (one, &c->items) {
		if (line && one->line == line)
			return true;
	}
	return false;
}

static struct error *constructs_of(const struct search *a, const struct stitched_frame *f,
				   struct constructs *ret)
{
	bool known;

	return source_around(a->session, f->frame->file, f->frame->line, ret, &known);
}

/*
 * It waits for the tasks of a taskloop, which are the task's likes: of the runtimes one does so in
 * the call that makes them, which tells their code, one in another that stands in the same line.
 */
static struct error *waits_for_loop(const struct search *a, const struct stitched_frame *f,
				    int line, bool *ret)
{
	const struct span *call = find_call(a->snapshot, f);
	AUTO_CONSTRUCTS here = { 0 };
	int its, unused;

	*ret = false;
	if (!call || !call->entry || call->entry->kind != WAIT_TASKGROUP)
		return NULL;
	struct error *err = constructs_of(a, f, &here);
	find_lines(&here, &its, &unused);
	*ret = !err && (call->code ? call->code == a->task->function : its && its == line);
	return err;
}

/* The function that has made it does not return before it is over. */
static struct error *is_awaited(const struct search *a, bool *ret)
{
	const char *file = a->code->frame->file;
	const struct buf *text = source_cache_get(a->session->sources, file);
	const size_t len = strlen(file);
	const bool cxx = len < 2 || strcmp(file + len - 2, ".c") != 0;
	AUTO_CONSTRUCTS here = { 0 };
	struct error *err = constructs_of(a, a->code, &here);

	*ret = false;
	struct awaited_task task = { 0 };
	vec_for_each (c, &here.items) {
		if (task.line && !task.last && (makes_task(c) || makes_region(c)))
			task.last = c->end;
		if (task.line || !makes_task(c) || c->from_macro)
			continue;
		task.line = c->line;
		task.end = c->end;
	}
	*ret = !err && text && task.line && enclosing_form(file) == SOURCE_C &&
	       awaited_is(buf_text(text), text->len, cxx, &task);
	return err;
}

/* The outermost frame of the segment, if its code has the task's; or the innermost. */
static struct error *find_certain(struct search *a, const struct stitched_frame *inner,
				  const struct stitched_frame *outer)
{
	AUTO_CONSTRUCTS here = { 0 }, at_outer = { 0 };
	bool waits = false;
	int line, around;
	struct outlined o;

	struct error *err = constructs_of(a, a->code, &here);
	find_lines(&here, &line, &around);
	if (!err && outlined_parse(outer->frame->function, &o))
		err = constructs_of(a, outer, &at_outer);
	if (!err && has_line(&at_outer, around))
		add(a, outer);
	if (!err && !a->ret->len)
		err = waits_for_loop(a, inner, line, &waits);
	if (!err && waits)
		add(a, inner);
	a->ret->known = a->ret->len;
	return err;
}

static struct error *find_called(struct search *a, const struct segment *of)
{
	const struct stitched_frame *inner = NULL, *outer = NULL;

	for (const struct stitched_frame *f = of->first; f < of->end; f++) {
		if (!is_shown(f) || !f->frame || !f->frame->function)
			continue;
		inner = inner ? inner : f;
		outer = f;
	}
	struct error *err = inner ? find_certain(a, inner, outer) : NULL;
	for (const struct stitched_frame *f = of->first; !a->ret->known && f < of->end; f++) {
		if (is_shown(f))
			add(a, f);
	}
	if (!err && !a->ret->known && a->ret->len == 1)
		err = is_awaited(a, &a->ret->known);
	return err;
}

struct error *task_creator_find(struct session *from, const struct snapshot *s,
				const struct stitched_stack *stack, size_t code, size_t border,
				struct task_creator *ret)
{
	struct search a = { from, s, &stack->frames.items[code], NULL, NULL, ret };
	struct segment segment;

	*ret = (struct task_creator){ 0 };
	a.task = picture_task(&s->picture, stack->frames.items[border].border.task);
	a.function = a.code->frame ? written_in(from, a.code) : NULL;
	if (!a.function)
		return NULL;
	find_behind(&a, stack, border);
	return !ret->known && find_segment(&a, &segment) ? find_called(&a, &segment) : NULL;
}

struct error *task_creator_region(struct session *from, const struct snapshot *s,
				  const struct stitched_frame *code, int task, int *ret)
{
	const struct search a = { .session = from, .snapshot = s };
	const struct picture_task *t = picture_task(&s->picture, task);
	const struct picture_task *by = t ? picture_task(&s->picture, t->creator) : NULL;
	const struct picture_region *r =
		by && by->kind == TASK_IMPLICIT ? picture_region(&s->picture, by->region) : NULL;
	AUTO_CONSTRUCTS here = { 0 }, its = { 0 };
	const struct source_frame *levels;
	int line = 0, around = 0;
	bool known;
	size_t n = 0;

	*ret = -1;
	if (!r || !r->function || !code->frame || !code->frame->file)
		return NULL;
	error_ignore(symbol_locate(from->symbols, r->function, &levels, &n));
	if (!n || !levels[n - 1].file || strcmp(levels[n - 1].file, code->frame->file) != 0)
		return NULL;
	struct error *err =
		source_around(from, levels[n - 1].file, levels[n - 1].line, &its, &known);
	if (!err)
		err = constructs_of(&a, code, &here);
	find_lines(&here, &line, &around);
	if (!err && has_line(&its, around))
		*ret = by->region;
	return err;
}
