/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/team_stack.h"

#include "debugger/cli/running.h"
#include "debugger/look.h"
#include "debugger/output/format_picture.h"
#include "debugger/output/format_stop.h"
#include "debugger/output/json_stack.h"
#include "debugger/whereabouts.h"

/* Only of who is in a region the others are looked at. */
static struct error *is_in_region(struct cli *c, bool *ret)
{
	struct frames *f = &c->control->frames;
	const struct unwind_frame *raw;
	struct whereabouts w;
	struct error *err = frames_raw(f, UNWIND_FRAMES_DEFAULT - 1, &raw);

	if (!err)
		err = whereabouts_find(c->control->live, f->thread, &f->raw, &w);
	*ret = !err && w.level;
	return err;
}

static const struct stitched_stack *find_stack(const struct snapshot *s, pid_t lwp)
{
	for (size_t i = 0; i < s->stitched.stacks.len; i++) {
		const struct stitched_stack *stack = &s->stitched.stacks.items[i];
		if (s->stacks->threads.items[stack->thread].lwp == lwp)
			return stack;
	}
	return NULL;
}

/* ---- frames and their numbers ----------------------------------------------------------- */

/*
 * A stitched stack, walked from the inside out. Each frame that is shown has the number that
 * "frame" takes: the thread's own have those of its machine stack, of which the runtime's are not
 * shown; those of other threads follow behind all of its own.
 */
struct walk {
	struct cli *cli;
	const struct view *view;            /* borrowed */
	const struct stitched_stack *stack; /* borrowed */
	struct json *json;                  /* borrowed; of objects */
	struct frames other; /* owned; of the other thread whose frames come just now */
	size_t own_level, other_level;
	size_t own; /* frames of the thread's own */
	size_t others;
	bool full;
	bool ended; /* behind main(), or Fortran's main program, nothing is the user's */
};

/* Where a frame is that is shown. */
struct shown_frame {
	struct frames *frames; /* borrowed; NULL: a tail call has left it */
	size_t level, number;
	bool not_entered; /* an inlined call, at whose beginning the thread stands */
};

static struct error *walk_init(struct walk *w, struct cli *c)
{
	const struct frame *frame;
	struct error *err = frames_get(&c->control->frames, UNWIND_FRAMES_DEFAULT, &frame);

	*w = (struct walk){ .cli = c, .own = c->control->frames.items.len };
	return err;
}

/* How many levels of the same frame of the machine are further out: inlined calls. */
static size_t count_outer(const struct stack_frame *f)
{
	size_t n = 0;

	while (f[n].inlined)
		n++;
	return n;
}

static struct error *is_same(struct frames *frames, size_t i, const struct stack_frame *f,
			     bool *ret)
{
	const struct frame *frame;
	size_t outer = 0;

	struct error *err = frames_get(frames, i, &frame);
	*ret = !err && frame && frame->pc == f->pc && frame->cfa == f->cfa;
	while (!err && *ret && frame && frame->inlined) {
		outer++;
		err = frames_get(frames, i + outer, &frame);
	}
	*ret = *ret && outer == count_outer(f);
	return err;
}

/* *level: those before it are shown or left out. */
static struct error *find_level(struct frames *frames, const struct stack_frame *f, size_t *level,
				bool *ret)
{
	const struct frame *frame;

	*ret = false;
	for (size_t i = *level; !*ret; i++) {
		struct error *err = frames_get(frames, i, &frame);
		if (err || !frame)
			return err;
		err = is_same(frames, i, f, ret);
		if (err)
			return err;
		*level = *ret ? i + 1 : *level;
	}
	return NULL;
}

/* It stands where an inlined call begins, which has not been entered. */
static bool is_not_entered(const struct frames *frames, const struct stack_frame *f)
{
	const struct frame *first = frames->items.len ? &frames->items.items[0] : NULL;

	return frames->hidden && first && first->pc == f->pc && first->cfa == f->cfa;
}

static struct error *walk_find(struct walk *w, const struct stitched_frame *f,
			       struct shown_frame *ret)
{
	const bool is_own = f->lwp == w->cli->control->selected;
	struct session *s = w->cli->control->live;
	struct thread *th = target_find_thread(s->target, f->lwp);
	struct frames *frames = is_own ? &w->cli->control->frames : &w->other;
	size_t *level = is_own ? &w->own_level : &w->other_level;
	bool found = false;

	*ret = (struct shown_frame){ 0 };
	if (!f->frame || !th)
		return NULL;
	if (!is_own && w->other.thread != th) {
		frames_select(&w->other, s, th, 0);
		w->other_level = 0;
	}
	struct error *err = find_level(frames, f->frame, level, &found);
	ret->not_entered = !err && !found && is_not_entered(frames, f->frame);
	if (err || !found)
		return err;
	ret->frames = frames;
	ret->level = *level - 1;
	w->ended = frames_is_main(frames, &frames->items.items[ret->level]);
	ret->number = is_own ? ret->level : w->own + w->others++;
	return NULL;
}

/*
 * Shows all frames, the innermost first, but "most" at the most. add: where is NULL for a frame
 * that is hidden. *ret_whole: those were all.
 */
static struct error *walk_all(struct walk *w, size_t most,
			      struct error *(*add)(struct walk *w, size_t i,
						   const struct shown_frame *where),
			      bool *ret_whole)
{
	struct error *err = NULL;
	size_t i, shown = 0;

	for (i = 0; i < w->stack->frames.len && shown < most && !w->ended && !err; i++) {
		const struct stitched_frame *f = &w->stack->frames.items[i];
		struct shown_frame where;
		if (!f->hidden)
			err = walk_find(w, f, &where);
		if (!err)
			err = add(w, i, f->hidden ? NULL : &where);
		shown += !f->hidden;
	}
	*ret_whole = w->ended || i == w->stack->frames.len;
	return err;
}

/* ---- text ------------------------------------------------------------------------------- */

static struct error *add_frame(struct cli *c, const struct stitched_frame *f,
			       const struct shown_frame *where)
{
	AUTO(report_place_fini) struct report_place place = { 0 };

	if (where->not_entered)
		return NULL;
	if (where->frames) {
		buf_addf(&c->out, "#%-3zu", where->number);
		return running_add_frame(c, where->frames, where->level, &place);
	}
	buf_adds(&c->out, "    ");
	running_add_function(c, &c->out, f);
	buf_addc(&c->out, '\n');
	return NULL;
}

static void add_border(struct cli *c, const struct view *v, const struct border *b)
{
	style_begin(&c->out, INK_BORDER, &c->style);
	style_mark(&c->out, MARK_RULE, &c->style);
	buf_addc(&c->out, ' ');
	format_picture_border(&c->out, v, b);
	buf_addc(&c->out, ' ');
	style_mark(&c->out, MARK_RULE, &c->style);
	style_end(&c->out, &c->style);
	buf_addc(&c->out, '\n');
}

static struct error *add_text(struct walk *w, size_t i, const struct shown_frame *where)
{
	const struct stitched_frame *f = &w->stack->frames.items[i];
	struct error *err = where ? add_frame(w->cli, f, where) : NULL;

	if (!err && where && where->frames && w->full)
		err = running_add_locals(w->cli, where->frames, where->level);
	if (!err && f->border.kind != BORDER_NONE)
		add_border(w->cli, w->view, &f->border);
	return err;
}

static struct error *add_stack(struct walk *w, size_t most)
{
	struct cli *c = w->cli;
	bool whole;
	struct error *err = walk_all(w, most, add_text, &whole);

	if (!err && !whole)
		buf_adds(&c->out, "(More stack frames follow...)\n");
	else if (!err && !w->ended && w->stack->end)
		style_add_between(&c->out, "Backtrace stopped: ", w->stack->end, "\n");
	return err;
}

/* ---- objects ---------------------------------------------------------------------------- */

/* Between this frame and the next one that is shown. */
static const struct border *border_behind(const struct stitched_stack *stack, size_t i)
{
	const struct stitched_frame *f = &stack->frames.items[i];

	while (f->border.kind == BORDER_NONE && ++i < stack->frames.len &&
	       stack->frames.items[i].hidden)
		f = &stack->frames.items[i];
	return &f->border;
}

static struct error *add_object(struct walk *w, size_t i, const struct shown_frame *where)
{
	const struct stitched_frame *f = &w->stack->frames.items[i];
	struct json *j = w->json;
	struct error *err = NULL;

	if (!where || where->not_entered)
		return NULL;
	json_add_object(j, NULL);
	if (where->frames)
		json_add_unsigned(j, "number", where->number);
	else
		json_add_null(j, "number");
	json_add_integer(j, "lwp", f->lwp);
	json_add_string(j, "user_function", f->function);
	json_add_string(j, "construct", f->construct);
	json_stack_border(j, w->view, border_behind(w->stack, i));
	if (where->frames)
		err = running_add_frame_members(w->cli, j, where->frames, where->level);
	if (!err && where->frames && w->full)
		err = running_add_locals_array(w->cli, j, where->frames, where->level);
	json_end(j);
	return err;
}

static struct error *add_objects(struct walk *w, size_t most)
{
	struct json j;
	bool whole;

	cli_json_begin(w->cli, &j, "backtrace");
	json_add_integer(&j, "lwp", w->cli->control->selected);
	json_add_array(&j, "frames");
	w->json = &j;
	struct error *err = walk_all(w, most, add_object, &whole);
	json_end(&j);
	json_add_string(&j, "end", w->stack->end);
	cli_json_end(w->cli, &j);
	return err;
}

/* ---- both ------------------------------------------------------------------------------- */

/* ret starts empty; *ret_stack NULL: the thread is in no region. */
static struct error *look(struct cli *c, struct look *ret, const struct stitched_stack **ret_stack)
{
	const struct snapshot_options options = { .max_frames = UNWIND_FRAMES_DEFAULT };
	bool is = false;
	struct error *err = is_in_region(c, &is);

	*ret_stack = NULL;
	if (err || !is)
		return err;
	err = look_once(c->control->live, &options, ret);
	if (!err)
		err = snapshot_name(ret->snapshot);
	if (!err)
		*ret_stack = find_stack(ret->snapshot, c->control->selected);
	return err;
}

struct error *team_stack_add(struct cli *c, size_t most, bool full, bool *ret_is)
{
	const struct stitched_stack *stack;
	AUTO_LOOK l = { 0 };
	struct walk w;
	struct error *err = look(c, &l, &stack);

	*ret_is = !err && stack;
	if (!*ret_is)
		return err;
	const struct view v = { .stacks = l.snapshot->stacks,
				.picture = &l.snapshot->picture,
				.stitched = &l.snapshot->stitched };
	err = walk_init(&w, c);
	w.view = &v;
	w.stack = stack;
	w.full = full;
	if (!err)
		err = (c->json ? add_objects : add_stack)(&w, most);
	frames_fini(&w.other);
	return err;
}

struct error *team_stack_select(struct cli *c, size_t number, bool *ret_is)
{
	const struct stitched_stack *stack;
	struct shown_frame where = { 0 };
	AUTO_LOOK l = { 0 };
	struct walk w;
	pid_t lwp = 0;
	struct error *err = look(c, &l, &stack);

	*ret_is = false;
	if (err || !stack)
		return err;
	err = walk_init(&w, c);
	for (size_t i = 0; i < stack->frames.len && !err && !lwp; i++) {
		const struct stitched_frame *f = &stack->frames.items[i];
		if (f->hidden)
			continue;
		err = walk_find(&w, f, &where);
		if (!err && where.frames == &w.other && where.number == number)
			lwp = f->lwp;
	}
	frames_fini(&w.other);
	if (err || !lwp)
		return err;
	control_select_lwp(c->control, lwp, 0);
	c->control->level = where.level;
	*ret_is = true;
	return NULL;
}
